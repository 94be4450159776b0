import { bytesOf, textOf } from '../php/bytes.js'

/** A text in the source. `value` is null when it contains variables. `end` is the index behind it. */
export interface QuotedText {
  readonly value: string | null
  readonly end: number
}

/** Reads a text in single quotes. @param start index of the opening quote. @returns null for a text without an end. */
export function singleQuoted(source: string, start: number): QuotedText | null {
  const end = closingQuote(source, start, "'")
  if (end === -1) return null
  return { value: source.slice(start + 1, end).replace(/\\([\\'])/g, '$1'), end: end + 1 }
}

/** Reads a text in double quotes. @param start index of the opening quote. @returns null for a text without an end. */
export function doubleQuoted(source: string, start: number): QuotedText | null {
  const end = closingQuote(source, start, '"')
  return end === -1 ? null : { value: unescaped(source.slice(start + 1, end), '"'), end: end + 1 }
}

/**
 * Reads a text that ends at a line with an identifier.
 * @param start index behind the line of `<<<`.
 * @param isRaw whether it is a nowdoc, which has no escapes.
 * @returns null when no line begins with the identifier.
 */
export function heredoc(source: string, start: number, identifier: string, isRaw: boolean): QuotedText | null {
  const closing = new RegExp(`^([ \\t]*)${identifier}(?![\\w\\u0080-\\uffff])`, 'my')
  for (let line = start; line <= source.length;) {
    closing.lastIndex = line
    const end = closing.exec(source)
    if (end !== null) {
      const indentation = end[1] ?? ''
      // The line break before the identifier is no part of the text.
      const body = source.slice(start, line).replace(/\r?\n$/, '')
      const lines = body
        .split('\n')
        .map((text) => (text.startsWith(indentation) ? text.slice(indentation.length) : text))
      const text = line === start ? '' : lines.join('\n')
      return { value: isRaw ? text : unescaped(text, ''), end: line + end[0].length }
    }
    const lineEnd = source.indexOf('\n', line)
    if (lineEnd === -1) return null
    line = lineEnd + 1
  }
  return null
}

function closingQuote(source: string, start: number, quote: string): number {
  for (let index = start + 1; index < source.length; index += 1) {
    const character = source.charAt(index)
    if (character === quote) return index
    if (character === '\\') index += 1
  }
  return -1
}

const simpleEscapes: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  e: '\u001b',
  f: '\f',
  '\\': '\\',
  $: '$',
}
const escape = /\\(?:([nrtvef\\$])|([0-7]{1,3})|x([\da-fA-F]{1,2})|u\{([\da-fA-F]{1,6})\}|("))/g
const interpolation = /\$[A-Za-z_\u0080-\uffff{]|\{\$/

/**
 * @param quote `"` where that may be escaped.
 * @returns null when the text contains a variable.
 */
function unescaped(text: string, quote: '"' | ''): string | null {
  if (interpolation.test(text.replace(/\\[^]/g, '\\'))) return null
  // Escapes stand for bytes, and several of them for one character.
  const bytes = bytesOf(text).replace(
    escape,
    (whole, simple?: string, octal?: string, hex?: string, point?: string) => {
      if (simple !== undefined) return simpleEscapes[simple] ?? whole
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
      if (point === undefined) return quote === '' ? whole : quote
      const code = Number.parseInt(point, 16)
      return code > 0x10_ffff ? whole : bytesOf(String.fromCodePoint(code))
    },
  )
  return textOf(bytes)
}
