import type { TableNames } from '../sql/table-names.js'
import type { WriterLocks } from './writer-locks.js'

const siteOption = `option_name = 'siteurl'`
const mark = ' locked'

/**
 * Locks in the tables of WordPress, which have no rows for locks: a post or a user by its row, and everything else, such as
 * slugs, by the row of the option `siteurl`, so that one writer at a time chooses a name. PHP takes none of these locks.
 * @param isGalera whether the server is a node of a Galera cluster. There the lock of a statement that writes nothing holds on one
 *   node only, so the row of the option is changed and changed back.
 */
export function siteLocks(tables: TableNames, isGalera: boolean): WriterLocks {
  const { options, posts, users } = tables
  // Each id makes another text, so it begins with a comment, which keeps it from being prepared.
  const row = (table: string, id: number): string => `/* lock */ SELECT ID FROM ${table} WHERE ID = ${id} FOR UPDATE`
  const site = isGalera
    ? [
        `/* lock */ UPDATE ${options} SET autoload = CONCAT(autoload, '${mark}') WHERE ${siteOption}`,
        `/* lock */ UPDATE ${options} SET autoload = TRIM(TRAILING '${mark}' FROM autoload) WHERE ${siteOption}`,
      ]
    : [`/* lock */ SELECT option_id FROM ${options} WHERE ${siteOption} FOR UPDATE`]
  /** The table of the row that is locked for a name, by the beginning of the name. An id follows: `post:5`. */
  const tableOf: Readonly<Record<string, string>> = {
    'post:': posts,
    'user:': users,
    [`${tables.postmeta} `]: posts,
    [`${tables.term_relationships} `]: posts,
    [`${tables.usermeta} `]: users,
  }
  const rowOf = (name: string): { readonly table: string; readonly id: number } | null => {
    const [, kind = '', digits = ''] = /^(.*?[: ])(\d{1,15})$/.exec(name) ?? []
    const table = tableOf[kind]
    return table === undefined ? null : { table, id: Number(digits) }
  }
  return {
    ofNames(names) {
      const namedRows = names.map(rowOf)
      const ids = (table: string): number[] =>
        [...new Set(namedRows.flatMap((named) => (named?.table === table ? [named.id] : [])))].toSorted((a, b) => a - b)
      return [
        // The site comes first, and rows are in one order, so that writers wait for each other and rarely fail.
        ...(namedRows.includes(null) ? site : []),
        ...[posts, users].flatMap((table) => ids(table).map((id) => row(table, id))),
      ]
    },
    ofRepeatedWork: site,
    unlocked: null,
  }
}
