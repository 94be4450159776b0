import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { startTestService } from 'as-rest-route/testing'
import { storeKinds } from '../support/store-kinds.js'
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
      const found = [...text.matchAll(/^event: ticket\nid: (\d+)\ndata: \{"id":(\d+),/gm)]
      for (const [, cursor = '', ticket] of found.slice(sales.length)) sales.push({ cursor, ticket: Number(ticket) })
    }
  }
  read().catch(() => undefined)
  return sales
}

for (const { name, skip, create } of storeKinds.filter((kind) => kind.name === 'PostgreSQL'))
  test(
    `a ticket whose transaction commits late reaches open streams and those that connect again (${name})`,
    { skip },
    async (t) => {
      const { url: database, drop } = await create()
      t.after(drop)
      const service = await startTestService(new URL('../../examples/events/', import.meta.url), { database })
      t.after(() => service.close())
      const { url } = await service.service.listen({ port: 0 })
      const editor = await service.users.find('editor')
      const { password } = await service.applicationPasswords.create(editor?.id ?? 0, { name: 'Box office' })
      const headers = { Authorization: `Basic ${btoa(`editor:${password}`)}` }
      const titles = ['Front row', 'Gallery', 'Balcony', 'Box', 'Standing'].values()
      // Two with one title would wait for each other, because their slugs must differ.
      const sell = (records: Pick<typeof service.records, 'insert'>) =>
        records.insert({
          type: 'ticket',
          status: 'publish',
          title: titles.next().value ?? '',
          meta: { email: 'a@example.com' },
        })
      const tickets = (sales: readonly Sale[]) => sales.map(({ ticket }) => ticket)

      const staying = new AbortController()
      const leaving = new AbortController()
      t.after(() => staying.abort())
      const open = await watch(url, headers, staying.signal)
      const interrupted = await watch(url, headers, leaving.signal)

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
      leaving.abort()
      transaction.emit('commit')
      await slow

      await until(() => open.length === 2)
      assert.deepEqual(tickets(open), [early, late])
      const again = { ...headers, 'Last-Event-ID': interrupted[0]?.cursor ?? '' }
      const resumed = await watch(url, again, staying.signal)
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
