import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { ResponseCache } from '../../src/cache/response-cache.js'
import { RestResponse } from '../../src/http/rest-response.js'
import { serializeResponse, type SerializedResponse } from '../../src/pipeline/serialized-response.js'
import { headText } from '../../src/server/connection/response-text.js'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Bytes on the heap after a garbage collection. */
function heapUsed(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

const versions = new Map([['post:product', 1]])
const storage = { changeToken: async () => 1, versions: async () => versions }
const root = 'https://shop.example/wp-json/'

for (const length of [50, 2000, 20_000])
  test(`a cache full of responses of ${length} bytes holds no more than cache_bytes`, async () => {
    const bytes = 16 * 1024 * 1024
    const cache = new ResponseCache<SerializedResponse>(storage, { bytes, clock: Date.now })
    const now = await cache.currentVersions()
    const keyOf = (id: number) => `${root} /shop/v1/products?${id},"text"`
    const before = heapUsed()
    const count = Math.ceil(bytes / length)
    for (let id = 0; id < count; id += 1) {
      const compute = async () => {
        const body = {
          id,
          text: Array.from({ length: length / 10 }, () => String(Math.random()).slice(0, 10)).join(''),
        }
        const response = new RestResponse(body).header('X-WP-Total', String(id)).header('Allow', 'GET')
        const serialized = serializeResponse(response, { root, seconds: 60 })
        return { response: serialized, use: 'keep' as const, size: serialized.size }
      }
      const response = await cache.computeOrJoin(keyOf(id), now, { seconds: 60, tags: null, compute })
      // A response that was sent once, whole and as a 304, also holds the text of both heads.
      assert.ok(response)
      headText({ status: 200, ...response.headers, requestId: 'x', body: response.body }, response.body.length, '')
      headText({ status: 304, ...response.notModifiedHeaders, requestId: 'x', body: '' }, null, '')
    }
    const held = heapUsed() - before
    assert.ok(cache.find(keyOf(count - 1), now), 'the newest response is cached')
    assert.equal(cache.find(keyOf(0), now), null, 'the cache is full')
    // The garbage collector leaves some hundred kilobytes of its own.
    assert.ok(held <= bytes * 1.05, `${held} bytes are held, ${bytes} are allowed`)
  })

/** Computes and caches responses until there are more than `bytes` allow. @returns the bytes that the cache holds then. */
async function heldBy(
  bytes: number,
  length: number,
  { kinds, bodyOf }: { kinds: number; bodyOf: (id: number) => string },
) {
  const written = new Map<string, number>(Array.from({ length: kinds }, (_, kind) => [`post:type${kind}`, 1]))
  let token = 0
  // A write of another kind precedes each response.
  const changing = {
    changeToken: async () => token,
    versions: async () => new Map(written).set('post:type0', token),
  }
  const cache = new ResponseCache<SerializedResponse>(changing, { bytes, clock: Date.now })
  const before = heapUsed()
  const count = Math.ceil(bytes / length)
  for (let id = 0; id < count; id += 1) {
    token += 1
    const compute = async () => {
      const response = new RestResponse(bodyOf(id)).header('Content-Type', 'text/html')
      const serialized = serializeResponse(response, { root, seconds: 60 })
      return { response: serialized, use: 'keep' as const, size: serialized.size }
    }
    const options = { seconds: 60, tags: [`post:type${kinds - 1}`], compute }
    await cache.computeOrJoin(`${root} ${id}`, await cache.currentVersions(), options)
  }
  const held = heapUsed() - before
  const now = await cache.currentVersions()
  assert.ok(cache.find(`${root} ${count - 1}`, now), 'the newest response is cached')
  assert.equal(cache.find(`${root} 0`, now), null, 'the cache is full')
  return held
}

test('a cache full of texts with characters beyond Latin-1 holds no more than cache_bytes', async () => {
  const bytes = 16 * 1024 * 1024
  const bodyOf = (id: number) =>
    `${id} – ${Array.from({ length: 2000 }, () => String(Math.random()).slice(0, 10)).join('')}`
  const held = await heldBy(bytes, 20_000, { kinds: 1, bodyOf })
  assert.ok(held <= bytes * 1.05, `${held} bytes are held, ${bytes} are allowed`)
})

test('a cache full of responses between writes of many kinds holds no more than cache_bytes', async () => {
  const bytes = 16 * 1024 * 1024
  const held = await heldBy(bytes, 1000, { kinds: 40, bodyOf: (id) => `response ${id}` })
  assert.ok(held <= bytes * 1.05, `${held} bytes are held, ${bytes} are allowed`)
})
