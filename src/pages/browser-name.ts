const browsers: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Edge', /Edg(?:e|A|iOS)?\//],
  ['Opera', /OPR\//],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /(?:Firefox|FxiOS)\//],
  ['Chrome', /(?:Chrome|CriOS|Chromium)\//],
  ['Safari', /Safari\//],
  ['curl', /^curl\//],
]

const systems: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Windows', /Windows/],
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['macOS', /Macintosh/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
]

const maxLength = 60

/**
 * The name of the browser and its system: `Firefox on Linux`. The start of the `User-Agent` when the browser is
 * unknown.
 */
export function browserName(userAgent: string): string {
  const nameIn = (names: typeof browsers) => names.find(([, pattern]) => pattern.test(userAgent))?.[0]
  const browser = nameIn(browsers)
  const system = nameIn(systems)
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`
  if (userAgent === '') return 'Unknown'
  return userAgent.length > maxLength ? `${userAgent.slice(0, maxLength).toWellFormed()}…` : userAgent
}
