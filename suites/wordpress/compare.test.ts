import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { responseOf } from './compare.js'

describe('a request to one of the two servers', () => {
  const server = createServer((request, response) => {
    if (request.url === '/none') return
    response.write('begun')
    if (request.url === '/whole') response.end()
  })
  before(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)))
  after(() => void server.close().closeAllConnections())

  const sent = (path: string, wait = 200) =>
    responseOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { method: 'GET', path, headers: {} }, wait)

  it('fails with its name when the response does not end', async () => {
    await assert.rejects(sent('/none'), /GET http:\/\/127\.0\.0\.1:\d+\/none has had no whole response for 200 ms/)
    await assert.rejects(sent('/begun'), /\/begun has had no whole response/)
  })

  it('has the whole response otherwise', async () => {
    assert.equal((await sent('/whole', 60_000)).body, 'begun')
  })
})
