import type { CaseBody, HttpCase } from './cases.js'
import type { Callers } from './caller.js'
import type { SentRequest } from './send.js'

/** A case as the request that is sent. `{{nonce:…}}`, `{{cookie:…}}` and `{{var:…}}` are filled in. */
export async function requestOf(
  httpCase: HttpCase,
  callers: Callers,
  saved: ReadonlyMap<string, string>,
): Promise<SentRequest> {
  const fill = (text: string) => filled(text, callers, saved)
  const { headers, query, bodyNonce } = await callers.credentials(httpCase)
  const body = await bodyOf(httpCase.body, bodyNonce, fill)
  const queries = [await fill(httpCase.query ?? ''), query].filter((part) => part !== '')
  const path = await fill(httpCase.path)
  const own = await Promise.all(
    Object.entries(httpCase.headers ?? {}).map(async ([name, value]) => [name, await fill(value)] as const),
  )
  return {
    method: httpCase.method,
    target: httpCase.query !== undefined || queries.length > 0 ? `${path}?${queries.join('&')}` : path,
    headers: [
      ...headers,
      ...(body?.contentType === undefined ? [] : [['Content-Type', body.contentType] as const]),
      ...own,
    ],
    body: body?.bytes ?? null,
  }
}

async function filled(text: string, callers: Callers, saved: ReadonlyMap<string, string>): Promise<string> {
  let result = text
  for (const [placeholder, kind = '', name = ''] of text.matchAll(/\{\{(nonce|cookie|var):([^}]*)\}\}/g)) {
    const value =
      kind === 'nonce'
        ? (await callers.loggedIn(name)).nonce
        : kind === 'cookie'
          ? (await callers.loggedIn(name)).login
          : (saved.get(name) ?? '')
    result = result.replaceAll(placeholder, value)
  }
  return result
}

interface BuiltBody {
  readonly bytes: Buffer
  readonly contentType: string | undefined
}

async function bodyOf(
  body: CaseBody | undefined,
  nonce: string | null,
  fill: (text: string) => Promise<string>,
): Promise<BuiltBody | null> {
  if (!body)
    return nonce === null
      ? null
      : { bytes: Buffer.from(`_wpnonce=${nonce}`), contentType: 'application/x-www-form-urlencoded' }
  const { text, type } = written(body, nonce)
  let finished = await fill(text)
  if (body.repeat) finished = finished.replaceAll(body.repeat[0], body.repeat[0].repeat(body.repeat[1]))
  return { bytes: Buffer.from(finished), contentType: body.contentType ?? type }
}

function written({ type, value }: CaseBody, nonce: string | null): { readonly text: string; readonly type?: string } {
  if (type === 'json') return { text: JSON.stringify(value), type: 'application/json' }
  if (type === 'raw') return { text: String(value) }
  const fields = nonce === null ? [] : [['_wpnonce', nonce] as const]
  if (type === 'form') {
    const text =
      typeof value === 'string'
        ? value
        : new URLSearchParams(Object.entries(value as Record<string, string>)).toString()
    const extra = new URLSearchParams(Object.fromEntries(fields)).toString()
    return { text: [text, extra].filter((part) => part !== '').join('&'), type: 'application/x-www-form-urlencoded' }
  }
  const boundary = 'conformance-boundary'
  const parts = [...Object.entries(value as Record<string, string>), ...fields]
    .map(([name, content]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`)
    .join('')
  return { text: `${parts}--${boundary}--\r\n`, type: `multipart/form-data; boundary=${boundary}` }
}
