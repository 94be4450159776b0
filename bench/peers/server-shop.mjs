// The shop of `shop.mjs` on PostgreSQL or MariaDB, written by hand: one prepared statement for a list, none per row.
import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import { openServerDatabase } from './server-database.mjs'
import { serverAuthentication } from './server-login.mjs'

const columns = 'p.ID AS id, p.post_title, p.post_content, p.post_name, m.meta_value AS price'
const joined = `FROM wp_posts p LEFT JOIN wp_postmeta m ON m.post_id = p.ID AND m.meta_key = 'price'`
const published = `p.post_type = 'product' AND p.post_status = 'publish'`

/** What a peer's handlers need. Settings come from the environment, as for any server. */
export async function openServerShop({ DATABASE_URL, SITE_URL } = process.env) {
  const database = openServerDatabase(DATABASE_URL)
  const number = database.kind === 'postgres' ? 'double precision' : 'double'
  const orders = {
    date: 'p.post_date DESC, p.ID DESC',
    title: 'p.post_title, p.ID',
    price: `CAST(m.meta_value AS ${number}), p.ID`,
    popularity: `CAST((SELECT s.meta_value FROM wp_postmeta s WHERE s.post_id = p.ID AND s.meta_key = 'total_sales') AS ${number}) DESC, p.ID`,
  }
  const lists = Object.fromEntries(
    Object.entries(orders).map(([name, order]) => [
      name,
      database.prepare(`SELECT ${columns} ${joined} WHERE ${published} ORDER BY ${order} LIMIT ? OFFSET ?`),
    ]),
  )
  const ofCategory = database.prepare(`SELECT ${columns} ${joined} WHERE ${published} AND p.ID IN (
    SELECT r.object_id FROM wp_terms t JOIN wp_term_taxonomy x ON x.term_id = t.term_id
    JOIN wp_term_relationships r ON r.term_taxonomy_id = x.term_taxonomy_id WHERE t.slug = ? AND x.taxonomy = 'category')
    ORDER BY ${orders.date} LIMIT ? OFFSET ?`)
  const one = database.prepare(`SELECT ${columns} ${joined} WHERE p.ID = ? AND ${published}`)
  const posts = database.prepare(`SELECT p.post_title, p.post_excerpt, p.post_name FROM wp_posts p
    WHERE p.post_type = 'post' AND p.post_status = 'publish' ORDER BY p.post_date DESC, p.ID DESC LIMIT ? OFFSET ?`)
  const product = (row) => ({
    id: row.id,
    title: row.post_title,
    content: row.post_content,
    price: Number(row.price ?? 0),
    link: `${SITE_URL}/product/${row.post_name}/`,
  })
  const views = new Eta({
    views: fileURLToPath(new URL('../../examples/shop/views', import.meta.url)),
    cache: true,
    useWith: true,
  })
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
    async partial({ page, per_page }) {
      const rows = await posts(null, per_page, (page - 1) * per_page)
      const cards = rows.map((row) =>
        views.render('partials/card', {
          post: { title: row.post_title, excerpt: row.post_excerpt, link: `${SITE_URL}/${row.post_name}/` },
        }),
      )
      return { html: cards.join(''), hasMore: rows.length === per_page }
    },
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
