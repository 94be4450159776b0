import { printable } from './printable.js'
import { createColors } from 'picocolors'

/** A parsed line of the log. The named fields have a fixed place in the readable form. */
interface Line {
  readonly level?: string
  readonly time?: string
  readonly msg?: string
  readonly err?: { readonly stack?: string; readonly message?: string }
  readonly [field: string]: unknown
}

/**
 * The readable form of a JSON line: `12:03:44 error a request failed method=GET path=/x`, and the stack trace below it.
 * @param line a line that pino wrote. A line that is not JSON is returned unchanged.
 */
export function readableLine(line: string, withColors: boolean): string {
  const parsed = parse(line)
  if (parsed === null) return line
  const colors = createColors(withColors)
  const { level = 'info', time, msg = '', err, ...fields } = parsed
  const colorOfLevel = { error: colors.red, fatal: colors.red, warn: colors.yellow }[level] ?? colors.green
  const fieldTexts = Object.entries(fields).map(([name, value]) => `${valueText(name)}=${valueText(value)}`)
  const head = [
    colors.dim((time ?? '').slice(11, 19)),
    colorOfLevel(level),
    printable(msg.replaceAll('\n', '\\n'), '\t'),
    colors.dim(fieldTexts.join(' ')),
  ]
  const trace = err ? `${printable(err.stack ?? err.message ?? '', '\n\t').replace(/^/gm, '  ')}\n` : ''
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
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) && printable(value) === value
    ? value
    : printable(JSON.stringify(value))
}
