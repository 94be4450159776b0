// What the shops of all databases have in common: their queries, one for a list and none per row, and their responses.
import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'

const columns = 'p.ID AS id, p.post_title, p.post_content, p.post_name, m.meta_value AS price'
const joined = `FROM wp_posts p LEFT JOIN wp_postmeta m ON m.post_id = p.ID AND m.meta_key = 'price'`
const published = `p.post_type = 'product' AND p.post_status = 'publish'`

/** @param number the type of a number in SQL: `REAL`. */
export function shopQueries(number) {
  const orders = {
    date: 'p.post_date DESC, p.ID DESC',
    title: 'p.post_title, p.ID',
    price: `CAST(m.meta_value AS ${number}), p.ID`,
    popularity: `CAST((SELECT s.meta_value FROM wp_postmeta s WHERE s.post_id = p.ID AND s.meta_key = 'total_sales') AS ${number}) DESC, p.ID`,
  }
  return {
    /** By order: the products of a page. Values: limit, offset. */
    lists: Object.fromEntries(
      Object.entries(orders).map(([name, order]) => [
        name,
        `SELECT ${columns} ${joined} WHERE ${published} ORDER BY ${order} LIMIT ? OFFSET ?`,
      ]),
    ),
    /** Values: the slug of a category, limit, offset. */
    ofCategory: `SELECT ${columns} ${joined} WHERE ${published} AND p.ID IN (
      SELECT r.object_id FROM wp_terms t JOIN wp_term_taxonomy x ON x.term_id = t.term_id
      JOIN wp_term_relationships r ON r.term_taxonomy_id = x.term_taxonomy_id WHERE t.slug = ? AND x.taxonomy = 'category')
      ORDER BY ${orders.date} LIMIT ? OFFSET ?`,
    one: `SELECT ${columns} ${joined} WHERE p.ID = ? AND ${published}`,
    posts: `SELECT p.post_title, p.post_excerpt, p.post_name FROM wp_posts p
      WHERE p.post_type = 'post' AND p.post_status = 'publish' ORDER BY p.post_date DESC, p.ID DESC LIMIT ? OFFSET ?`,
  }
}

/** Functions from rows to bodies of responses. */
export function shopResponses(siteUrl) {
  const views = new Eta({
    views: fileURLToPath(new URL('../../examples/shop/views', import.meta.url)),
    cache: true,
    useWith: true,
  })
  return {
    product: (row) => ({
      id: row.id,
      title: row.post_title,
      content: row.post_content,
      price: Number(row.price ?? 0),
      link: `${siteUrl}/product/${row.post_name}/`,
    }),
    partial(rows, perPage) {
      const cards = rows.map((row) =>
        views.render('partials/card', {
          post: { title: row.post_title, excerpt: row.post_excerpt, link: `${siteUrl}/${row.post_name}/` },
        }),
      )
      return { html: cards.join(''), hasMore: rows.length === perPage }
    },
  }
}
