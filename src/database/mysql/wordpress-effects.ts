import type { RowEffects } from '../sql/row-effects.js'
import { number, placeholders, text } from '../sql/row-values.js'
import type { SqlTransaction } from '../sql/sql-connection.js'
import type { TableNames } from '../sql/table-names.js'

/** Maximum number of rows of one statement. */
const maxChunk = 500

/** Up to this number of users, WordPress counts them with each change: the default of `wp_is_large_user_count`. */
const maxCountedUsers = 10_000

/**
 * The effects of writes on rows that WordPress keeps beside posts, terms and users: the comments of a post, sticky posts, the tree
 * of a taxonomy, the links and the number of users, and how options are loaded.
 */
export function wordpressEffects(tables: TableNames, prefix: string): RowEffects {
  const optionWrites = new OptionWrites(tables.options)
  return {
    ...effectsOfPosts(tables, prefix, optionWrites),
    changedTerms: effectOfTerms(tables, optionWrites),
    ...effectsOfUsers(tables, prefix),
    async writeOption(connection, name, value, isAutoloaded) {
      if (await optionWrites.update(connection, name, value)) return
      const { loaded, notLoaded } = await optionWrites.autoloadWords(connection)
      await optionWrites.insert(connection, name, value, isAutoloaded ? loaded : notLoaded)
    },
  }
}

/** The `db_version` of WordPress 6.6, which is also that of 6.5. 6.6 stores options with the newer words of `autoload`. */
const versionOf66 = 57_155

/** The words for options that WordPress loads with every request, and for others. */
interface AutoloadWords {
  readonly loaded: string
  readonly notLoaded: string
}

/** Writes of the options table. */
class OptionWrites {
  readonly #table: string

  constructor(table: string) {
    this.#table = table
  }

  /** @returns whether the option exists. */
  async update(connection: SqlTransaction, name: string, value: string): Promise<boolean> {
    const statement = `UPDATE ${this.#table} SET option_value = ? WHERE option_name = ?`
    return (await connection.execute(statement, [value, name])) > 0
  }

  async insert(connection: SqlTransaction, name: string, value: string, autoload: string): Promise<void> {
    await connection.execute(
      `INSERT INTO ${this.#table} (option_name, option_value, autoload) VALUES (?, ?, ?)
        ON DUPLICATE KEY UPDATE option_value = VALUES(option_value)`,
      [name, value, autoload],
    )
  }

  /**
   * The words of the installed WordPress. Before 6.6 it has other words, which newer versions still read. It does not read the
   * newer ones.
   */
  async autoloadWords(connection: SqlTransaction): Promise<AutoloadWords> {
    const row = await connection.row(`SELECT option_value FROM ${this.#table} WHERE option_name = 'db_version'`)
    const version = number(row?.[0] ?? null)
    const isNewer = version === versionOf66 ? await this.#hasNewerWord(connection) : version > versionOf66
    return isNewer ? { loaded: 'auto', notLoaded: 'off' } : { loaded: 'yes', notLoaded: 'no' }
  }

  async #hasNewerWord(connection: SqlTransaction): Promise<boolean> {
    const row = await connection.row(
      `SELECT 1 FROM ${this.#table} WHERE autoload IN ('on', 'off', 'auto', 'auto-on', 'auto-off') LIMIT 1`,
    )
    return row !== null
  }
}

function effectsOfPosts(
  { options, posts }: TableNames,
  prefix: string,
  optionWrites: OptionWrites,
): Pick<RowEffects, 'deletingPost' | 'trashedPost' | 'restoredComments'> {
  const comments = `${prefix}comments`
  const commentmeta = `${prefix}commentmeta`

  const leaveSettings = removalFromSettings({ options, posts }, optionWrites)
  return {
    async deletingPost(connection, id) {
      await connection.execute(
        `DELETE m FROM ${commentmeta} m JOIN ${comments} c ON c.comment_ID = m.comment_id WHERE c.comment_post_ID = ?`,
        [id],
      )
      await connection.execute(`DELETE FROM ${comments} WHERE comment_post_ID = ?`, [id])
      await leaveSettings(connection, id)
    },
    async trashedPost(connection, id) {
      await leaveSettings(connection, id)
      const rows = await connection.query(
        `SELECT comment_ID, comment_approved FROM ${comments} WHERE comment_post_ID = ? ORDER BY comment_ID`,
        [id],
      )
      if (rows.length > 0)
        await connection.execute(`UPDATE ${comments} SET comment_approved = 'post-trashed' WHERE comment_post_ID = ?`, [
          id,
        ])
      return new Map(rows.map(([comment, status]) => [number(comment), text(status)]))
    },
    async restoredComments(connection, statuses) {
      const byStatus = new Map<string, number[]>()
      for (const [comment, status] of statuses) {
        const ids = byStatus.get(status)
        if (ids) ids.push(comment)
        else byStatus.set(status, [comment])
      }
      for (const [status, ids] of byStatus)
        for (let start = 0; start < ids.length; start += maxChunk) {
          const chunk = ids.slice(start, start + maxChunk)
          await connection.execute(
            `UPDATE ${comments} SET comment_approved = ? WHERE comment_ID IN (${placeholders(chunk.length)})`,
            [status, ...chunk],
          )
        }
    },
  }
}

