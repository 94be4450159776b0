import { type CharacterSet, complement, rangesOf } from './character-set.js'

export const maxByte = 0xff
export const maxCodePoint = 0x10ffff

/** The highest character: a byte without the flag `u`, a code point with it. */
export function maxCharacter(unicode: boolean): number {
  return unicode ? maxCodePoint : maxByte
}

/** JavaScript source that matches exactly one character of the set. */
export function sourceOfSet(set: CharacterSet, unicode: boolean): string {
  const [first, last] = set
  if (first === undefined) return '[]'
  if (set.length === 2 && first === last) return escapeCharacter(first)
  const excluded = complement(set, maxCharacter(unicode))
  return excluded.length < set.length ? `[^${classBodyOf(excluded)}]` : `[${classBodyOf(set)}]`
}

/** JavaScript source of the set, for use between `[` and `]`. */
export function classBodyOf(set: CharacterSet): string {
  let body = ''
  for (const [from, to] of rangesOf(set)) {
    body += escapeInClass(from)
    if (to > from + 1) body += '-'
    if (to > from) body += escapeInClass(to)
  }
  return body
}

function escapeCharacter(code: number): string {
  const character = String.fromCodePoint(code)
  return /[$()*+.?[\\\]^{|}/]/.test(character) ? `\\${character}` : escapeUnprintable(code, character)
}

function escapeInClass(code: number): string {
  const character = String.fromCodePoint(code)
  return /[[\\\]^/-]/.test(character) ? `\\${character}` : escapeUnprintable(code, character)
}

function escapeUnprintable(code: number, character: string): string {
  if (code >= 0x20 && code < 0x7f) return character
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`
  return `\\u{${code.toString(16)}}`
}
