import { decodePercent } from './percent.js'

type Headers = Readonly<Record<string, string | undefined>>

/**
 * A header by its name, in any letter case and with `_` or `-`; null when the request does not have it. A header that
 * was sent with dashes takes precedence over one that was sent with underscores.
 * @param headers by lower-case name, without a prototype. Several values of one name are joined with `, `.
 */
export function headerOf(headers: Headers, name: string): string | null {
  const dashedName = name.toLowerCase().replaceAll('_', '-')
  const value = headers[dashedName]
  if (value !== undefined) return value
  for (const key in headers)
    if (key.includes('_') && key.replaceAll('_', '-') === dashedName) return headers[key] ?? null
  return null
}

/**
 * The cookies of a request by name, as PHP reads them. Values are percent-decoded, and `+` stays. The first cookie of a
 * name is used. `.` and space in names become `_`. Names with brackets, which are arrays in PHP, are left out.
 */
export function parseCookies(header: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of header?.split(';') ?? []) {
    const equals = pair.indexOf('=')
    const rawName = (equals === -1 ? pair : pair.slice(0, equals)).replace(/^\s+/, '')
    const name = cookieName(rawName)
    if (name === null || cookies.has(name)) continue
    cookies.set(name, equals === -1 ? '' : decodePercent(pair.slice(equals + 1)))
  }
  return cookies
}

function cookieName(rawName: string): string | null {
  const open = rawName.indexOf('[')
  if (open !== -1 && rawName.includes(']', open)) return null
  const name = rawName.replace(/[ .[]/g, '_')
  // Browsers guarantee the origin of cookies with these prefixes, so no other spelling may turn into one of them.
  if (name !== rawName && /^__(?:Host|Secure)-/.test(name)) return null
  return name === '' || open === 0 ? null : name
}
