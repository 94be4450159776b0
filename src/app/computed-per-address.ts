import type { DeferredSite } from '../content/deferred-site.js'

/**
 * A value that depends on the address of the site. It is computed again when the address changes: when a service
 * without a configured address begins to listen, and when WordPress has changed it.
 */
export function computedPerAddress<T>(site: DeferredSite, compute: () => T): () => T {
  let value: T | null = null
  let siteurl: string | null = null
  let home: string | null = null
  return () => {
    if (value === null || siteurl !== site.siteurl || home !== site.home) {
      value = compute()
      siteurl = site.siteurl
      home = site.home
    }
    return value
  }
}
