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

/**
 * Whether `If-Match` lists an entity tag by strong comparison (RFC 9110, section 13.1.1).
 * @param etag a strong one. @param ifMatch value of the header: a list of entity tags, or `*`.
 */
export function isListedStrongly(etag: string, ifMatch: string): boolean {
  if (ifMatch === etag || ifMatch.trim() === '*') return true
  return ifMatch.match(/(?:W\/)?"[^"]*"/g)?.includes(etag) === true
}

/** Why a text cannot be an entity tag; null when it can. */
export function entityTagFault(text: string): string | null {
  // RFC 9110, section 8.8.3: visible ASCII characters except the quotation mark.
  return /^[!#-~]{1,200}$/.test(text)
    ? null
    : `the version '${text.slice(0, 40)}' is no entity tag: 1 to 200 visible ASCII characters without quotation marks.`
}
