import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { areAlike, isOnPurpose, responseOf, type ReceivedResponse } from './compare.js'

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

describe('responses about users', () => {
  const sent = { method: 'POST', path: '/wp-json/wp/v2/users/me/application-passwords', headers: {} }
  const response = (body: object, headers = {}, status = 201): ReceivedResponse => ({
    status,
    headers,
    body: JSON.stringify(body),
  })
  const createdPassword = (uuid: string, password: string, name = 'a'): ReceivedResponse =>
    response({ uuid, name, created: new Date().toISOString().slice(0, 19), password }, { location: `/${uuid}` })

  it('are alike apart from the time, and from what is random', () => {
    const php = createdPassword('d2582b79-15e2-4f88-a565-22aa8f8f4db3', 'iZDQ zC84 RY14 l1s7 cwA7 efrm')
    const here = createdPassword('9a301151-42bc-4abc-bfd3-be4b1634b237', 'cFrP yVFi x94e BpTr GxsQ KJKj')
    assert.ok(areAlike(sent, php, here, false))
    assert.ok(!areAlike(sent, php, createdPassword('x', 'cFrP yVFi x94e BpTr GxsQ KJKj'), false))
    assert.ok(!areAlike(sent, php, createdPassword('9a301151-42bc-4abc-bfd3-be4b1634b237', ''), false))
    assert.ok(!areAlike(sent, php, { ...here, body: here.body.replace('"a"', '"b"') }, false))
    assert.ok(!areAlike(sent, php, { ...here, headers: {} }, false))
  })

  it('are alike apart from the hints of newer versions, also in an indented body', () => {
    const linked = (link: object): ReceivedResponse => ({
      ...response({}),
      body: JSON.stringify({ _links: { self: [link] } }, null, 4),
    })
    const here = linked({ href: '/me', targetHints: { allow: ['GET', 'POST'] } })
    assert.ok(areAlike(sent, linked({ href: '/me' }), here, true))
    assert.ok(!areAlike(sent, linked({ href: '/me' }), here, false))
    assert.ok(!areAlike(sent, linked({ href: '/other' }), here, true))
  })

  it('differ on purpose where a rule says so, and in nothing else', () => {
    const refused = response({ code: 'empty_user_nicename' }, {}, 400)
    assert.ok(isOnPurpose(sent, response({}, {}, 500), refused, false))
    assert.ok(isOnPurpose(sent, response({}, {}, 200), refused, true))
    assert.ok(!isOnPurpose(sent, response({}, {}, 200), refused, false))
    assert.ok(!isOnPurpose(sent, response({}, {}, 500), response({}, {}, 400), true))
    assert.ok(!isOnPurpose({ ...sent, path: '/wp-json/made/v1/items' }, response({}, {}, 500), refused, true))
  })
})
