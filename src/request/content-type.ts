/**
 * The media type of a `Content-Type` header: lower case, without parameters. `null` when there is none, also when the
 * header has no slash and so names no type (WIRE 3.4).
 */
export function mediaTypeOf(header: string | undefined): string | null {
  if (header === undefined) return null
  const semicolon = header.indexOf(';')
  const type = (semicolon === -1 ? header : header.slice(0, semicolon)).trim().toLowerCase()
  return type.includes('/') ? type : null
}

const json = /^application\/(?:[\w!#$&^.+-]+\+)?json(?:\+oembed)?$/

/** Whether a body of this type is read as JSON: `application/json`, `application/problem+json` (WIRE 3.3). */
export function isJsonType(mediaType: string | null): boolean {
  return mediaType !== null && (mediaType === 'application/json' || json.test(mediaType))
}
