import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestService } from 'as-rest-route/testing'
import { storeKinds, type StoreKind } from '../support/store-kinds.js'
import { until } from '../support/until.js'

interface Sale {
  readonly cursor: string
  readonly ticket: number
}

/** Reads the sales of the box office until the signal. @returns what has arrived so far, which grows. */
async function watch(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<readonly Sale[]> {
  const response = await fetch(`${url}/wp-json/events/v1/sales`, { headers, signal })
  assert.equal(response.status, 200)
  const sales: Sale[] = []
  const read = async () => {
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += new TextDecoder().decode(chunk)
      const events = [...text.matchAll(/^event: ticket\nid: (\d+)\ndata: \{"id":(\d+),/gm)]
      for (const [, cursor = '', ticket] of events.slice(sales.length)) sales.push({ cursor, ticket: Number(ticket) })
    }
  }
  read().catch(() => undefined)
  return sales
}

/** The service of the events example with a box office that watches. */
async function boxOffice(t: TestContext, { create }: StoreKind) {
  const { url: database, drop } = await create()
  t.after(drop)
  const service = await startTestService(new URL('../../examples/events/', import.meta.url), { database })
  t.after(() => service.close())
  const { url } = await service.service.listen({ port: 0 })
  const editor = await service.users.find('editor')
  const { password } = await service.applicationPasswords.create(editor?.id ?? 0, { name: 'Box office' })
  const authorization = { Authorization: `Basic ${btoa(`editor:${password}`)}` }
  // MariaDB locks the slugs between two that exist while a transaction makes one of them.
  await service.records.insert({ type: 'post', title: 'Fun', status: 'publish' })
  const titles = ['Front row', 'Gallery', 'Balcony', 'Box', 'Standing'].values()
  // Two with one title would wait for each other, because their slugs must differ.
  const sell = (records: Pick<typeof service.records, 'insert'>) =>
    records.insert({
      type: 'ticket',
      status: 'publish',
      title: titles.next().value ?? '',
      meta: { email: 'a@example.com' },
    })
  const staying = new AbortController()
  const leaving = new AbortController()
  t.after(() => staying.abort())
  return {
    service,
    sell,
    leave: () => leaving.abort(),
    open: await watch(url, authorization, staying.signal),
    interrupted: await watch(url, authorization, leaving.signal),
    watchAgain: (sales: readonly Sale[]) =>
      watch(url, { ...authorization, 'Last-Event-ID': sales[0]?.cursor ?? '' }, staying.signal),
  }
}

const tickets = (sales: readonly Sale[]) => sales.map(({ ticket }) => ticket)

for (const kind of storeKinds) {
  const { name, skip } = kind
  if (name === 'SQLite')
    test('tickets reach streams in the order of their transactions, which wait for each other (SQLite)', async (t) => {
      const { service, sell, leave, open, interrupted, watchAgain } = await boxOffice(t, kind)
      const transaction = new EventEmitter()
      const inserted = once(transaction, 'inserted') as Promise<[id: number]>
      const committing = once(transaction, 'commit')
      const slow = service.records.transaction(async (records) => {
        transaction.emit('inserted', (await sell(records)).id)
        await committing
      })
      const [first] = await inserted
      let isStored = false
      const second = sell(service.records).then(({ id }) => {
        isStored = true
        return id
      })
      // The stream reads twice a second.
      await sleep(1_200)
      assert.deepEqual([isStored, tickets(open)], [false, []])
      transaction.emit('commit')
      await slow
      assert.ok((await second) > first)
      await until(() => open.length === 2 && interrupted.length === 2)
      for (const sales of [open, interrupted]) assert.deepEqual(tickets(sales), [first, await second])
      leave()
      const third = (await sell(service.records)).id
      const resumed = await watchAgain(interrupted)
      await until(() => open.length === 3 && resumed.length === 3)
      for (const sales of [open, resumed]) assert.deepEqual(tickets(sales), [first, await second, third])
    })
  else
    test(
      `a ticket whose transaction commits late reaches open streams and those that connect again (${name})`,
      { skip },
      async (t) => {
        const { service, sell, leave, open, interrupted, watchAgain } = await boxOffice(t, kind)
        const transaction = new EventEmitter()
        const inserted = once(transaction, 'inserted') as Promise<[id: number]>
        const committing = once(transaction, 'commit')
        const slow = service.records.transaction(async (records) => {
          transaction.emit('inserted', (await sell(records)).id)
          await committing
        })
        const [late] = await inserted
        const early = (await sell(service.records)).id
        assert.ok(early > late)
        await until(() => open.length === 1 && interrupted.length === 1)
        assert.deepEqual([tickets(open), tickets(interrupted)], [[early], [early]])
        leave()
        transaction.emit('commit')
        await slow

        await until(() => open.length === 2)
        assert.deepEqual(tickets(open), [early, late])
        const resumed = await watchAgain(interrupted)
        await until(() => resumed.length === 2)
        assert.deepEqual(tickets(resumed), [late, early])

        // When no transaction can be that old, the streams go on after the tickets, and send none twice.
        const { now } = Date
        t.mock.method(Date, 'now', () => now() + 65_000)
        service.clock.advance(65_000)
        const next: number[] = []
        for (const length of [3, 4]) {
          next.push((await sell(service.records)).id)
          await until(() => open.length === length)
        }
        assert.deepEqual(tickets(open), [early, late, ...next])
        assert.equal(open.at(-1)?.cursor, String(early))
      },
    )
}
