import { mapMaybePromise, type MaybePromise } from '../../base/maybe-promise.js'
import type { RowVersion } from '../storage.js'
import { number, text } from './row-values.js'
import type { SqlReader, SqlRow, SqlValue } from './sql-connection.js'

/** A sum that exceeds the whole numbers of JavaScript comes as text. */
const versionOf = (value: SqlValue | undefined): RowVersion =>
  typeof value === 'string' ? BigInt(value) : number(value)

/** @param query `SqlDialect.versions`: each tag with its version. */
export function readVersions(reader: SqlReader, query: string): MaybePromise<ReadonlyMap<string, RowVersion>> {
  return mapMaybePromise(reader.query(query), versionsOf)
}

/** @param rows tags with their versions. */
export const versionsOf = (rows: readonly SqlRow[]): ReadonlyMap<string, RowVersion> =>
  new Map(rows.map(([tag, version]) => [text(tag), versionOf(version)]))
