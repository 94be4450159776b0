/**
 * The media type of a `Content-Type` header, in lower case and without parameters. Null without a header, and when the
 * text has no slash and therefore names no type. As in WordPress, a `;` at the start does not begin a parameter.
 */
export function mediaTypeOf(header: string | undefined): string | null {
  if (header === undefined) return null
  const semicolon = header.indexOf(';')
  const type = (semicolon > 0 ? header.slice(0, semicolon) : header).trim().toLowerCase()
  return type.includes('/') ? type : null
}

const json = /^application\/(?:[\w!#$&-^]+\+)?json(?:\+oembed)?$/

/**
 * Whether a body of this type is read as JSON: `application/json`, or a type such as `application/problem+json`. When a
 * repeated header names several types, one JSON type among them is enough.
 */
export function isJsonType(mediaType: string | null): boolean {
  if (mediaType === null || mediaType === 'application/json') return mediaType !== null
  return mediaType.split(/[\t\n\v\f\r ,]+/).some((type) => json.test(type))
}
