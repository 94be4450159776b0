import { addressIn, addressOptions, siteOptionNames } from '../content/site.js'
import { logError } from '../log/log-error.js'
import type { Log } from '../log/log.js'
import type { Content } from './content.js'
import type { ResolvedOptions } from './options.js'
import { withConstants } from './wordpress-site.js'

/** Milliseconds for which the options of a WordPress site are used before they are read again. */
const maxAge = 1000

/** The `db_version` of WordPress 6.8, the first that reads hashes of bcrypt. */
const firstWithBcrypt = 60_421

/** Reads the options that describe the site, such as its address, and puts them into `content.site`. */
export async function readSite(
  { storage, site, hasher }: Content,
  { base_url, wordpressConfig }: Pick<ResolvedOptions, 'base_url' | 'wordpressConfig'>,
  log: Log,
): Promise<void> {
  const stored = await storage.options.readMany(siteOptionNames)
  if (wordpressConfig === null) {
    reportAddresses(stored, log)
    return site.read(stored, base_url)
  }
  const options = withConstants(stored, wordpressConfig)
  reportAddresses(options, log)
  site.read(options, undefined, wordpressConfig.forceSslAdmin)
  // Read each time: an update of WordPress raises the version while this service runs, and a restored backup lowers it.
  hasher.isPortable = site.dbVersion < firstWithBcrypt
}

function reportAddresses(options: ReadonlyMap<string, string>, log: Log): void {
  for (const name of addressOptions)
    if (options.get(name) && addressIn(options, name) === '')
      logError(log, 'site-address-invalid', { [name]: options.get(name) })
}

/**
 * Reads the options of a WordPress site again before a request is answered, where the last read is more than a second old:
 * WordPress does not tell when they are changed. Requests at the same time share the read.
 */
export class SiteWatch {
  readonly #read: () => Promise<void>
  #readAt = performance.now()
  #reading: Promise<void> | null = null
  #isExpired = false

  /** @param read see `readSite`. It has been called once. */
  constructor(read: () => Promise<void>) {
    this.#read = read
  }

  /** Null when the options are recent. */
  refreshed(): Promise<void> | null {
    if (performance.now() - this.#readAt < maxAge) return null
    return (this.#reading ??= this.#refresh().finally(() => (this.#reading = null)))
  }

  /** From now on the options count as old: they are read again before the next request. */
  expire(): void {
    this.#readAt = -Infinity
    this.#isExpired = true
  }

  async #refresh(): Promise<void> {
    const now = performance.now()
    this.#isExpired = false
    await this.#read()
    this.#readAt = this.#isExpired ? -Infinity : now
  }
}
