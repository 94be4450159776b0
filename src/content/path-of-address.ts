/** The path of a site's address, without a trailing slash: `/blog`. `''` when it has none, or the address is invalid. */
export function pathOfAddress(address: string): string {
  return URL.canParse(address) ? new URL(address).pathname.replace(/\/$/, '') : ''
}
