import { postColumns } from '../sql/post-columns.js'
import type { TableNames } from '../sql/table-names.js'
import { userColumns } from '../sql/user-rows.js'

/** A table whose rows are copied, exported and imported. */
export interface MovedTable {
  readonly name: keyof TableNames
  /** In the order in which they are written to a file. The columns of the key come first. */
  readonly columns: readonly MovedColumn[]
  /** The number of columns of the primary key, which are whole numbers. */
  readonly keyLength: 1 | 2
  /** Whether a file of an older program may lack it. */
  readonly isNew: boolean
}

export interface MovedColumn {
  readonly name: string
  readonly kind: 'number' | 'text'
  readonly isNullable: boolean
}

/** The column whose values the table generates; null for a relationship, whose key is two ids of other tables. */
export const generatedKey = ({ keyLength, columns }: MovedTable): string | null =>
  keyLength === 1 ? (columns[0]?.name ?? null) : null

const numbers = new Set([
  'ID',
  'post_author',
  'post_parent',
  'menu_order',
  'comment_count',
  'meta_id',
  'umeta_id',
  'post_id',
  'user_id',
  'user_status',
  'term_id',
  'term_group',
  'term_taxonomy_id',
  'parent',
  'count',
  'object_id',
  'term_order',
  'option_id',
  'id',
  'due_at',
  'attempts',
  'created_at',
])

function table(
  name: keyof TableNames,
  columns: readonly string[],
  { keyLength = 1, isNew = false }: Partial<Pick<MovedTable, 'keyLength' | 'isNew'>> = {},
): MovedTable {
  return {
    name,
    keyLength,
    isNew,
    columns: columns.map((column) => ({
      name: column,
      kind: numbers.has(column) ? 'number' : 'text',
      isNullable: column === 'meta_key' || column === 'meta_value',
    })),
  }
}

/**
 * The tables in the order in which they are filled: triggers look up the type of a record when its metadata are written. The
 * counters of writes are not among them: the triggers of the new database count its writes.
 */
export const movedTables: readonly MovedTable[] = [
  table('options', ['option_id', 'option_name', 'option_value', 'autoload']),
  table('users', userColumns),
  table('usermeta', ['umeta_id', 'user_id', 'meta_key', 'meta_value']),
  table('terms', ['term_id', 'name', 'slug', 'term_group']),
  table('termmeta', ['meta_id', 'term_id', 'meta_key', 'meta_value']),
  table('term_taxonomy', ['term_taxonomy_id', 'term_id', 'taxonomy', 'description', 'parent', 'count']),
  table('posts', postColumns),
  table('postmeta', ['meta_id', 'post_id', 'meta_key', 'meta_value']),
  table('term_relationships', ['object_id', 'term_taxonomy_id', 'term_order'], { keyLength: 2 }),
  table(
    'jobs',
    ['id', 'name', 'payload', 'state', 'due_at', 'holder', 'attempts', 'error', 'request_id', 'created_at'],
    { isNew: true },
  ),
]

export const columnNames = ({ columns }: MovedTable): readonly string[] => columns.map(({ name }) => name)
