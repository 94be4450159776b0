import type { MetaKeyOfType } from '../storage.js'
import { retry } from '../backoff.js'
import { StorageError } from '../storage-error.js'
import { withoutTimeLimit } from './migrate.js'
import { number, text } from './row-values.js'
import type { SqlConnection } from './sql-connection.js'
import type { SqlDatabase } from './sql-database.js'
import type { IndexedValues } from './sql-dialect.js'
import type { TableNames } from './table-names.js'

/**
 * Number of posts whose numbers are read in one transaction. After conflicts the transaction keeps all other writes out until it
 * ends, without a time limit, so this number bounds how long they wait.
 */
const batchSize = 2000

/** The keys of metadata whose numbers are in the table `indexed_values`, so that lists are read in their order from an index. */
export class IndexedMeta {
  readonly #keys = new Set<string>()

  has(type: string, key: string): boolean {
    return this.#keys.has(keyOf({ type, key }))
  }

  /**
   * Adds keys to the index, and reads their numbers. Processes that start together share the work, and the next process
   * continues the work of one that was ended in the middle.
   * @param onFill called before the numbers of posts are read that other transactions have committed.
   * @returns the declared keys without an index: a cluster adds none, and other transactions may hold up the work for too long.
   * @throws StorageError
   */
  async add(
    database: SqlDatabase,
    tables: TableNames,
    indexed: IndexedValues,
    declared: readonly MetaKeyOfType[],
    onFill: () => void,
  ): Promise<readonly MetaKeyOfType[]> {
    const { reader } = database
    const present = await readKeys(reader, tables)
    const missing = declared.filter((metaKey) => !present.has(keyOf(metaKey)))
    try {
      if (missing.length > 0 && (await isAvailable(reader, indexed)))
        await retryWhileBusy(() => insertKeys(database, tables, indexed, missing))
      await fillAll(database, tables, indexed, onFill)
    } catch (error) {
      if (!isBusy(error)) throw error
    }
    const stored = await readKeys(reader, tables)
    for (const metaKey of declared) if (stored.get(keyOf(metaKey))?.filledTo === null) this.#keys.add(keyOf(metaKey))
    return declared.filter(({ type, key }) => !this.has(type, key))
  }
}

const isBusy = (error: unknown): boolean => error instanceof StorageError && error.fault === 'busy'

/** Others may write the same rows again and again, or keep a transaction open. @throws StorageError `busy` after 30 seconds. */
const retryWhileBusy = <T>(attempt: () => Promise<T>): Promise<T> =>
  retry({ attempt, isTemporary: isBusy, limit: 30_000, first: 50, max: 1000 })

async function fillAll(
  database: SqlDatabase,
  tables: TableNames,
  indexed: IndexedValues,
  onFill: () => void,
): Promise<void> {
  const { reader } = database
  const unfilled = async () => [...(await readKeys(reader, tables)).values()].find(({ filledTo }) => filledTo !== null)
  for (let next = await unfilled(); next !== undefined; next = await unfilled()) {
    if (next.filledTo === 0 && (await reader.row(`SELECT ID FROM ${tables.posts} LIMIT 1`)) !== null) onFill()
    while (!(await retryWhileBusy(() => fillNext(database, tables, indexed, next)))) {}
  }
}

/** Databases compare keys without case. Types have no spaces. */
const keyOf = ({ type, key }: MetaKeyOfType): string => `${type} ${key}`.toLowerCase()

interface StoredKey extends MetaKeyOfType {
  /** The id up to which posts have their numbers; null for all. */
  readonly filledTo: number | null
}

async function readKeys(
  reader: Pick<SqlConnection, 'query'>,
  { indexed_keys }: TableNames,
): Promise<ReadonlyMap<string, StoredKey>> {
  const rows = await reader.query(
    `SELECT post_type, meta_key, filled_to FROM ${indexed_keys} WHERE post_type <> '' ORDER BY post_type, meta_key`,
  )
  return new Map(
    rows.map(([postType, metaKey, filledTo]) => {
      const [type, key] = [text(postType), text(metaKey)]
      return [keyOf({ type, key }), { type, key, filledTo: filledTo == null ? null : number(filledTo) }]
    }),
  )
}

async function isAvailable(reader: Pick<SqlConnection, 'row'>, indexed: IndexedValues): Promise<boolean> {
  return indexed.availableQuery === null || number((await reader.row(indexed.availableQuery))?.[0]) === 1
}

/** Inserts the keys. After the commit, triggers keep the numbers of every later write. */
async function insertKeys(
  database: SqlDatabase,
  tables: TableNames,
  indexed: IndexedValues,
  keys: readonly MetaKeyOfType[],
): Promise<void> {
  const insert = database.dialect.insertUnlessExists(tables.indexed_keys, ['post_type', 'meta_key', 'filled_to'])
  await database.write(async (connection) => {
    for (const statement of indexed.lockWrites(tables)) await connection.execute(statement)
    for (const { type, key } of keys) await connection.execute(insert, [type, key, 0])
  })
}

/** Reads the numbers of the next posts. @returns whether all posts have theirs. */
async function fillNext(
  database: SqlDatabase,
  tables: TableNames,
  indexed: IndexedValues,
  { type, key }: MetaKeyOfType,
): Promise<boolean> {
  const { indexed_keys } = tables
  const ofKey = 'WHERE post_type = ? AND meta_key = ?'
  return withoutTimeLimit(database, async (connection) => {
    await connection.lock(['indexed values'])
    // Others have committed what they wrote under the lock. A read in this transaction would lock the row on MariaDB.
    const row = await database.reader.row(`SELECT filled_to FROM ${indexed_keys} ${ofKey}`, [type, key])
    if (row?.[0] == null) return true
    const after = number(row[0])
    const ids = await connection.query(indexed.nextIds(tables, batchSize), [after])
    const last = ids.length === 0 ? null : number(ids.at(-1)?.[0])
    // Metadata may belong to no post.
    const range = { type, key, after, last: last ?? Number.MAX_SAFE_INTEGER }
    const lock = indexed.lockRange(tables, range)
    await connection.query(lock.text, lock.values)
    for (const statement of indexed.fill(tables, range)) await connection.execute(statement.text, statement.values)
    await connection.execute(`UPDATE ${indexed_keys} SET filled_to = ? ${ofKey}`, [last, type, key])
    return last === null
  })
}
