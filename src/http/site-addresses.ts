/** The addresses of a site, absolute and without a trailing slash. */
export interface SiteAddresses {
  readonly home: string
  readonly siteurl: string
  /** Whether the login and administration pages have addresses with `https`, whatever `siteurl` begins with. */
  readonly forcesTls: boolean
  /** The addresses in the database, when their scheme differs from that of `home` and `siteurl`. Redirects may lead there. */
  readonly stored?: readonly string[]
}

/** The start of the addresses of the login and administration pages. */
export function adminAddress({ siteurl, forcesTls }: Pick<SiteAddresses, 'siteurl' | 'forcesTls'>): string {
  return forcesTls ? siteurl.replace(/^http:/i, 'https:') : siteurl
}

/** The origins of the pages of this site. An address that is not a URL has none. */
export function siteOrigins(site: SiteAddresses): readonly string[] {
  const addresses = [site.home, site.siteurl, adminAddress(site), ...(site.stored ?? [])]
  return [...new Set(addresses.flatMap((address) => (URL.canParse(address) ? [new URL(address).origin] : [])))]
}
