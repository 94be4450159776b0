import { number } from '../sql/row-values.js'
import type { SqlDialect } from '../sql/sql-dialect.js'
import type { SqlStore } from '../sql/sql-store.js'
import type { TableNames } from '../sql/table-names.js'
import { recountStatement } from '../sql/term-counts.js'
import type { DatabaseFault } from './database-fault.js'
import { generatedKey, movedTables } from './moved-table.js'

/** A condition that no row may meet. */
interface Rule {
  readonly table: string
  /** The column whose lowest value the sentence names. */
  readonly key: string
  /** Of the rows of `table r`. */
  readonly condition: string
  /** The fault of the rows, as the end of a sentence: `belong to no record`. */
  readonly predicate: string
  readonly remedy: string
}

/** Rows that refer to missing rows, wrong counts, names that exist twice, and ids that the database will generate again. */
export async function dataFaults(store: SqlStore): Promise<readonly DatabaseFault[]> {
  const { database, tables } = store
  const faults: DatabaseFault[] = []
  for (const { table, key, condition, predicate, remedy } of [
    ...rulesOf(tables),
    ...(database.dialect.hasLists ? rulesOfLists(tables, database.dialect) : []),
  ]) {
    // JavaScript cannot read larger numbers exactly.
    const firstKey = `MIN(CASE WHEN r.${key} <= ${Number.MAX_SAFE_INTEGER} THEN r.${key} END)`
    const query = `SELECT COUNT(*), ${firstKey} FROM ${table} r WHERE ${condition}`
    const [count, first] = (await database.reader.row(query)) ?? []
    if (number(count) === 0) continue
    const firstRow = first == null ? '' : ` The first one has the ${key} ${first}.`
    faults.push({
      sentence: `Rows of ${table} that ${predicate}: ${number(count)}.${firstRow}`,
      remedy: remedy.replaceAll(/\s+/g, ' '),
    })
  }
  return [...faults, ...(await repeatedIds(store))]
}

function rulesOf(t: TableNames): readonly Rule[] {
  return [
    orphans(t.postmeta, 'meta_id', 'post_id', t.posts, 'ID', 'belong to no record'),
    orphans(t.usermeta, 'umeta_id', 'user_id', t.users, 'ID', 'belong to no user'),
    orphans(t.termmeta, 'meta_id', 'term_id', t.terms, 'term_id', 'belong to no term'),
    orphans(t.term_taxonomy, 'term_taxonomy_id', 'term_id', t.terms, 'term_id', 'belong to no term'),
    orphans(t.terms, 'term_id', 'term_id', t.term_taxonomy, 'term_id', 'belong to no taxonomy'),
    orphans(t.term_relationships, 'object_id', 'object_id', t.posts, 'ID', 'give a term to no record'),
    orphans(
      t.term_relationships,
      'object_id',
      'term_taxonomy_id',
      t.term_taxonomy,
      'term_taxonomy_id',
      'give a record no term',
    ),
    {
      table: t.posts,
      key: 'ID',
      condition: `r.post_parent <> 0 AND ${isMissing(t.posts, 'ID', 'post_parent')}`,
      predicate: 'have a parent that does not exist',
      remedy: `${restoreFirst(t.posts)} UPDATE ${t.posts} SET post_parent = 0 WHERE post_parent <> 0 AND post_parent NOT IN
        (SELECT ID FROM (SELECT ID FROM ${t.posts}) o)`,
    },
    {
      table: t.term_taxonomy,
      key: 'term_taxonomy_id',
      condition: `r.parent <> 0 AND NOT EXISTS
        (SELECT 1 FROM ${t.term_taxonomy} o WHERE o.term_id = r.parent AND o.taxonomy = r.taxonomy)`,
      predicate: 'have a parent that does not exist in their taxonomy',
      remedy: `${restoreFirst(t.term_taxonomy)} UPDATE ${t.term_taxonomy} SET parent = 0 WHERE parent <> 0 AND term_taxonomy_id IN
        (SELECT id FROM (SELECT r.term_taxonomy_id AS id FROM ${t.term_taxonomy} r WHERE NOT EXISTS
        (SELECT 1 FROM ${t.term_taxonomy} o WHERE o.term_id = r.parent AND o.taxonomy = r.taxonomy)) w)`,
    },
    {
      table: t.term_taxonomy,
      key: 'term_taxonomy_id',
      condition: `r.count <> (SELECT COUNT(*) FROM ${t.term_relationships} o JOIN ${t.posts} p ON p.ID = o.object_id
        WHERE o.term_taxonomy_id = r.term_taxonomy_id AND p.post_status = 'publish')`,
      predicate: 'have a count that is not the number of published records',
      remedy: recountStatement(t),
    },
    ...['user_login', 'user_email', 'user_nicename'].map((column) => ({
      table: t.users,
      key: 'ID',
      condition: `r.${column} <> '' AND r.${column} IN
        (SELECT o.${column} FROM ${t.users} o GROUP BY o.${column} HAVING COUNT(*) > 1)`,
      predicate: `have a ${column} that another row has as well`,
      remedy: `Change the ${column} of all but one of them.`,
    })),
    {
      table: t.users,
      key: 'ID',
      condition: `r.user_login = ''`,
      predicate: 'have no user_login',
      remedy: 'Give each of them a login, or delete it.',
    },
    ...movedTables.flatMap((table) => {
      const key = generatedKey(table)
      if (key === null) return []
      return {
        table: t[table.name],
        key,
        condition: `(r.${key} < 1 OR r.${key} > ${Number.MAX_SAFE_INTEGER})`,
        predicate: 'have an id that is too small or too large',
        remedy: 'Give each of them a free id, also in the rows that refer to it, or delete it.',
      }
    }),
  ]
}

