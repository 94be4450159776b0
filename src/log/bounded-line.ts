import { escapedJson } from './printable.js'
import { logFields } from './log-fields.js'

/** Maximum length of a line of the log, in characters. */
export const maxLineLength = 32_768
/** Maximum length of a text within a line that is too long. A stack trace has its own maximum. */
const maxTextLength = 1_000
const maxStackLength = 8_000
/** Maximum size of all fields of a line that is too long. The remaining seven eighths are for JSON and its escapes. */
const maxContent = maxLineLength / 8
/** Above this length a line is not parsed. */
const maxParsedLength = 1_048_576
const maxDepth = 8

/**
 * A line of JSON that is not longer than `maxLineLength`, without characters that some programs read as a line break. A longer
 * line is shortened: its long texts are cut, and some fields and items are left out. The field `truncated` then has the
 * original length.
 * @param line with its line break.
 */
export function boundedLine(line: string): string {
  const text = line.length <= maxLineLength ? escapedJson(line) : line
  if (text.length <= maxLineLength) return text
  const fields = line.length <= maxParsedLength ? parsed(line) : endsOf(line)
  return escapedJson(`${JSON.stringify({ ...shortened(fields), truncated: line.length })}\n`)
}

function parsed(line: string): object {
  try {
    return JSON.parse(line) as object
  } catch {
    return endsOf(line)
  }
}

const head =
  /^\{"level":"(?<level>\w+)","time":"(?<time>[^"]+)"(?:,"worker":\d+,"pid":\d+)?(?:,"code":"(?<code>[\w-]+)")?/
const tail = /"msg":"(?<msg>[^"\\]*)"\}\s*$/

/** The level, time and code at the beginning of a line, and the message at its end. */
function endsOf(line: string): object {
  return { ...head.exec(line.slice(0, 200))?.groups, ...logFields(), ...tail.exec(line.slice(-maxTextLength))?.groups }
}

/** A copy of the fields. The message is copied first, so that it is always there. */
function shortened(fields: object): object {
  let remaining = maxContent
  const copy = (value: unknown, name: string, depth: number): unknown => {
    if (typeof value === 'string') {
      const length = Math.min(value.length, name === 'stack' ? maxStackLength : maxTextLength, Math.max(remaining, 0))
      remaining -= length
      return length === value.length ? value : `${value.slice(0, length)}… (${value.length} characters)`
    }
    if (typeof value !== 'object' || value === null) return value
    if (depth === maxDepth) return '…'
    const entries: [string, unknown][] = []
    for (const [key, member] of Object.entries(value)) {
      remaining -= key.length + 8
      if (remaining <= 0) break
      entries.push([key, copy(member, key, depth + 1)])
    }
    return Array.isArray(value) ? entries.map(([, member]) => member) : Object.fromEntries(entries)
  }
  const { msg, ...rest } = fields as { readonly msg?: unknown }
  const message = copy(msg, 'msg', 0)
  return { ...(copy(rest, '', 0) as object), msg: message }
}
