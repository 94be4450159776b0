import { typeOfValue } from '../../base/value-type.js'
import { StorageError } from '../storage-error.js'
import type { SqlValue } from './sql-connection.js'

/**
 * Every driver calls this for each value before it binds it. A native driver may end the whole process at a value of
 * another type: libsql 0.5 panics at a boolean.
 * @throws StorageError `constraint`
 */
export function requireSqlValue(value: unknown): asserts value is SqlValue | Uint8Array {
  if (typeof value === 'string' || typeof value === 'number' || value === null || value instanceof Uint8Array) return
  throw new StorageError(
    'constraint',
    `The database takes strings, numbers, null and bytes, and was given ${typeOfValue(value)}. Convert the value before it is stored or compared.`,
  )
}
