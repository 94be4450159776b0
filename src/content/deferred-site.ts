import { siteFrom, type Site } from './site.js'

/**
 * The site before its database has been read, and before its address is known: without `base_url` and without an
 * address in the database, a service lives where it listens.
 */
export class DeferredSite implements Site {
  #read: Site
  #bound: boolean
  #address = 'http://localhost'

  /** @param given the boot option `base_url`; it wins over everything. */
  constructor(given: string | undefined) {
    this.#read = siteFrom(new Map(), given)
    this.#bound = given !== undefined
  }

  /** @param stored what the database says. */
  read(stored: ReadonlyMap<string, string>, given: string | undefined): void {
    this.#read = siteFrom(stored, given)
    this.#bound = this.#read.siteurl !== ''
  }

  /** Where the service listens; counts only while nothing more binding is known. */
  listensAt(address: string): void {
    this.#address = address
  }

  get siteurl(): string {
    return this.#bound ? this.#read.siteurl : this.#address
  }

  get home(): string {
    return this.#bound ? this.#read.home : this.#address
  }

  get name(): string {
    return this.#read.name
  }

  get description(): string {
    return this.#read.description
  }

  get permalinkStructure(): string {
    return this.#read.permalinkStructure
  }

  get timezoneString(): string {
    return this.#read.timezoneString
  }

  get gmtOffset(): string {
    return this.#read.gmtOffset
  }

  get timeZone(): Site['timeZone'] {
    return this.#read.timeZone
  }

  get defaultCategory(): number {
    return this.#read.defaultCategory
  }

  get defaultCommentStatus(): string {
    return this.#read.defaultCommentStatus
  }

  get defaultPingStatus(): string {
    return this.#read.defaultPingStatus
  }

  get frontPage(): number {
    return this.#read.frontPage
  }

  get postsPerPage(): number {
    return this.#read.postsPerPage
  }

  get showOnFront(): string {
    return this.#read.showOnFront
  }

  get pageOnFront(): number {
    return this.#read.pageOnFront
  }

  get pageForPosts(): number {
    return this.#read.pageForPosts
  }
}
