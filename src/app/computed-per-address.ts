import type { DeferredSite } from '../content/deferred-site.js'

/**
 * A value that depends on the address of the site. It is computed again when the address changes, which happens at most
 * once: when a service without a configured address begins to listen.
 */
export function computedPerAddress<T>(site: DeferredSite, compute: () => T): () => T {
  let value: T | null = null
  let address: string | null = null
  return () => {
    if (value === null || address !== site.siteurl) {
      value = compute()
      address = site.siteurl
    }
    return value
  }
}
