import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AsRestRoute, type RestRequest } from 'as-rest-route'
import { openApiDocument } from '../../src/documents/openapi-document.js'
import { startService } from '../support/start-service.js'
import { exchange, RawConnection } from '../support/raw-socket.js'
import { ways } from '../support/three-ways.js'

const declared = { namespace: 'files/v1', method: 'POST', permission: 'public' } as const

class FilesApi {
  @AsRestRoute({ ...declared, route: '/large', body_limit: 50_000 })
  large(request: RestRequest) {
    return { bytes: request.body.length }
  }

  @AsRestRoute({ ...declared, route: '/small', body_limit: 100 })
  small(request: RestRequest) {
    return { bytes: request.body.length }
  }

  @AsRestRoute({ ...declared, route: '/notes', body_limit: 20, allow_batch: true })
  note(request: RestRequest) {
    return { text: request.get_param('text') }
  }

  @AsRestRoute({ ...declared, route: '/usual' })
  usual(request: RestRequest) {
    return { bytes: request.body.length }
  }
}

const limits = { large: 50_000, usual: 1_000, small: 100 } as const

for (const { name, open } of ways)
  test(`each route has the limit that it declares, others that of the service (${name})`, async (t) => {
    const { send } = await open(t, [FilesApi], { body_limit: 1_000 })
    for (const [route, limit] of Object.entries(limits))
      for (const [size, status] of [
        [limit, 200],
        [limit + 1, 413],
      ] as const) {
        const body = 'a'.repeat(size)
        const headers = { 'Content-Type': 'text/plain' }
        const response = await send(`/files/v1/${route}`, { method: 'POST', body, headers })
        assert.equal(response.status, status, `${route} ${size}`)
        const content = (await response.json()) as { bytes?: number; message?: string }
        if (status === 200) assert.equal(content.bytes, size)
        else assert.equal(content.message, `The request body is larger than the ${limit} bytes that are accepted.`)
      }
    // The address is that of a route with a large limit, the form names another one.
    const form = new URLSearchParams({ rest_route: '/files/v1/usual', more: 'a'.repeat(2_000) }).toString()
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const other = await send('/files/v1/large', { method: 'POST', body: form, headers })
    assert.equal(other.status, 413)
    const byQuery = await send('/?rest_route=/files/v1/large', {
      method: 'POST',
      body: 'a'.repeat(2_000),
      headers: { 'Content-Type': 'text/plain' },
    })
    assert.notEqual(byQuery.status, 500)
  })

test('the limit of a route holds for the body of an item of a batch', async (t) => {
  const [way] = ways
  assert.ok(way)
  const { send } = await way.open(t, [FilesApi], { body_limit: 1_000 })
  const bodies = [{ text: 'a'.repeat(9) }, { text: 'a'.repeat(10) }, { text: 'ä'.repeat(5) }, undefined]
  const requests = bodies.map((body) => ({ path: '/files/v1/notes', body }))
  const batch = async (validation: string) => {
    const response = await send('/batch/v1', {
      method: 'POST',
      body: JSON.stringify({ validation, requests }),
      headers: { 'Content-Type': 'application/json' },
    })
    return (await response.json()) as { responses: ({ status: number; body: { code?: string } } | null)[] }
  }
  const refused = [413, 'rest_request_too_large']
  const facts = ({ responses }: Awaited<ReturnType<typeof batch>>) =>
    responses.map((response) => response && [response.status, response.body.code])
  assert.deepEqual(facts(await batch('normal')), [[200, undefined], refused, refused, [200, undefined]])
  assert.deepEqual(facts(await batch('require-all-validate')), [null, refused, refused, null])
})

test('the OpenAPI document names the limit', async (t) => {
  const site = await startService([FilesApi])
  t.after(() => site.close())
  const facts = { title: 'Files', baseUrl: 'https://files.example', restPrefix: 'wp-json' }
  const { paths } = openApiDocument(site.service.routes, facts) as unknown as {
    paths: Record<string, { post: { 'x-body-limit'?: number } }>
  }
  const named = ['small', 'large', 'usual'].map((route) => paths[`/files/v1/${route}`]?.post['x-body-limit'])
  assert.deepEqual(named, [100, 50_000, undefined])
})

for (const http of ['fast', 'node'] as const)
  test(`a body is refused by its length before it is read, and in chunks as soon as it is too large (${http})`, async (t) => {
    const [way] = ways
    assert.ok(way)
    const { site } = await way.open(t, [FilesApi], { body_limit: 1_000, http })
    const head = (route: string) =>
      `POST /wp-json/files/v1/${route} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n`
    assert.equal((await exchange(site.port, `${head('small')}Content-Length: 101\r\n\r\n`)).status, 413)
    assert.equal((await exchange(site.port, `${head('large')}Content-Length: 50001\r\n\r\n`)).status, 413)
    for (const [route, size, status] of [
      ['small', 150, 413],
      ['large', 40_000, 200],
      ['large', 55_000, 413],
    ] as const) {
      const connection = new RawConnection(site.port)
      connection.send(`${head(route)}Transfer-Encoding: chunked\r\n\r\n`)
      for (let sent = 0; sent < size; sent += 50) connection.send(`32\r\n${'a'.repeat(50)}\r\n`)
      // Without the last chunk a request that is not refused would wait.
      if (status === 200) connection.send('0\r\n\r\n')
      assert.equal((await connection.response()).status, status, `${route} ${size}`)
      connection.close()
    }
  })
