import { mapMaybePromise, type MaybePromise } from '../../base/maybe-promise.js'
import type { RowVersion } from '../storage.js'
import { number, text } from './row-values.js'
import type { SqlReader, SqlValue } from './sql-connection.js'

/** A sum that exceeds the whole numbers of JavaScript comes as text. */
const versionOf = (value: SqlValue | undefined): RowVersion =>
  typeof value === 'string' ? BigInt(value) : number(value)

/** @param query of each tag with its version. */
export function readVersions(reader: SqlReader, query: string): MaybePromise<ReadonlyMap<string, RowVersion>> {
  return mapMaybePromise(
    reader.query(query),
    (rows) => new Map(rows.map(([tag, version]) => [text(tag), versionOf(version)])),
  )
}
