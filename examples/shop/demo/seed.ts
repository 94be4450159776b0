import type { NewRecord, SeedTools } from 'as-rest-route'
import { categories } from './categories.js'
import type { Post } from './post.js'
import { posts } from './posts.js'
import type { Product } from './product.js'
import { products } from './products.js'

/**
 * Fills a new shop. The service runs it once, on a database that this very start created. Records are written one after the other:
 * side by side on a server, those of a category would wait for each other, and on a slow one give up.
 */
export async function seed({ records, terms }: SeedTools): Promise<void> {
  for (const category of categories) await terms.create(category)
  const shelves = Object.entries(products).flatMap(([category, shelf]) =>
    shelf.map((product) => recordOfProduct(product, category)),
  )
  for (const record of [...shelves, ...posts.map(recordOfPost)]) await records.insert(record)
}

/** What a product card becomes in the database. */
export function recordOfProduct(product: Product, category: string): NewRecord<'product'> {
  const { title, summary, text, price, sales, date, image, status = 'publish' } = product
  return {
    type: 'product',
    status,
    title,
    excerpt: summary,
    content: [picture(image, title, 400, 400), ...[summary, ...text].map((line) => `<p>${escaped(line)}</p>`)].join(
      '\n',
    ),
    date,
    terms: { category: [category] },
    meta: { price, total_sales: sales, image: `/images/${image}.svg` },
  }
}

/** A story with its picture on top. */
export function recordOfPost({
  title,
  excerpt,
  html,
  date,
  image,
  category,
  status = 'publish',
}: Post): NewRecord<'post'> {
  return {
    type: 'post',
    status,
    title,
    excerpt,
    content: `${picture(image, title, 640, 360)}\n${html}`,
    date,
    ...(category && { terms: { category: [category] } }),
    meta: { image: `/images/${image}.svg` },
  }
}

function picture(image: string, title: string, width: number, height: number): string {
  return `<p><img src="/images/${image}.svg" alt="${escaped(title)}" width="${width}" height="${height}"></p>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
