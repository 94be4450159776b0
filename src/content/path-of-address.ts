/** The path of a site's address without a slash at its end: `/blog`, or `''`, also for what is no address. */
export function pathOfAddress(address: string): string {
  return URL.canParse(address) ? new URL(address).pathname.replace(/\/$/, '') : ''
}
