import { valuesOf } from '../php/array-shape.js'
import { toBoolean, toFloat, toInteger, toText } from '../php/cast.js'
import { maybeSerialize, maybeUnserialize } from '../php/serialize.js'
import { isUtf8 } from '../php/text.js'
import type { MetaEntry } from '../database/storage.js'
import { RecordRejectedError } from './record.js'
import type { MetaDeclaration, MetaType, RecordType } from './record-type.js'

const maxKeyLength = 255

export type StoredMeta = readonly [key: string, value: string | null]

/**
 * Metadata as it is stored, ready to be written: undefined values left out.
 * @throws RecordRejectedError for a key that the table does not take or a value that is not valid UTF-8.
 */
export function storedMeta(meta: Readonly<Record<string, unknown>>): StoredMeta[] {
  return Object.entries(meta).flatMap(([key, value]) => {
    if (value === undefined) return []
    if (key === '' || [...key].length > maxKeyLength || !isUtf8(key))
      throw new RecordRejectedError('invalid_meta_key', 'A metadata key must have 1 to 255 characters.')
    const text = maybeSerialize(value)
    if (text !== null && !isUtf8(text))
      throw new RecordRejectedError('invalid_meta_value', `The metadata value of ${key} is not valid UTF-8.`)
    return [[key, text] as const]
  })
}

/**
 * The first value of each key, typed where the type of record registered it. Has no prototype.
 * @param keys that were read, for a registered default to stand in where there is no value; `null`: all.
 */
export function readMeta(
  entries: readonly MetaEntry[],
  type: RecordType | null,
  keys: readonly string[] | null = null,
): Record<string, unknown> {
  const meta = Object.create(null) as Record<string, unknown>
  for (const { key, value } of entries) {
    if (key in meta) continue
    const declaration = type?.meta.get(key)
    meta[key] = declaration ? typed(value, declaration) : plain(value)
  }
  for (const [key, { default: value }] of type?.meta ?? []) {
    if (value !== undefined && !(key in meta) && (keys === null || keys.includes(key))) meta[key] = ownCopy(value)
  }
  return meta
}

/** Whoever gets a record may change what is in it, and the next one must not see that. JSON says all of it: see the start. */
function ownCopy(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.parse(JSON.stringify(value)) : value
}

/** What WordPress gives: SQL NULL reads as nothing. */
function plain(stored: string | null): unknown {
  return maybeUnserialize(stored) ?? ''
}

const readers: Readonly<Record<MetaType, (stored: string | null) => unknown>> = {
  number: (stored) => finite(toFloat(plain(stored))),
  integer: (stored) => toInteger(plain(stored)),
  boolean: (stored) => toBoolean(plain(stored)),
  string: (stored) => toText(plain(stored)),
  array: (stored) => listOf(plain(stored)),
  object: (stored) => mapOf(plain(stored)),
}

function typed(stored: string | null, { type }: MetaDeclaration): unknown {
  return readers[type](stored)
}

/** JSON knows no infinity; the text `INF` is not a number either (recorded: `(float)"INF"` is 0). */
function finite(number: number): number {
  return Number.isFinite(number) ? number : 0
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as unknown[]
  if (typeof value === 'object' && value !== null) return valuesOf(value)
  return value === '' ? [] : [value]
}

function mapOf(value: unknown): object {
  return Object.assign(Object.create(null) as object, typeof value === 'object' ? value : null)
}
