import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { AsRestRoute, type RestRequest } from 'as-rest-route'
import { RawConnection } from '../support/raw-socket.js'
import { startService } from '../support/start-service.js'
import { noTemporaryFiles, withTemporaryFolder } from './temporary-files.js'

let peak = 0

class FilesApi {
  @AsRestRoute({
    namespace: 'files/v1',
    route: '/large',
    method: 'POST',
    permission: 'public',
    body_limit: 134_217_728,
  })
  async large(request: RestRequest) {
    const hash = createHash('sha256')
    for await (const chunk of request.file('file')?.stream() ?? []) {
      hash.update(chunk)
      measure()
    }
    return { size: request.file('file')?.size, hash: hash.digest('hex') }
  }
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
let measured = 0

/** The bytes in use, inside and outside of V8's heap. A collection takes time, so not each call measures. */
function measure(): void {
  measured += 1
  if (measured % 50 !== 1) return
  collectGarbage()
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  peak = Math.max(peak, arrayBuffers + heapUsed)
}

const end = '--X--\r\n'
const contentType = 'multipart/form-data; boundary=X'

test('a form of 100 MB is not held in memory', (t) =>
  withTemporaryFolder(async () => {
    const site = await startService([FilesApi])
    t.after(() => site.close())
    const size = 100_000_000
    const chunk = Buffer.alloc(100_000, 'abcdefghij\n')
    const hash = createHash('sha256')
    for (let sent = 0; sent < size; sent += chunk.length) hash.update(chunk)
    peak = 0
    measured = 0
    measure()
    const usual = peak
    // `fetch` of Node holds the whole body, so the test sends it by itself.
    const client = new RawConnection(site.port)
    t.after(() => client.socket.destroy())
    const head = '--X\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
    const length = head.length + size + 2 + end.length
    client.send(
      `POST /wp-json/files/v1/large HTTP/1.1\r\nHost: a\r\nContent-Type: ${contentType}\r\nContent-Length: ${length}\r\n\r\n${head}`,
    )
    for (let sent = 0; sent < size; sent += chunk.length) {
      if (!client.send(chunk)) await once(client.socket, 'drain')
      measure()
    }
    client.send(`\r\n${end}`)
    const { text } = await client.response()
    assert.deepEqual(JSON.parse(text), { size, hash: hash.digest('hex') })
    // The client and the service share this process.
    assert.ok(peak - usual < 30_000_000, `${Math.round((peak - usual) / 1e6)} MB`)
    await noTemporaryFiles()
  }))
