import { entriesOf, isIntegerKey } from '../php/array-shape.js'
import { mediaTypeOf } from './content-type.js'
import { noForm, parseMultipart, type MultipartForm } from './multipart.js'
import { saysNothing } from './json-body.js'
import { parseQuery, type ParsedVariables } from './query.js'
import { bagOf, type Bag } from './variables.js'

const urlencoded = 'application/x-www-form-urlencoded'

/**
 * The form of a real POST, urlencoded or multipart, as PHP decodes it before anybody looks at the request.
 * Rules: docs/wire.md#form-bodies.
 * @param method as sent, before any override.
 */
export function postedForm(method: string, contentType: string | undefined, body: Uint8Array): MultipartForm {
  if (method !== 'POST' || body.length === 0 || contentType === undefined) return noForm()
  const type = postedTypeOf(contentType)
  if (type === 'multipart/form-data') return parseMultipart(body, contentType)
  if (type !== urlencoded) return noForm()
  const { bag, problem } = parseQuery(textOf(body))
  return { ...noForm(), fields: bag, problem }
}

/**
 * The form of any other request, which WordPress decodes itself: urlencoded, or without a content type.
 * @param method that the request is served as.
 * @returns null when it decodes nothing.
 */
export function unpostedForm(
  method: string,
  contentType: string | undefined,
  body: Uint8Array,
): ParsedVariables | null {
  if (method === 'POST' || saysNothing(body)) return null
  const type = mediaTypeOf(contentType)
  return type === null || type === urlencoded ? parseQuery(textOf(body)) : null
}

/** As PHP merges arrays: of a name that both have the later value counts, but integers are numbered anew. */
export function mergedBags(...bags: readonly Readonly<Bag>[]): Bag {
  const merged = bagOf()
  let count = 0
  for (const bag of bags)
    for (const [name, value] of entriesOf(bag)) merged[isIntegerKey(name) ? String(count++) : name] = value
  return merged
}

/** PHP ends the type of a form that it decodes itself also at a comma or a space. */
function postedTypeOf(contentType: string): string {
  return (contentType.trimStart().split(/[;, ]/, 1)[0] ?? '').toLowerCase()
}

/** One character per byte. */
function textOf(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')
}
