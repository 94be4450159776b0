/**
 * The media type of a `Content-Type` header: lower case, without parameters. `null` when there is none, also when the
 * header has no slash and so names no type. Nothing is a parameter of nothing: a `;` at the beginning stays.
 */
export function mediaTypeOf(header: string | undefined): string | null {
  if (header === undefined) return null
  const semicolon = header.indexOf(';')
  const type = (semicolon > 0 ? header.slice(0, semicolon) : header).trim().toLowerCase()
  return type.includes('/') ? type : null
}

const json = /^application\/(?:[\w!#$&-^]+\+)?json(?:\+oembed)?$/

/**
 * Whether a body of this type is read as JSON: `application/json`, `application/problem+json`. Of several types, as a
 * header that was sent twice may name them, one is enough. Rules: docs/wire.md#json-bodies.
 */
export function isJsonType(mediaType: string | null): boolean {
  if (mediaType === null || mediaType === 'application/json') return mediaType !== null
  return mediaType.split(/[\t\n\v\f\r ,]+/).some((type) => json.test(type))
}
