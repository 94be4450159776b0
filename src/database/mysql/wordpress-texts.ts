import { text } from '../sql/row-values.js'
import type { TableNames } from '../sql/table-names.js'
import type { MysqlConnections } from './mysql-connections.js'

/** How the columns of a WordPress site store and compare texts. */
export interface WordPressTexts {
  /** See `OpenedStorage.narrowColumns`. */
  readonly narrowColumns: ReadonlySet<string>
  /** Whether the titles of posts are compared without accents. */
  readonly ignoresAccents: boolean
}

/** Collations that compare bytes, or distinguish accents. */
const withAccents = /_bin$|_as_/

export async function textsOf(
  connections: MysqlConnections,
  { posts, postmeta }: Pick<TableNames, 'posts' | 'postmeta'>,
): Promise<WordPressTexts> {
  const { rows } = await connections.read(
    `SELECT table_name, column_name, character_set_name, collation_name FROM information_schema.columns
    WHERE table_schema = DATABASE() AND table_name IN (?, ?) AND character_set_name IS NOT NULL`,
    [posts, postmeta],
  )
  const columns = rows.map((row) => {
    const [table = '', column = '', charset = '', collation = ''] = row.map(text)
    return { name: `${table === posts ? 'posts' : 'postmeta'}.${column}`, charset, collation }
  })
  const title = columns.find(({ name }) => name === 'posts.post_title')
  return {
    narrowColumns: new Set(columns.filter(({ charset }) => /^utf8(?:mb3)?$/.test(charset)).map(({ name }) => name)),
    ignoresAccents: title !== undefined && !withAccents.test(title.collation),
  }
}
