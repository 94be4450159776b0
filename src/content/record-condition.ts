import { isDeepStrictEqual } from 'node:util'
import { RejectedError } from '../http/rejected-error.js'
import { requireKnownFields } from '../base/known-fields.js'
import { typeOfValue } from '../base/value-type.js'
import type { RecordField, RecordFields, StoredRecord } from './record.js'
import type { NewMeta, RecordStatus, RecordTypeName } from './registered.js'
import { readingOf, type RecordReading } from './record-reading.js'

/** Values of fields of a record. */
interface ExpectedFields<T extends RecordTypeName> extends Partial<
  Omit<RecordFields<RecordTypeName, string>, 'type' | 'status' | 'meta'>
> {
  readonly type?: T
  readonly status?: RecordStatus<T>
  readonly meta?: NewMeta<T>
}

/** A condition on a record for an update or a deletion. It is checked in the transaction of the write. */
export interface RecordCondition<T extends RecordTypeName = RecordTypeName> {
  /** The values that these fields must have, such as `{ status: 'publish' }`. Of `meta`, the keys that are given are compared. */
  readonly if?: ExpectedFields<T> | undefined
  /**
   * The record as it was read: each of its fields must still have its value. `link` is not compared, nor is metadata that was
   * not read.
   */
  readonly if_unchanged?: Partial<StoredRecord> | undefined
}

/**
 * A record does not meet the condition of an update or a deletion: another request has changed it meanwhile. Nothing was
 * written. Unless the handler catches the error, the response has its code and message and the status 409.
 */
export class RecordConflictError extends RejectedError {
  override readonly name = 'RecordConflictError'
  override readonly status = 409
  readonly code = 'record_conflict'

  /** @param field the first field whose value differs. For metadata `meta.` and the key. */
  constructor(
    readonly id: number,
    readonly field: string,
  ) {
    super(`The record ${id} has changed: its ${field} is not the expected one.`)
  }
}

const conditionNames: ReadonlySet<string> = new Set(['if', 'if_unchanged'] satisfies (keyof RecordCondition)[])

/** The values that a record must have. */
export class ExpectedRecord {
  /** Reads the fields that are compared. */
  readonly reading: RecordReading
  readonly #expected: Partial<StoredRecord>

  private constructor(expected: Partial<StoredRecord>) {
    const { meta } = expected
    this.#expected = expected
    const fields = Object.keys(expected) as RecordField[]
    this.reading = readingOf(meta === undefined ? { fields } : { fields, meta_keys: Object.keys(meta) })
  }

  /**
   * @returns null without a condition.
   * @throws TypeError for what would be no condition by mistake: a misspelt name, an undefined field, nothing to compare, and
   *   what is not an object.
   * @throws RangeError for an unknown field.
   */
  static of(condition: RecordCondition): ExpectedRecord | null {
    requireKnownFields(condition, conditionNames, 'A condition on a record')
    const { if: values, if_unchanged: record } = condition
    if (values === undefined && record === undefined) return null
    if (values !== undefined) requireValues(values, `'if'`)
    if (record !== undefined) requireValues(record, `'if_unchanged'`)
    const { link: _, ...unchanged } = record ?? {}
    const meta = { ...unchanged.meta, ...values?.meta }
    const { meta: _meta, ...fields } = { ...unchanged, ...values }
    const expected = Object.keys(meta).length === 0 ? fields : { ...fields, meta }
    if (Object.keys(expected).length === 0) throw new TypeError('The condition compares no field of the record.')
    return new ExpectedRecord(expected)
  }

  /** @throws RecordConflictError for the first field that differs. */
  check(record: StoredRecord): void {
    const { meta = {}, ...fields } = this.#expected
    for (const [field, value] of Object.entries(fields))
      if (record[field as RecordField] !== value) throw new RecordConflictError(record.id, field)
    for (const [key, value] of Object.entries(meta))
      if (!isDeepStrictEqual(plain(record.meta[key]), plain(value)))
        throw new RecordConflictError(record.id, `meta.${key}`)
  }
}

function requireValues(values: unknown, name: string): void {
  if (typeof values !== 'object' || values === null)
    throw new TypeError(`${name} must be an object with fields of a record; it is ${typeOfValue(values)}.`)
  for (const [field, value] of Object.entries(values))
    if (value === undefined) throw new TypeError(`The field '${field}' of ${name} is undefined.`)
}

/** A value without the prototypes of its objects: maps from the database have none. */
function plain(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? (JSON.parse(JSON.stringify(value)) as unknown) : value
}
