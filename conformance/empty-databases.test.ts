import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { DatabaseNotEmptyError, emptyDatabases } from './empty-databases.js'

const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
after(() => rmSync(folder, { recursive: true }))

test('a database with anything in it is refused and left alone', () => {
  const path = join(folder, 'full.sqlite')
  writeFileSync(path, 'something')
  assert.throws(() => emptyDatabases(`sqlite:${path}`), DatabaseNotEmptyError)
  assert.ok(existsSync(path))
})

test('a new or empty one is taken, and emptied of what was written', async () => {
  const path = join(folder, 'new.sqlite')
  const fresh = emptyDatabases(`sqlite:${path}`)
  writeFileSync(path, '')
  assert.equal((await emptyDatabases(`sqlite:${path}`)()).url, `sqlite:${path}`)
  writeFileSync(path, 'a site')
  const database = await fresh()
  assert.equal(existsSync(path), false)
  writeFileSync(path, 'another site')
  await database.drop()
  assert.equal(existsSync(path), false)
})
