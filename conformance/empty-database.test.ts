import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { DatabaseNotEmpty, emptyDatabase } from './empty-database.js'

const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
after(() => rmSync(folder, { recursive: true }))

test('a database with anything in it is refused and left alone', () => {
  const path = join(folder, 'full.sqlite')
  writeFileSync(path, 'something')
  assert.throws(() => emptyDatabase(`sqlite:${path}`), DatabaseNotEmpty)
  assert.ok(existsSync(path))
})

test('a new or empty one is taken, and emptied of what was written', () => {
  const path = join(folder, 'new.sqlite')
  const database = emptyDatabase(`sqlite:${path}`)
  writeFileSync(path, '')
  assert.equal(emptyDatabase(`sqlite:${path}`).url, database.url)
  writeFileSync(path, 'a site')
  database.empty()
  assert.equal(existsSync(path), false)
})
