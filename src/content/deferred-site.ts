import { siteFrom, type Site } from './site.js'

/**
 * A site that exists before its options are read from the database. Its address is the boot option `base_url`, else the
 * address in the database, else the address that the service listens on.
 */
export class DeferredSite implements Site {
  #site: Site
  #hasOwnAddress: boolean
  #listenAddress = 'http://localhost'
  #refreshed: () => Promise<void> | null = () => null

  /** @param baseUrl the boot option `base_url`. */
  constructor(baseUrl: string | undefined) {
    this.#site = siteFrom(new Map(), baseUrl)
    this.#hasOwnAddress = baseUrl !== undefined
  }

  /**
   * @param options the stored options of the site.
   * @param baseUrl the boot option `base_url`.
   * @param forceSslAdmin see {@link siteFrom}.
   */
  read(options: ReadonlyMap<string, string>, baseUrl: string | undefined, forceSslAdmin?: boolean | null): void {
    this.#site = siteFrom(options, baseUrl, forceSslAdmin)
    this.#hasOwnAddress = this.#site.siteurl !== ''
  }

  /** Sets what reads the options again when they are old. @param refreshed null: they are recent. */
  refreshBy(refreshed: () => Promise<void> | null): void {
    this.#refreshed = refreshed
  }

  /** To be awaited before the site is used outside of a request. Null when its options are recent. */
  refreshed(): Promise<void> | null {
    return this.#refreshed()
  }

  /** Sets the address that the service listens on. */
  listensAt(address: string): void {
    this.#listenAddress = address
  }

  get siteurl(): string {
    return this.#hasOwnAddress ? this.#site.siteurl : this.#listenAddress
  }

  get home(): string {
    return this.#hasOwnAddress ? this.#site.home : this.#listenAddress
  }

  get forcesTls(): boolean {
    return this.#site.forcesTls
  }

  get name(): string {
    return this.#site.name
  }

  get description(): string {
    return this.#site.description
  }

  get permalinkStructure(): Site['permalinkStructure'] {
    return this.#site.permalinkStructure
  }

  get categoryBase(): string {
    return this.#site.categoryBase
  }

  get tagBase(): string {
    return this.#site.tagBase
  }

  get timezoneString(): string {
    return this.#site.timezoneString
  }

  get gmtOffset(): string {
    return this.#site.gmtOffset
  }

  get timeZone(): Site['timeZone'] {
    return this.#site.timeZone
  }

  get defaultCategory(): number {
    return this.#site.defaultCategory
  }

  get defaultCommentStatus(): string {
    return this.#site.defaultCommentStatus
  }

  get defaultPingStatus(): string {
    return this.#site.defaultPingStatus
  }

  get sendsPingbacks(): boolean {
    return this.#site.sendsPingbacks
  }

  get frontPage(): number {
    return this.#site.frontPage
  }

  get postsPerPage(): number {
    return this.#site.postsPerPage
  }

  get showOnFront(): string {
    return this.#site.showOnFront
  }

  get pageOnFront(): number {
    return this.#site.pageOnFront
  }

  get pageForPosts(): number {
    return this.#site.pageForPosts
  }

  get dbVersion(): number {
    return this.#site.dbVersion
  }
}
