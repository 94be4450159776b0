// The shop on PostgreSQL or MariaDB, written by hand on prepared statements.
import { openServerDatabase } from './server-database.mjs'
import { serverAuthentication } from './server-login.mjs'
import { shopQueries, shopResponses } from './shop-queries.mjs'

/** What a peer's handlers need. Settings come from the environment, as for any server. */
export async function openServerShop({ DATABASE_URL, SITE_URL } = process.env) {
  const database = openServerDatabase(DATABASE_URL)
  const queries = shopQueries(database.kind === 'postgres' ? 'double precision' : 'double')
  const { product, partial } = shopResponses(SITE_URL)
  const lists = Object.fromEntries(Object.entries(queries.lists).map(([name, text]) => [name, database.prepare(text)]))
  const ofCategory = database.prepare(queries.ofCategory)
  const one = database.prepare(queries.one)
  const posts = database.prepare(queries.posts)
  return {
    async list({ page, per_page, orderby, category }) {
      const offset = (page - 1) * per_page
      const rows = await (category
        ? ofCategory(null, category, per_page, offset)
        : lists[orderby](null, per_page, offset))
      return rows.map(product)
    },
    async find(id) {
      const [row] = await one(null, id)
      return row ? product(row) : null
    },
    partial: async ({ page, per_page }) => partial(await posts(null, per_page, (page - 1) * per_page), per_page),
    insert: inserting(database, SITE_URL, async (client, id) => product((await one(client, id))[0])),
    identify: await serverAuthentication(database, process.env, SITE_URL),
  }
}

function inserting(database, siteUrl, read) {
  const isPostgres = database.kind === 'postgres'
  const taken = database.prepare(`SELECT 1 FROM wp_posts WHERE post_name = ? AND post_type = 'product' LIMIT 1`)
  const insert =
    database.prepare(`INSERT INTO wp_posts (post_author, post_date, post_date_gmt, post_content, post_title,
    post_excerpt, post_status, comment_status, ping_status, post_name, to_ping, pinged, post_modified, post_modified_gmt,
    post_content_filtered, guid, post_type) VALUES (?, ?, ?, ?, ?, '', 'publish', 'closed', 'closed', ?, '', '', ?, ?, '', ?,
    'product')${isPostgres ? ' RETURNING ID AS id' : ''}`)
  const addMeta = database.prepare('INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, ?, ?)')
  return ({ title, content, price }, author) => {
    const base = title
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '')
    const now = new Date().toISOString().slice(0, 19).replace('T', ' ')
    return database.transaction(async (client) => {
      let slug = base
      for (let number = 2; (await taken(client, slug)).length > 0; number += 1) slug = `${base}-${number}`
      const guid = `${siteUrl}/product/${slug}/`
      const inserted = await insert(client, author, now, now, content, title, slug, now, now, guid)
      const id = isPostgres ? inserted[0].id : inserted.insertId
      await addMeta(client, id, 'price', String(price))
      return read(client, id)
    })
  }
}
