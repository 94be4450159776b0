import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { aPost } from '../../../test/contracts/storage/rows.js'
import type { OpenedStorage } from '../store-adapter.js'
import { openSqlite } from './open-sqlite.js'
import { sqliteLibrary } from './sqlite-client.js'

const folder = mkdtempSync(join(tmpdir(), 'sqlite-versions-'))
after(() => rmSync(folder, { recursive: true }))
const open = await sqliteLibrary()

/** A film (id 1) and a book (id 2) with one metadata row each, of the same ids, in a database of the given name. */
async function withFilmAndBook(name: string): Promise<{ readonly path: string; readonly storage: OpenedStorage }> {
  const path = join(folder, `${name}.db`)
  const storage = await openSqlite(`sqlite:${path}`)
  for (const post_type of ['film', 'book']) {
    const id = await storage.posts.insert(aPost({ post_type }))
    await storage.posts.meta.add(id, 'price', '5')
  }
  return { path, storage }
}

/** Runs a statement as a program that does not know of us, with SQLite's own defaults. */
function runElsewhere(path: string, statement: string): void {
  const client = open(path)
  client.prepare(statement).run([])
  client.close()
}

async function raisedBy(work: () => void, storage: OpenedStorage): Promise<string[]> {
  const before = await storage.versions()
  work()
  const now = await storage.versions()
  for (const [tag, version] of before) assert.ok((now.get(tag) ?? 0) >= version, `${tag} only grows`)
  return [...now].flatMap(([tag, version]) => (version > (before.get(tag) ?? 0) ? [tag] : [])).sort()
}

const texts = 'post_content, post_title, post_excerpt, to_ping, pinged, post_content_filtered'
const none = `'', '', '', '', '', ''`

const overwrites: [what: string, statement: string, raised: string[]][] = [
  [
    'a film becomes a page',
    `REPLACE INTO wp_posts (ID, post_type, ${texts}) VALUES (1, 'page', ${none})`,
    ['film', 'page'],
  ],
  [
    'the same, spelled out',
    `INSERT OR REPLACE INTO wp_posts (ID, post_type, ${texts}) VALUES (1, 'page', ${none})`,
    ['film', 'page'],
  ],
  ['a film stays a film', `REPLACE INTO wp_posts (ID, post_type, ${texts}) VALUES (1, 'FILM', ${none})`, ['film']],
  ['a new film', `REPLACE INTO wp_posts (post_type, ${texts}) VALUES ('film', ${none})`, ['film']],
  ['a film takes the id of a book', 'UPDATE OR REPLACE wp_posts SET ID = 2 WHERE ID = 1', ['book', 'film']],
  ['metadata goes to a book', 'REPLACE INTO wp_postmeta VALUES (1, 2, NULL, NULL)', ['book', 'film']],
  ['metadata stays with its film', 'REPLACE INTO wp_postmeta VALUES (1, 1, NULL, NULL)', ['film']],
  [
    'metadata takes the place of that of a book',
    'UPDATE OR REPLACE wp_postmeta SET meta_id = 2 WHERE meta_id = 1',
    ['book', 'film'],
  ],
  [
    'a film loses its type, so that it becomes what is usual',
    `REPLACE INTO wp_posts (ID, post_type, ${texts}) VALUES (1, NULL, ${none})`,
    ['film', 'post'],
  ],
  ['metadata of a film loses its owner', 'REPLACE INTO wp_postmeta VALUES (1, NULL, NULL, NULL)', ['film']],
  [
    'a film takes the id of a book by its other name',
    'UPDATE OR REPLACE wp_posts SET rowid = 2 WHERE ID = 1',
    ['book', 'film'],
  ],
  [
    'metadata takes the place of that of a book, by its other name',
    'UPDATE OR REPLACE wp_postmeta SET _rowid_ = 2 WHERE meta_id = 1',
    ['book', 'film'],
  ],
  ['a term is given twice', 'REPLACE INTO wp_term_relationships VALUES (1, 1, 1)', ['film', 'terms']],
  ['a term takes the place of another', `REPLACE INTO wp_terms (term_id) VALUES (1)`, ['terms']],
  ['an option is overwritten', `REPLACE INTO wp_options (option_name, option_value) VALUES ('a', '')`, ['options']],
  ['a user takes the place of another', `REPLACE INTO wp_users (ID) VALUES (1)`, ['users']],
  ['metadata of users changes hands', 'REPLACE INTO wp_usermeta VALUES (1, 2, NULL, NULL)', ['users']],
]

describe('a row that another program replaces raises the versions of its old and its new type', () => {
  for (const [index, [what, statement, raised]] of overwrites.entries())
    it(what, async () => {
      const { path, storage } = await withFilmAndBook(`overwritten-${index}`)
      assert.deepEqual(await raisedBy(() => runElsewhere(path, statement), storage), raised)
      await storage.close()
    })
})

it('opening a database of an older version adds the triggers', async () => {
  const { path, storage } = await withFilmAndBook('older')
  await storage.close()
  const client = open(path)
  const added = client.prepare(`SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%_over_raises'`)
  const names = added.all([]).map(([name]) => String(name))
  assert.equal(names.length, 4)
  for (const name of names) client.prepare(`DROP TRIGGER ${name}`).run([])
  client.prepare(`UPDATE wp_options SET option_value = '2' WHERE option_name = 'as_rest_route_db_version'`).run([])
  client.close()
  const again = await openSqlite(`sqlite:${path}`)
  const [, statement, raised] = overwrites[0] ?? assert.fail()
  assert.deepEqual(await raisedBy(() => runElsewhere(path, statement), again), raised)
  await again.close()
})
