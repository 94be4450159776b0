import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import * as fc from 'fast-check'
import { aPost } from '../../../test/contracts/storage/rows.js'
import type { PostQuery, PostSelection, Storage } from '../storage.js'
import { openSqlite } from './open-sqlite.js'
import { sqliteLibrary } from './sqlite-client.js'

const folder = mkdtempSync(join(tmpdir(), 'repeated-queries-'))
after(() => rmSync(folder, { recursive: true }))
const openClient = await sqliteLibrary()

const page = { order: [{ by: 'date', direction: 'desc' }], limit: 5, offset: 0 } as const
const titles = { columns: ['post_title', 'post_type'], metaKeys: ['price', 'size'] } as const
const withMeta = { columns: ['post_title'] } as const
/** Two that differ in where the comma stands, and in nothing else. */
const questions: readonly [PostQuery, PostSelection][] = [
  [{ ...page, types: ['book'] }, titles],
  [{ ...page, types: ['book'], statuses: ['publish'] }, titles],
  [{ ...page, types: ['book'] }, withMeta],
  [{ ...page, types: ['book', 'film'], limit: 2, offset: 1 }, titles],
  [{ ...page, types: ['book,film', 'x'] }, titles],
  [{ ...page, types: ['book', 'film,x'] }, titles],
  [{ ...page, slug: 'one' }, titles],
  [{ ...page, search: { include: ['a'], exclude: [] } }, titles],
  [{ ...page, limit: 1 }, titles],
  [{ ...page, limit: 200 }, titles],
]
const ids = [1, 2, 3, 4, 5]

async function responses({ posts }: Storage): Promise<unknown> {
  const lists = await Promise.all(
    questions.map(async ([query, selection]) => (await posts.list(query, selection)).rows),
  )
  const single = await Promise.all(ids.map(async (id) => (await posts.findWithMeta([id], titles)).rows))
  return structuredClone([...lists, ...single, (await posts.findWithMeta([2, 9, 1, 2], titles)).rows])
}

const id = fc.constantFrom(...ids)
const title = fc.constantFrom('a', 'b', 'ab')
const type = fc.constantFrom('book', 'film', 'book,film', 'film,x')
const write = fc.oneof(
  fc.record({ what: fc.constant('insert' as const), title, type, status: fc.constantFrom('publish', 'draft') }),
  fc.record({ what: fc.constant('update' as const), id, title, type }),
  fc.record({ what: fc.constant('price' as const), id, price: fc.constantFrom('1', '2') }),
  fc.record({ what: fc.constant('delete' as const), id }),
)
type Write = typeof write extends fc.Arbitrary<infer W> ? W : never

async function through({ posts }: Pick<Storage, 'posts'>, step: Write): Promise<void> {
  if (step.what === 'insert')
    await posts.insert(
      aPost({ post_title: step.title, post_type: step.type, post_status: step.status, post_name: 'one' }),
    )
  if (step.what === 'update') await posts.update(step.id, { post_title: step.title, post_type: step.type })
  if (step.what === 'price') await posts.meta.write(step.id, 'price', step.price)
  if (step.what === 'delete') await posts.delete(step.id)
}

const wording: { readonly [W in Write['what']]: (step: Extract<Write, { what: W }>) => [string, (string | number)[]] } =
  {
    insert: (step) => [
      `INSERT INTO wp_posts (post_title, post_type, post_status, post_name, post_content, post_excerpt, to_ping, pinged,
      post_content_filtered) VALUES (?, ?, ?, 'one', '', '', '', '', '')`,
      [step.title, step.type, step.status],
    ],
    update: (step) => [
      'UPDATE wp_posts SET post_title = ?, post_type = ? WHERE ID = ?',
      [step.title, step.type, step.id],
    ],
    price: (step) => [
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, 'price', ?)`,
      [step.id, step.price],
    ],
    delete: (step) => ['DELETE FROM wp_posts WHERE ID = ?', [step.id]],
  }

const who = fc.constantFrom('this', 'another', 'a program', 'a transaction', 'one that changed its mind')

for (const kind of ['file', 'memory'] as const)
  test(`a repeated query returns the current rows, whichever connection wrote them: ${kind}`, async () => {
    let runs = 0
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(who, write), { maxLength: 12 }), async (steps) => {
        runs += 1
        const path = join(folder, `${runs}.db`)
        const url = kind === 'file' ? `sqlite:${path}` : 'sqlite::memory:'
        const storage = await openSqlite(url)
        const another = kind === 'file' ? await openSqlite(url) : null
        const program = kind === 'file' ? openClient(path) : null
        const writers: Record<string, (step: Write) => Promise<void>> = {
          this: (step) => through(storage, step),
          another: (step) => through(another ?? storage, step),
          async 'a program'(step) {
            if (program === null) return through(storage, step)
            const [text, values] = wording[step.what](step as never)
            program.prepare(text).run(values)
          },
          'a transaction': (step) => storage.transaction((inside) => through(inside, step)),
          'one that changed its mind': (step) =>
            storage
              .transaction(async (inside) => {
                await through(inside, step)
                await responses(inside)
                throw new Error('changed its mind')
              })
              .catch(() => undefined),
        }
        try {
          for (const [name, step] of steps) {
            // Twice, so that there is something to be out of date.
            for (let time = 0; time < 2; time += 1) await responses(storage)
            await writers[name]?.(step)
            const now = await responses(storage)
            assert.deepEqual(now, await storage.transaction(responses), `${name}: ${JSON.stringify(step)}`)
          }
        } finally {
          program?.close()
          await another?.close()
          await storage.close()
        }
      }),
      { numRuns: 40 },
    )
  })