/** Rules for the tables that triggers keep up to date. A fault: the triggers were missing or disabled while others wrote. */
function rulesOfLists(t: TableNames, { asNumber }: SqlDialect): readonly Rule[] {
  const ofGroup = (row: string): string => `${row}.post_type = r.post_type AND ${row}.post_status = r.post_status`
  const ofTerm = (row: string): string => `${row}.term_taxonomy_id = r.term_taxonomy_id AND ${ofGroup(row)}`
  const remedy = 'Run: as-rest-route db check --changed'
  return [
    {
      table: t.counts,
      key: 'term_taxonomy_id',
      condition: `NOT EXISTS (SELECT 1 FROM ${t.counts} o WHERE ${ofTerm('o')} AND o.slot < r.slot)
        AND (SELECT SUM(o.n) FROM ${t.counts} o WHERE ${ofTerm('o')}) <> CASE WHEN r.term_taxonomy_id = 0
        THEN (SELECT COUNT(*) FROM ${t.posts} p WHERE ${ofGroup('p')})
        ELSE (SELECT COUNT(*) FROM ${t.listed} l WHERE ${ofTerm('l')}) END`,
      predicate: 'do not say how many records there are',
      remedy,
    },
    {
      table: t.posts,
      key: 'ID',
      condition: `NOT EXISTS (SELECT 1 FROM ${t.counts} o WHERE o.term_taxonomy_id = 0 AND ${ofGroup('o')})`,
      predicate: `are not counted in ${t.counts}`,
      remedy,
    },
    {
      table: t.term_relationships,
      key: 'object_id',
      condition: `r.term_taxonomy_id <> 0 AND EXISTS (SELECT 1 FROM ${t.posts} p WHERE p.ID = r.object_id AND NOT EXISTS (SELECT 1 FROM ${t.listed} l
        WHERE l.post_id = r.object_id AND l.term_taxonomy_id = r.term_taxonomy_id AND l.post_type = p.post_type
        AND l.post_status = p.post_status AND l.post_date = p.post_date))`,
      predicate: `are not in ${t.listed} with the type, status and date of their record`,
      remedy,
    },
    {
      table: t.listed,
      key: 'post_id',
      condition: `NOT EXISTS (SELECT 1 FROM ${t.term_relationships} o
        WHERE o.object_id = r.post_id AND o.term_taxonomy_id = r.term_taxonomy_id)`,
      predicate: 'belong to no term of a record',
      remedy,
    },
    // `COALESCE` and `+ 0` make MariaDB use the index that begins with the record. With another, it reads all rows for each record.
    {
      table: t.posts,
      key: 'ID',
      condition: `EXISTS (SELECT 1 FROM ${t.indexed_keys} k WHERE k.post_type = r.post_type AND k.filled_to IS NULL
        AND NOT EXISTS (SELECT 1 FROM ${t.indexed_values} v WHERE v.post_id = r.ID AND v.meta_key = k.meta_key
        AND v.post_type = r.post_type AND v.post_status = r.post_status AND v.value = COALESCE((SELECT ${asNumber('m.meta_value')}
        FROM ${t.postmeta} m WHERE m.post_id = r.ID AND COALESCE(m.meta_key, m.meta_key) = k.meta_key ORDER BY m.meta_id + 0 LIMIT 1), 0)))`,
      predicate: `are not in ${t.indexed_values} with their type, status and number`,
      remedy,
    },
    {
      table: t.indexed_values,
      key: 'post_id',
      condition: `NOT EXISTS (SELECT 1 FROM ${t.posts} p JOIN ${t.indexed_keys} k ON k.post_type = p.post_type
        WHERE p.ID = r.post_id AND k.meta_key = r.meta_key)
        AND NOT (r.post_type = '' AND EXISTS (SELECT 1 FROM ${t.postmeta} m WHERE m.post_id = r.post_id AND m.meta_key = r.meta_key))`,
      predicate: 'belong to no record with an indexed key',
      remedy,
    },
  ]
}

/** Rows of `table` whose `column` is not a key of another table. */
function orphans(table: string, key: string, column: string, owner: string, ownerKey: string, predicate: string): Rule {
  return {
    table,
    key,
    condition: isMissing(owner, ownerKey, column),
    predicate,
    remedy: `${restoreFirst(owner)} DELETE FROM ${table} WHERE ${column} NOT IN (SELECT ${ownerKey} FROM ${owner})`,
  }
}

/** Rows that refer to lost rows are worth keeping while those can be restored. */
const restoreFirst = (table: string): string => `If rows of ${table} were lost, restore them. If not:`

const isMissing = (owner: string, ownerKey: string, column: string): string =>
  `NOT EXISTS (SELECT 1 FROM ${owner} o WHERE o.${ownerKey} = r.${column})`

/** Tables that would generate the id of an existing row for the next one. */
async function repeatedIds({ database, tables }: SqlStore): Promise<readonly DatabaseFault[]> {
  const { reader, dialect } = database
  const faults: DatabaseFault[] = []
  for (const table of movedTables) {
    const key = generatedKey(table)
    if (key === null) continue
    const name = tables[table.name]
    const query = `SELECT MAX(${key}) FROM ${name} WHERE ${key} <= ${Number.MAX_SAFE_INTEGER}`
    const highest = number((await reader.row(query))?.[0])
    const last = number((await reader.row(dialect.maintenance.lastId(name, key)))?.[0])
    if (last >= highest) continue
    faults.push({
      sentence: `The next id of ${name} is ${last + 1}, and rows have ids up to ${highest}: new rows will be refused.`,
      remedy: dialect.maintenance.setLastId(name, key, highest).join('; '),
    })
  }
  return faults
}
