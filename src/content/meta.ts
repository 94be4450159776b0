import { valuesOf } from '../php/array-shape.js'
import { toBoolean, toFloat, toInteger, toText } from '../php/cast.js'
import { maybeSerialize, maybeUnserialize } from '../php/serialize.js'
import { isUtf8 } from '../php/text.js'
import type { MetaEntry } from '../database/storage.js'
import { RecordRejectedError } from './record.js'
import type { MetaDeclaration, MetaType, RecordType } from './record-type.js'

/** Maximum length of a key, in characters. */
const maxKeyLength = 255

/** A metadata row without its id: the value is PHP-serialised when it is not a scalar. */
export type SerializedMeta = readonly [key: string, value: string | null]

/**
 * Metadata in the form in which the table stores it. Undefined values are left out.
 * @throws RecordRejectedError for a key that the table cannot store, a value that is not valid UTF-8, and a list or map with NaN
 * or an infinite number at any depth.
 * @throws TypeError for a function or an instance of a class, such as a `Date`.
 * @throws RangeError for a value that is nested too deeply.
 */
export function serializedMeta(meta: Readonly<Record<string, unknown>>): SerializedMeta[] {
  return Object.entries(meta).flatMap(([key, value]) => {
    if (value === undefined) return []
    if (key === '' || [...key].length > maxKeyLength || !isUtf8(key))
      throw new RecordRejectedError('invalid_meta_key', 'A metadata key must have 1 to 255 characters.')
    const text = serialized(key, value)
    // A number by itself needs no check: an infinite one is stored as the text `INF`, which JSON can represent.
    if (typeof value === 'object') requireFinite(value, `meta.${key}`)
    if (text !== null && !isUtf8(text))
      throw new RecordRejectedError('invalid_meta_value', `The metadata value of ${key} is not valid UTF-8.`)
    return [[key, text] as const]
  })
}

/**
 * JSON has no NaN and no infinity: a record that has one could not be sent.
 * @param value one that can be serialised: it does not contain itself.
 * @param path names the value in the message: `meta.prices[0][eu]`.
 * @throws RecordRejectedError `invalid_meta_value`.
 */
export function requireFinite(value: unknown, path: string): void {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new RecordRejectedError('invalid_meta_value', `${path} is ${value}, which is not a finite number.`)
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) requireFinite(member, `${path}[${name}]`)
}

function serialized(key: string, value: unknown): string | null {
  try {
    return maybeSerialize(value)
  } catch (error) {
    if (value instanceof Date)
      throw new TypeError(`The metadata value of ${key} is a Date. Store text: toISOString() returns it.`, {
        cause: error,
      })
    if (error instanceof TypeError)
      throw new TypeError(`The metadata value of ${key}: ${error.message}`, { cause: error })
    throw error
  }
}

/**
 * The first value of each metadata key. A value has the type that the record type registers for its key. A key without
 * value has its registered default. The object has no prototype, so that a key such as `__proto__` is an ordinary key.
 * @param keys the keys that were read, which limit the defaults; `null`: all keys.
 */
export function readMeta(
  entries: readonly MetaEntry[],
  type: Pick<RecordType, 'meta'> | null,
  keys: readonly string[] | null = null,
): Record<string, unknown> {
  const meta = Object.create(null) as Record<string, unknown>
  for (const { key, value } of entries) {
    if (key in meta) continue
    const declaration = type?.meta.get(key)
    meta[key] = declaration ? typedMeta(value, declaration) : untypedValue(value)
  }
  for (const [key, { default: value }] of type?.meta ?? []) {
    if (value !== undefined && !(key in meta) && (keys === null || keys.includes(key))) meta[key] = copyOf(value)
  }
  return meta
}

/**
 * A copy of a registered default. Handlers may change the values of a record, and that must not change the next record.
 * The start refuses defaults that JSON cannot represent, so a copy through JSON is complete.
 */
function copyOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.parse(JSON.stringify(value)) : value
}

/** The value as WordPress returns it: SQL NULL is `''`. */
function untypedValue(text: string | null): unknown {
  return maybeUnserialize(text) ?? ''
}

const readers: Readonly<Record<MetaType, (text: string | null) => unknown>> = {
  number: (text) => finiteOrZero(toFloat(untypedValue(text))),
  integer: (text) => toInteger(untypedValue(text)),
  boolean: (text) => toBoolean(untypedValue(text)),
  string: (text) => toText(untypedValue(text)),
  array: (text) => listOf(untypedValue(text)),
  object: (text) => mapOf(untypedValue(text)),
}

/** A stored text as the type of its declaration. */
export function typedMeta(text: string | null, { type }: MetaDeclaration): unknown {
  return readers[type](text)
}

/** JSON has no infinity. PHP reads the text `INF` as 0 too. */
function finiteOrZero(number: number): number {
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
