import { decodePercent } from './percent.js'

type Headers = Readonly<Record<string, string | undefined>>

/**
 * A header by its name, in any case and with `_` for `-`; `null` when the request has none. Adapters have joined several
 * values with `, `. A header sent with the usual dashes comes before one sent with underscores.
 * @param headers by lower-case name, prototype-less.
 */
export function headerOf(headers: Headers, name: string): string | null {
  const wanted = name.toLowerCase().replaceAll('_', '-')
  const value = headers[wanted]
  if (value !== undefined) return value
  for (const sent in headers)
    if (sent.includes('_') && sent.replaceAll('_', '-') === wanted) return headers[sent] ?? null
  return null
}

/**
 * The cookies of a request by name, as PHP reads them: values percent-decoded, `+` kept, the first of a name counts,
 * `.` and space in names are `_`. A name with brackets would be a list in PHP and is left out.
 * Rules: docs/wire.md#headers-and-cookies-of-a-request.
 */
export function parseCookies(header: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of header?.split(';') ?? []) {
    const equals = pair.indexOf('=')
    const sent = (equals === -1 ? pair : pair.slice(0, equals)).replace(/^\s+/, '')
    const name = cookieName(sent)
    if (name === null || cookies.has(name)) continue
    cookies.set(name, equals === -1 ? '' : decodePercent(pair.slice(equals + 1)))
  }
  return cookies
}

function cookieName(sent: string): string | null {
  const open = sent.indexOf('[')
  if (open !== -1 && sent.includes(']', open)) return null
  const name = sent.replace(/[ .[]/g, '_')
  // A browser vouches for names with these prefixes; no other spelling may become one of them.
  if (name !== sent && /^__(?:Host|Secure)-/.test(name)) return null
  return name === '' || open === 0 ? null : name
}
