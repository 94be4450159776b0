import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import configuration from '../as-rest-route.config.js'
import { ShapesApi } from '../app/shapes-api.js'
import { drawings } from './draw.js'
import { posts } from './posts.js'
import { products } from './products.js'
import { recordOfPost, recordOfProduct, seed } from './seed.js'
import { boot } from 'as-rest-route'
import { temporaryDatabase } from '../../../test/support/test-database.js'

const images = new URL('../public/images/', import.meta.url)
const cards = Object.values(products).flat()
const records = [
  ...Object.entries(products).flatMap(([category, shelf]) => shelf.map((card) => recordOfProduct(card, category))),
  ...posts.map(recordOfPost),
]

test('the pictures in public/images are what draw.ts makes', () => {
  const drawn = drawings()
  assert.deepEqual(readdirSync(images).sort(), [...drawn.keys()].sort(), 'run: npx tsx examples/shop/demo/draw.ts')
  for (const [name, drawing] of drawn) {
    assert.equal(readFileSync(new URL(name, images), 'utf8'), drawing, name)
    assert.ok(Buffer.byteLength(drawing) <= 3_000, `${name} is small`)
    assert.match(drawing, /^<svg [^>]+><title>[^<]+<\/title>/, name)
    assert.doesNotMatch(drawing, /<script|\son\w+=|href|undefined|NaN/, name)
  }
  assert.equal(new Set(drawn.values()).size, drawn.size, 'no picture is made twice')
})

test('every record has a picture of its own, and it exists', () => {
  const names = new Set(readdirSync(images))
  const used = records.map(({ content = '' }) => /<img src="\/images\/([^"]+)"/.exec(content)?.[1] ?? '')
  for (const name of used) assert.ok(names.has(name), name)
  assert.equal(new Set(used).size, records.length)
})

test('there is enough to page through, and no text twice', () => {
  assert.ok(cards.length >= 60)
  assert.ok(Object.values(products).every((shelf) => shelf.length >= 15))
  assert.ok(posts.length >= 30)
  const repeated = (texts: readonly string[]) => texts.filter((text, index) => texts.indexOf(text) !== index)
  const titles = [...cards, ...posts].map(({ title }) => title)
  const lines = [...cards.map(({ summary }) => summary), ...posts.map(({ excerpt }) => excerpt)]
  const paragraphs = [...cards.flatMap(({ text }) => text), ...posts.flatMap(({ html }) => html.split('\n'))]
  assert.deepEqual(repeated(titles), [])
  assert.deepEqual(repeated(lines), [])
  assert.deepEqual(repeated(paragraphs), [])
})

test('no two texts of products begin or end alike', () => {
  const texts = cards.flatMap(({ summary, text }) => [summary, ...text])
  const words = (text: string) =>
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}’]+/u)
      .filter(Boolean)
  for (const part of [(text: string) => words(text).slice(0, 3), (text: string) => words(text).slice(-3)]) {
    const parts = texts.map((text) => part(text).join(' '))
    assert.deepEqual(
      parts.filter((some, index) => parts.indexOf(some) !== index),
      [],
    )
  }
})

test('a new shop is filled within seconds, texts as they were written', async () => {
  const service = await boot([ShapesApi], {
    database: await temporaryDatabase(),
    seed,
    record_types: configuration.record_types ?? {},
  })
  try {
    const stored = await service.records.list({
      type: ['product', 'post'],
      status: ['publish', 'draft', 'private'],
      per_page: 200,
    })
    assert.equal(stored.length, records.length)
    assert.deepEqual(
      stored.map(({ title, content }) => ({ title, content })).sort(byTitle),
      records.map(({ title = '', content = '' }) => ({ title, content })).sort(byTitle),
    )
    assert.equal(new Set(stored.map(({ slug }) => slug).filter(Boolean)).size, stored.filter(({ slug }) => slug).length)
    assert.ok((await service.records.count({ type: 'product', category: 'pantry' })) >= 15)
    assert.ok((await service.records.count({ type: 'post', category: 'stories' })) >= 5)
    const [newest] = await service.records.list({ type: 'post', per_page: 1 })
    assert.equal(newest?.status, 'publish')
  } finally {
    await service.close()
  }
})

function byTitle(a: { readonly title: string }, b: { readonly title: string }): number {
  return a.title < b.title ? -1 : 1
}
