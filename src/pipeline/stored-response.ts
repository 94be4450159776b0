import { toJson } from '../http/json.js'
import { hasRawBody, rawBodyOf } from '../http/raw-body.js'
import { RestResponse, type ResponseLink } from '../http/rest-response.js'

type StoredLinks = readonly (readonly [rel: string, links: readonly ResponseLink[]])[]

/** A part of a body: JSON, an item of a list that is a response, or bytes in base64. */
type StoredBody =
  | { readonly json: unknown }
  | { readonly items: readonly ({ readonly json: unknown } | StoredItem)[] }
  | { readonly bytes: string }

interface StoredItem {
  readonly json: unknown
  readonly links: StoredLinks
}

interface StoredResponse {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly links: StoredLinks
  readonly body: StoredBody
}

/**
 * A response as text, without its cookies, which may be those of a session. Null for one that cannot be read back as it was: a
 * stream, or a body without a JSON form, or with numbers that JavaScript rounds.
 */
export function textOf(response: RestResponse): string | null {
  const body = storedBody(response)
  if (body === null) return null
  const { status, headers, links } = response
  return JSON.stringify({ status, headers: [...headers], links: [...links], body } satisfies StoredResponse)
}

/** The response of a text that {@link textOf} has made. */
export function responseOf(text: string): RestResponse {
  const { status, headers, links, body } = JSON.parse(text) as StoredResponse
  const response = withLinks(new RestResponse(bodyOf(body), status), links)
  for (const [name, value] of headers) response.headers.set(name, value)
  return response
}

function storedBody(response: RestResponse): StoredBody | null {
  const { body } = response
  if (hasRawBody(response) && typeof body !== 'string') {
    const raw = rawBodyOf(response)
    return raw?.kind === 'bytes' ? { bytes: Buffer.from(raw.bytes).toString('base64') } : null
  }
  try {
    if (!Array.isArray(body) || !body.some((item) => item instanceof RestResponse)) return { json: plainOf(body) }
    const items = (body as unknown[]).map((item) =>
      item instanceof RestResponse ? { json: plainOf(item.body), links: [...item.links] } : { json: plainOf(item) },
    )
    return { items }
  } catch {
    return null
  }
}

function bodyOf(body: StoredBody): unknown {
  if ('bytes' in body) return new Uint8Array(Buffer.from(body.bytes, 'base64'))
  if ('json' in body) return body.json
  return body.items.map((item) => ('links' in item ? withLinks(new RestResponse(item.json), item.links) : item.json))
}

function withLinks(response: RestResponse, links: StoredLinks): RestResponse {
  for (const [rel, entries] of links) response.links.set(rel, [...entries])
  return response
}

/** The JSON value of a body. @throws Error for a value whose JSON changes when it is parsed and written again. */
function plainOf(value: unknown): unknown {
  if (value === undefined) return null
  const text = toJson(value)
  const plain: unknown = JSON.parse(text)
  if (toJson(plain) !== text) throw new RangeError('The value is not read back as it was.')
  return plain
}
