import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { inspect } from 'node:util'
import { AsRestRoute, boot, RestResponse, SeedError, StartupError, StorageError } from 'as-rest-route'

class Sound {
  @AsRestRoute({ namespace: 'shop/v1', route: '/sound', permission: 'public' })
  read() {
    return new RestResponse(null)
  }
}

const folder = mkdtempSync(join(tmpdir(), 'as-rest-route-seed-'))
after(() => rmSync(folder, { recursive: true }))

const cause = new TypeError('no such supplier')
const seed = () => Promise.reject(cause)

const databases: [database: string, advice: RegExp][] = [
  [`sqlite:${join(folder, 'x.sqlite')}`, /is not complete\. Remove it, correct the seed, and start again\.$/],
  ['sqlite::memory:', /no such supplier\nCorrect the seed, and start again\.$/],
]
for (const [database, advice] of databases)
  test(`the error of a seed is the cause of the SeedError: ${database.slice(0, 15)}`, async () => {
    await assert.rejects(boot([Sound], { database, seed }), (error: Error) => {
      assert.ok(error instanceof SeedError)
      assert.equal(error.cause, cause)
      assert.equal(error.code, 'seed-failed')
      assert.match(error.message, advice)
      return true
    })
  })

test('a database that cannot be opened is a StorageError', async () => {
  const database = `sqlite:${folder}`
  await assert.rejects(boot([Sound], { database }), (error: Error) => {
    assert.ok(error instanceof StorageError)
    assert.deepEqual([error.fault, error.code], ['unavailable', 'storage-unavailable'])
    return true
  })
})

test('a StartupError that is printed lists each fault once', async () => {
  await assert.rejects(boot([Sound], { database: '' }), (error: Error) => {
    assert.ok(error instanceof StartupError)
    assert.equal(error.diagnostics.length, 1)
    assert.equal(inspect(error).split('database-invalid]').length - 1, 1)
    assert.doesNotMatch(inspect(error), /diagnostics/)
    return true
  })
})
