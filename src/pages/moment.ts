import { html, type Html } from './html.js'

/** The latest moment that a date can say, in unix seconds. */
const latest = 8_640_000_000_000

/** A moment in UTC. @param seconds since 1970. */
export function moment(seconds: number): Html {
  if (!(Math.abs(seconds) <= latest)) return html`—`
  const iso = new Date(seconds * 1000).toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`
}
