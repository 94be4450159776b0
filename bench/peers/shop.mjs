// The shop on SQLite, written by hand on prepared statements of the plain kind.
import { openDatabase } from './database.mjs'
import { shopQueries, shopResponses } from './shop-queries.mjs'
import { authentication } from './wordpress-login.mjs'

/** What a peer's handlers need. Settings come from the environment, as for any server. */
export async function openShop({ DATABASE_FILE, SYNCHRONOUS, SITE_URL } = process.env) {
  const database = await openDatabase(DATABASE_FILE, SYNCHRONOUS)
  const queries = shopQueries('REAL')
  const { product, partial } = shopResponses(SITE_URL)
  const lists = Object.fromEntries(Object.entries(queries.lists).map(([name, text]) => [name, database.prepare(text)]))
  const ofCategory = database.prepare(queries.ofCategory)
  const one = database.prepare(queries.one)
  const posts = database.prepare(queries.posts)
  return {
    list({ page, per_page, orderby, category }) {
      const offset = (page - 1) * per_page
      const rows = category ? ofCategory.all(category, per_page, offset) : lists[orderby].all(per_page, offset)
      return rows.map(product)
    },
    find(id) {
      const row = one.get(id)
      return row ? product(row) : null
    },
    partial: ({ page, per_page }) => partial(posts.all(per_page, (page - 1) * per_page), per_page),
    insert: inserting(database, SITE_URL, (id) => product(one.get(id))),
    identify: authentication(database, process.env, SITE_URL),
  }
}

function inserting(database, siteUrl, read) {
  const [begin, commit, rollback] = ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK'].map((text) => database.prepare(text))
  const taken = database.prepare(`SELECT 1 FROM wp_posts WHERE post_name = ? AND post_type = 'product' LIMIT 1`)
  const insert =
    database.prepare(`INSERT INTO wp_posts (post_author, post_date, post_date_gmt, post_content, post_title,
    post_excerpt, post_status, comment_status, ping_status, post_name, to_ping, pinged, post_modified, post_modified_gmt,
    post_content_filtered, post_type) VALUES (?, ?, ?, ?, ?, '', 'publish', 'closed', 'closed', ?, '', '', ?, ?, '', 'product')`)
  const setGuid = database.prepare('UPDATE wp_posts SET guid = ? WHERE ID = ?')
  const addMeta = database.prepare('INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, ?, ?)')
  return ({ title, content, price }, author) => {
    const base = title
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '')
    const now = new Date().toISOString().slice(0, 19).replace('T', ' ')
    begin.run()
    try {
      let slug = base
      for (let number = 2; taken.get(slug); number += 1) slug = `${base}-${number}`
      const id = Number(insert.run(author, now, now, content, title, slug, now, now).lastInsertRowid)
      setGuid.run(`${siteUrl}/product/${slug}/`, id)
      addMeta.run(id, 'price', String(price))
      const stored = read(id)
      commit.run()
      return stored
    } catch (error) {
      rollback.run()
      throw error
    }
  }
}

/** Whom a route lets in: a capability, or the status to refuse with. */
export function refusalOf(caller, capability) {
  if (typeof caller === 'number') return caller
  if (caller === null) return 401
  return caller.can(capability) ? 0 : 403
}
