/** What the headers of a part say. */
export interface PartHead {
  readonly hasDisposition: boolean
  readonly name: string | null
  readonly filename: string | null
  /** The media type without parameters; empty when the part has none. */
  readonly type: string
}

/**
 * Parses the headers of a part. A line without a colon, or with white space at its start, continues the line above. The first
 * header of a name is used.
 */
export function partHeadOf(text: string): PartHead {
  const headers: { name: string; value: string }[] = []
  for (const line of text.split(/\r?\n/)) {
    const colon = /^[ \t]/.test(line) ? -1 : line.indexOf(':')
    const last = headers.at(-1)
    if (colon !== -1) headers.push({ name: line.slice(0, colon).toLowerCase(), value: line.slice(colon + 1) })
    else if (last) last.value += line
  }
  const valueOf = (headerName: string) => headers.find(({ name }) => name === headerName)?.value
  const disposition = valueOf('content-disposition')
  const parameters = parametersOf(disposition ?? '')
  return {
    hasDisposition: disposition !== undefined,
    name: parameters.get('name') ?? null,
    filename: parameters.get('filename') ?? null,
    type: (valueOf('content-type')?.split(';', 1)[0] ?? '').trim(),
  }
}

/**
 * Matches the text between two semicolons. Semicolons in single or double quotes are part of it, and so is an escaped
 * quote.
 */
const parameterPattern = /(?:"(?:\\"|[^"])*"?|'(?:\\'|[^'])*'?|[^;"'])+/g

/** The parameters of a header by lower-case name. The last parameter of a name is used. A value ends at a NUL. */
function parametersOf(header: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const [parameter] of header.matchAll(parameterPattern)) {
    const equals = parameter.indexOf('=')
    const name = parameter.slice(0, Math.max(equals, 0)).trimStart().toLowerCase()
    if (equals !== -1) parameters.set(name, unquoted(parameter.slice(equals).replace(/^=+\s*/, '')))
  }
  return parameters
}

/** The text of a value up to its closing quote; for a value without quotes, up to white space. */
function unquoted(value: string): string {
  const [text = ''] = value.split('\0', 1)
  const [, double, single] = /^(?:"((?:\\[\\"]|[^"])*)|'((?:\\[\\']|[^'])*))/.exec(text) ?? []
  if (double !== undefined) return double.replaceAll(/\\([\\"])/g, '$1')
  if (single !== undefined) return single.replaceAll(/\\([\\'])/g, '$1')
  return (text.split(/\s/, 1)[0] ?? '').replaceAll('\\\\', '\\')
}

/**
 * The boundary in a `Content-Type` header; empty without one. As in PHP, the word `boundary` may occur anywhere in the
 * header, and white space around the value is part of it.
 */
export function boundaryOf(contentType: string): string {
  const exact = contentType.indexOf('boundary')
  const wordIndex = exact === -1 ? contentType.toLowerCase().indexOf('boundary') : exact
  const equals = wordIndex === -1 ? -1 : contentType.indexOf('=', wordIndex)
  if (equals === -1) return ''
  const value = contentType.slice(equals + 1)
  if (!value.startsWith('"')) return value.split(/[,;]/, 1)[0] ?? ''
  const closingQuote = value.indexOf('"', 1)
  return closingQuote === -1 ? '' : value.slice(1, closingQuote)
}
