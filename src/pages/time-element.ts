import { html, type Html } from './html.js'

/** The largest value that `Date` can represent, in seconds since 1970. */
const maxSeconds = 8_640_000_000_000

/** A `<time>` element in UTC, or a dash when `Date` cannot represent the time. @param seconds since 1970. */
export function timeElement(seconds: number): Html {
  if (!(Math.abs(seconds) <= maxSeconds)) return html`—`
  const iso = new Date(seconds * 1000).toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`
}
