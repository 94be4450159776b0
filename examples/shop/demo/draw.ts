/**
 * Draws the pictures of the demo shop: `npx tsx examples/shop/demo/draw.ts` writes them to `public/images`. The same
 * content gives the same files, byte for byte.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chanceOf } from './chance.js'
import { paletteOf } from './palettes.js'
import { posts } from './posts.js'
import type { Product } from './product.js'
import { products } from './products.js'
import { sceneOf } from './scene.js'
import { shapes } from './shapes.js'

/** Every picture by its file name. */
export function drawings(): ReadonlyMap<string, string> {
  const ofProducts = Object.values(products).flat()
  return new Map([
    ...ofProducts.map((product) => [`${product.image}.svg`, productDrawing(product)] as const),
    ...posts.map((post) => [`${post.image}.svg`, svg(320, 180, post.title, sceneOf(post))] as const),
  ])
}

function productDrawing({ image, title, shape, palette }: Product): string {
  const colors = paletteOf(palette)
  const chance = chanceOf(image)
  const spot = () =>
    `<circle cx="${within(chance, 20, 180)}" cy="${within(chance, 15, 120)}" r="${within(chance, 6, 26)}"/>`
  const behind = `<rect width="200" height="200" fill="${colors.paper}"/><g fill="${colors.light}" opacity=".45">${spot()}${spot()}${spot()}${spot()}</g>`
  const shelf = `<rect y="168" width="200" height="32" fill="${colors.light}" opacity=".7"/><ellipse cx="100" cy="173" rx="${within(chance, 60, 78)}" ry="7" fill="${colors.deep}" opacity=".18"/>`
  return svg(200, 200, title, behind + shelf + shapes[shape](colors))
}

function within(chance: () => number, least: number, most: number): number {
  return Math.round(least + chance() * (most - least))
}

function svg(width: number, height: number, title: string, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img"><title>${escaped(title)}</title>${content}</svg>\n`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = new URL('../public/images/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  for (const [name, drawing] of drawings()) writeFileSync(new URL(name, folder), drawing)
}
