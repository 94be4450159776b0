import { entriesOf, isIntegerKey } from '../php/array-shape.js'
import { mediaTypeOf } from './content-type.js'
import { noForm, parseMultipart, type MultipartForm } from './multipart.js'
import { isMissingBody } from './json-body.js'
import { parseQuery, type ParsedVariables } from './query.js'
import { parameterMap, type ParameterMap } from './variables.js'

const multipart = 'multipart/form-data'
const urlencoded = 'application/x-www-form-urlencoded'

/**
 * The urlencoded or multipart form of a POST request. PHP decodes it before WordPress runs, so a method override has no
 * influence.
 * @param method the method of the request line.
 */
export function postedForm(method: string, contentType: string | undefined, body: Uint8Array): MultipartForm {
  if (method !== 'POST' || body.length === 0 || contentType === undefined) return noForm()
  const type = postedTypeOf(contentType)
  if (type === multipart) return parseMultipart(body, contentType)
  if (type !== urlencoded) return noForm()
  const { parameters, problem } = parseQuery(textOf(body))
  return { ...noForm(), fields: parameters, problem }
}

/**
 * The form of a request with another method than POST: urlencoded, or without a content type. WordPress decodes it
 * itself.
 * @param method the effective method, after any override.
 * @returns null when the request has no such form.
 */
export function unpostedForm(
  method: string,
  contentType: string | undefined,
  body: Uint8Array,
): ParsedVariables | null {
  if (method === 'POST' || isMissingBody(body)) return null
  const type = mediaTypeOf(contentType)
  return type === null || type === urlencoded ? parseQuery(textOf(body)) : null
}

/** PHP's `array_merge`: a later value of a name replaces the earlier one, and integer names are renumbered. */
export function mergedParameters(...sources: readonly Readonly<ParameterMap>[]): ParameterMap {
  const merged = parameterMap()
  let count = 0
  for (const source of sources)
    for (const [name, value] of entriesOf(source)) merged[isIntegerKey(name) ? String(count++) : name] = value
  return merged
}

/** Whether the body of a request is a form that may hold files. @param method the method of the request line. */
export function isMultipartForm(method: string, contentType: string | undefined): boolean {
  return method === 'POST' && contentType !== undefined && postedTypeOf(contentType) === multipart
}

/** PHP ends the media type at a comma or a space too, when it decodes a form. */
function postedTypeOf(contentType: string): string {
  return (contentType.trimStart().split(/[;, ]/, 1)[0] ?? '').toLowerCase()
}

/** The body as a binary string, one character per byte. */
function textOf(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')
}
