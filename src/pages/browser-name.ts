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

/** A browser as people call it: `Firefox on Linux`; the beginning of a `User-Agent` that says nothing known. */
export function browserName(userAgent: string): string {
  const nameIn = (list: typeof browsers) => list.find(([, pattern]) => pattern.test(userAgent))?.[0]
  const browser = nameIn(browsers)
  const system = nameIn(systems)
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`
  if (userAgent === '') return 'Unknown'
  return userAgent.length > maxLength ? `${userAgent.slice(0, maxLength).toWellFormed()}…` : userAgent
}
