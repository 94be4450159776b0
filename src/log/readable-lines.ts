import { createColors } from 'picocolors'

/** Fields of a line that have a place of their own in what a person reads. */
interface Line {
  readonly level?: string
  readonly time?: string
  readonly msg?: string
  readonly err?: { readonly stack?: string; readonly message?: string }
  readonly [field: string]: unknown
}

/**
 * A JSON line of the log as a person reads it: `12:03:44 error a request failed  method=GET path=/x`, the trace below.
 * @param line as pino writes it; anything else stays as it is.
 */
export function readableLine(line: string, withColors: boolean): string {
  const parsed = parse(line)
  if (parsed === null) return line
  const colors = createColors(withColors)
  const { level = 'info', time, msg = '', err, ...fields } = parsed
  const paint = { error: colors.red, fatal: colors.red, warn: colors.yellow }[level] ?? colors.green
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${valueText(value)}`)
  const head = [colors.dim((time ?? '').slice(11, 19)), paint(level), printable(msg), colors.dim(rest.join(' '))]
  const trace = err ? `${printable(err.stack ?? err.message ?? '').replace(/^/gm, '  ')}\n` : ''
  return `${head
    .filter((part) => part !== '')
    .join(' ')
    .trimEnd()}\n${trace}`
}

function parse(line: string): Line | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Line) : null
  } catch {
    return null
  }
}

function valueText(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=\0-\x1f\x7f-\x9f]+$/.test(value)
    ? value
    : printable(JSON.stringify(value))
}

/** What a request sent must not steer the terminal; line breaks and tabs of a trace stay. */
function printable(text: string): string {
  return text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '\ufffd')
}