/** Removes a post that is deleted or in the trash from the sticky posts, and a page from the settings of the front page. */
function removalFromSettings({ options, posts }: Pick<TableNames, 'options' | 'posts'>, optionWrites: OptionWrites) {
  const isPage = async (connection: SqlTransaction, id: number): Promise<boolean> =>
    (await connection.row(`SELECT 1 FROM ${posts} WHERE ID = ? AND post_type = 'page'`, [id])) !== null
  return async (connection: SqlTransaction, id: number): Promise<void> => {
    const rows = await connection.query(
      `SELECT option_name, option_value FROM ${options} WHERE option_name IN ('sticky_posts', 'page_on_front', 'page_for_posts')`,
    )
    const settings = new Map(rows.map(([name, value]) => [text(name), text(value)]))
    const stickyIds = listIn(settings.get('sticky_posts') ?? '')
    if (stickyIds?.includes(id) === true)
      await optionWrites.update(connection, 'sticky_posts', listText(stickyIds.filter((stickyId) => stickyId !== id)))
    const pageOptions = ['page_on_front', 'page_for_posts'].filter((name) => Number(settings.get(name)) === id)
    if (pageOptions.length === 0 || !(await isPage(connection, id))) return
    if (pageOptions.includes('page_on_front')) await optionWrites.update(connection, 'show_on_front', 'posts')
    for (const name of pageOptions) await optionWrites.update(connection, name, '0')
  }
}

/** The effect of an inserted or deleted term: the option that holds the tree of its taxonomy. */
function effectOfTerms({ options, term_taxonomy }: TableNames, optionWrites: OptionWrites): RowEffects['changedTerms'] {
  return async (connection, taxonomy) => {
    const name = `${taxonomy}_children`
    const isCached =
      (await connection.execute(`DELETE FROM ${options} WHERE option_name = ?`, [name])) > 0 || taxonomy === 'category'
    if (!isCached) return
    const rows = await connection.query(
      `SELECT term_id, parent FROM ${term_taxonomy} WHERE taxonomy = ? ORDER BY term_id`,
      [taxonomy],
    )
    const children = new Map<number, number[]>()
    for (const [term, parent] of rows.map((row) => row.map(number)))
      if (term !== undefined && parent !== undefined && parent > 0)
        children.set(parent, [...(children.get(parent) ?? []), term])
    const entries = [...children].map(([parent, terms]) => `i:${parent};${listText(terms)}`)
    const { loaded } = await optionWrites.autoloadWords(connection)
    await optionWrites.insert(connection, name, `a:${children.size}:{${entries.join('')}}`, loaded)
  }
}

function effectsOfUsers(
  { options, term_relationships, term_taxonomy, users }: TableNames,
  prefix: string,
): Pick<RowEffects, 'givingToUser' | 'deletedUser' | 'changedUsers'> {
  const links = `${prefix}links`
  return {
    async givingToUser(connection, from, to) {
      await connection.execute(`UPDATE ${links} SET link_owner = ? WHERE link_owner = ?`, [to, from])
    },
    async deletedUser(connection, id) {
      const categories = await connection.query(
        `SELECT DISTINCT r.term_taxonomy_id FROM ${links} l
        JOIN ${term_relationships} r ON r.object_id = l.link_id
        JOIN ${term_taxonomy} x ON x.term_taxonomy_id = r.term_taxonomy_id AND x.taxonomy = 'link_category'
        WHERE l.link_owner = ?`,
        [id],
      )
      for (const category of categories.map(([value]) => number(value))) {
        await connection.execute(
          `DELETE r FROM ${term_relationships} r JOIN ${links} l ON l.link_id = r.object_id
          WHERE l.link_owner = ? AND r.term_taxonomy_id = ?`,
          [id, category],
        )
        await connection.execute(
          `UPDATE ${term_taxonomy} SET count = (SELECT COUNT(*) FROM ${term_relationships} WHERE term_taxonomy_id = ?)
          WHERE term_taxonomy_id = ?`,
          [category, category],
        )
      }
      await connection.execute(`DELETE FROM ${links} WHERE link_owner = ?`, [id])
    },
    async changedUsers(connection) {
      const row = await connection.row(`SELECT option_value FROM ${options} WHERE option_name = 'user_count'`)
      // WordPress counts more users than this only twice a day.
      if (row === null || Number.parseFloat(text(row[0] ?? null)) > maxCountedUsers) return
      await connection.execute(
        `UPDATE ${options} SET option_value = (SELECT COUNT(ID) FROM ${users}) WHERE option_name = 'user_count'`,
      )
    },
  }
}

/** The ids in a serialised list of whole numbers; null for anything else, which stays as it is. */
function listIn(serialized: string): readonly number[] | null {
  const [, items] = /^a:\d+:\{((?:i:\d+;i:\d+;)*)\}$/.exec(serialized) ?? []
  return items === undefined ? null : [...items.matchAll(/i:\d+;i:(\d+);/g)].map(([, id]) => Number(id))
}

const listText = (ids: readonly number[]): string =>
  `a:${ids.length}:{${ids.map((id, index) => `i:${index};i:${id};`).join('')}}`
