import { isDeepStrictEqual } from 'node:util'
import { serialize, unserialize, unserializeForChange } from '../../src/php/serialize.js'
import { encodeText } from '../../src/php/text.js'
import type { PhpResult } from './php-peer.js'

/** What this package makes of one text. */
export interface Reading {
  readonly text: string
  /** What it writes for the value; null when it does not read the text. */
  readonly written: string | null
  readonly fault: string | null
}

/** Reads a text both ways. */
export function readingOf(text: string): Reading {
  try {
    const plain = unserialize(text)
    const kept = unserializeForChange(text)
    const written = kept === undefined ? null : serialize(kept)
    return { text, written, fault: faultOf(plain, kept, written) }
  } catch (error) {
    return { text, written: null, fault: `throws ${String(error)}` }
  }
}

function faultOf(plain: unknown, kept: unknown, written: string | null): string | null {
  if (written === null) return plain === undefined ? null : 'is read, but not for a change'
  const again = unserializeForChange(written)
  if (again === undefined) return `is written as ${written}, which is not read again`
  if (serialize(again) !== written) return 'is written differently the second time'
  // NaN is equal to itself here.
  if (plain !== undefined && !isDeepStrictEqual(plain, unserialize(written)) && written.length < 100_000)
    return plain !== undefined && hasFragment(kept) ? null : `changes its value in ${written}`
  return null
}

const hasFragment = (value: unknown): boolean => JSON.stringify(value)?.includes('"text":') ?? false

/**
 * Where PHP reads a text differently.
 * @param php what PHP writes for the text. @param rewritten what PHP writes for what this package has written.
 */
export function differenceFromPhp({ text, written }: Reading, php: PhpResult, rewritten: PhpResult): string | null {
  if (written === null) {
    if (php === null || isRefusedOnPurpose(text, php)) return null
    return 'is read by PHP, but not here'
  }
  // An enumeration is not read by a PHP that does not have it.
  if (php === null) return levelsOf(text) >= 512 || text.includes('E:') ? null : 'is read here, but not by PHP'
  if (rewritten === null) return `is written as ${written}, which PHP does not read`
  return php.equals(rewritten)
    ? null
    : `is for PHP ${php.toString('latin1')}, but after a change ${rewritten.toString('latin1')}`
}

/** References, text behind the value, levels beyond the limit, escaped keys, and odd counts of objects. */
function isRefusedOnPurpose(text: string, php: Buffer): boolean {
  return /[rR]:\d|S:\d|":[:+]/.test(text) || isFollowed(text, php) || levelsOf(text) >= 512
}

/** PHP ignores what follows a value. The value alone is read here as well. */
function isFollowed(text: string, php: Buffer): boolean {
  return php.length < encodeText(text).length + 64 && prefixIsRead(text)
}

function prefixIsRead(text: string): boolean {
  for (let end = text.length - 1; end > 0; end -= 1)
    if (/[;}]/.test(text.charAt(end - 1)) && unserializeForChange(text.slice(0, end)) !== undefined) return true
  return false
}

const levelsOf = (text: string): number => text.split('{').length - 1
