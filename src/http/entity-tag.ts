/**
 * Whether `If-None-Match` matches an entity tag by weak comparison (RFC 9110, section 13.1.2), so that the response is
 * a 304.
 * @param ifNoneMatch value of the header: a list of entity tags, or `*`.
 */
export function matchesEntityTag(etag: string, ifNoneMatch: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  const opaqueTag = etag.replace(/^W\//, '')
  return ifNoneMatch.match(/"[^"]*"/g)?.includes(opaqueTag) === true
}
