import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { until } from '../support/until.js'
import { skipWithoutWordPress } from '../support/wordpress/wordpress-site.js'
import { codesOf, openCompanionSite, type CompanionSite } from './companion-site.js'

describe('messages between the companion plugin and the service', { skip: skipWithoutWordPress() }, () => {
  let opened: CompanionSite | undefined
  let site: CompanionSite['site']
  let service: CompanionSite['service']
  let book: CompanionSite['book']
  let start: CompanionSite['start']
  let atPhp: CompanionSite['atPhp']
  let titleAtPhp: CompanionSite['titleAtPhp']
  before(async () => {
    opened = await openCompanionSite()
    ;({ site, service, book, start, atPhp, titleAtPhp } = opened)
  })
  after(() => opened?.close())

  it('takes notices again when the clock of the service was wrong and is set back', async (context) => {
    const clock = Date.now
    context.after(() => (Date.now = clock))
    const ahead = await start()
    await titleAtPhp()
    Date.now = () => clock() + 600_000
    await ahead.service.records.update(book, { title: 'Evelyn' })
    await until(() => codesOf(ahead).includes('companion-unreachable'), 'a line of the log')
    assert.match(String(ahead.log.at(-1)?.fields['err']), /refuses the time of the message/)
    Date.now = clock
    await until(async () => (await titleAtPhp()) === 'Evelyn', 'the new title')
    await ahead.service.records.update(book, { title: 'Emma' })
    await until(async () => (await titleAtPhp()) === 'Emma', 'the old title')
    await ahead.close()
  })

  const key = async () => String(await atPhp("hash_hmac( 'sha256', 'as-rest-route companion', wp_salt( 'auth' ) )"))
  const signed = (
    secret: string,
    direction: string,
    time: number,
    body: string,
    sender = randomBytes(8).toString('hex'),
  ) =>
    `${sender} ${time} ${createHmac('sha256', secret).update(`${direction}\n${sender}\n${time}\n${body}`).digest('hex')}`
  const now = () => Date.now() * 1000

  it('takes a message of the service once, with its signature and in its time', async () => {
    const secret = await key()
    const body = '[{"kind":"all"}]'
    const send = async (header: string, text = body) => {
      const response = await fetch(`${site.url}/?as_rest_route=notices`, {
        method: 'POST',
        headers: { 'x-as-rest-route': header },
        body: text,
      })
      return [response.status, ((await response.json()) as { refused: string | null }).refused]
    }
    const genuine = signed(secret, 'notices', now(), body)
    assert.deepEqual(
      await Promise.all([send(genuine), send(genuine)]).then((both) => both.map(([status]) => status).sort()),
      [200, 403],
    )
    assert.deepEqual(await send(genuine), [403, 'replayed'])
    assert.deepEqual(await send(signed(secret, 'notices', now(), body), '[]'), [403, 'signature'])
    assert.deepEqual(await send(signed('another key', 'notices', now(), body)), [403, 'signature'])
    assert.deepEqual(await send(signed(secret, 'changes', now(), body)), [403, 'signature'])
    assert.deepEqual(await send(signed(secret, 'notices', now() - 120_000_000, body)), [403, 'time'])
    assert.deepEqual(await send('nonsense'), [403, 'signature'])
  })

  it('the service takes a report of PHP once, with its signature and in its time', async () => {
    const secret = await key()
    const send = async (header: string, body = '[]') =>
      (
        await fetch(`${service.url}/as-rest-route/changes`, {
          method: 'POST',
          headers: { 'x-as-rest-route': header },
          body,
        })
      ).status
    const genuine = signed(secret, 'changes', now(), '[]')
    assert.deepEqual([await send(genuine), await send(genuine)], [204, 403])
    assert.equal(await send(signed(secret, 'changes', now(), '[]'), '[1]'), 403)
    assert.equal(await send(signed(secret, 'notices', now(), '[]')), 403)
    assert.equal(await send(signed(secret, 'changes', now() - 120_000_000, '[]')), 403)
    assert.equal(await send(signed(secret, 'changes', now(), '[]'), ' '.repeat(2000)), 403)
    assert.equal(await send('nonsense'), 403)
  })

  it('a site that does not answer holds up no request, and is named once in the log', async (context) => {
    const order: string[] = []
    const silent = createServer((socket) => socket.resume().once('close', () => order.push('given up'))).listen(
      0,
      '127.0.0.1',
    )
    await once(silent, 'listening')
    context.after(() => silent.close())
    const away = await start(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`)
    await away.service.records.update(book, { content: '0' })
    order.push('written')
    await until(() => order.includes('given up'))
    // A write that waited for its notice would end after the time limit of the message.
    assert.equal(order[0], 'written')
    for (let count = 1; count < 5; count += 1) await away.service.records.update(book, { content: `${count}` })
    await until(async () => codesOf(away).includes('companion-unreachable'), 'a line of the log')
    await away.close()
    assert.equal(codesOf(away).filter((code) => code === 'companion-unreachable').length, 1)
  })

  it('a write is told after its commit, and never where its transaction is rolled back', async (context) => {
    const told: unknown[] = []
    let committed = 0
    const php = createHttpServer((request, response) => {
      let body = ''
      request.on('data', (part) => (body += String(part)))
      request.on('end', () => {
        for (const notice of JSON.parse(body) as { kind: string; id?: number }[])
          if (notice.kind === 'post') told.push([notice.id, committed])
        response.end('{"refused":null}')
      })
    }).listen(0, '127.0.0.1')
    await once(php, 'listening')
    context.after(() => php.close())
    const { service: away, close } = await start(`http://127.0.0.1:${(php.address() as AddressInfo).port}`)
    const undone = away.records.transaction(async (records) => {
      await records.insert({ type: 'book', status: 'publish', title: 'Undone' })
      await setTimeout(100)
      throw new Error('undone')
    })
    await assert.rejects(undone, /undone/)
    const { id } = await away.records.transaction(async (records) => {
      const inserted = await records.insert({ type: 'book', status: 'publish', title: 'Told' })
      await setTimeout(100)
      committed = inserted.id
      return inserted
    })
    await until(() => told.length > 0)
    await setTimeout(100)
    assert.deepEqual(told, [[id, id]])
    await away.records.delete(id)
    await close()
  })

  it('takes notices at another address of PHP, and says when something else answers there', async () => {
    const other = await start(site.url.replace('127.0.0.1', 'localhost'))
    await titleAtPhp()
    await other.service.records.update(book, { title: 'Sense and Sensibility' })
    await until(async () => (await titleAtPhp()) === 'Sense and Sensibility', 'the new title')
    assert.deepEqual(codesOf(other), [])
    await other.close()
    const wrong = await start(service.url)
    await until(async () => codesOf(wrong).includes('companion-unreachable'), 'a line of the log')
    await wrong.close()
    const line = wrong.log.find(({ fields }) => fields['code'] === 'companion-unreachable')
    assert.match(String(line?.fields['err']), /not as the companion plugin/)
  })
})
