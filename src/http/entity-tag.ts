/**
 * Whether the sender has what this tag names: among the tags that he names, weak or not, or `*`. Source: RFC 9110, 13.1.2.
 * @param named the header `If-None-Match`.
 */
export function isNamed(etag: string, named: string): boolean {
  if (named === etag || named.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  return named.match(/"[^"]*"/g)?.includes(opaque) === true
}
