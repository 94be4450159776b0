import assert from 'node:assert/strict'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { boot } from '../../src/index.js'
import { storeKinds } from '../support/store-kinds.js'
import { ticketOptions, TicketsApi } from './tickets-api.js'
import { typescriptArguments } from '../support/typescript.js'

const program = fileURLToPath(new URL('./ticket-office.ts', import.meta.url))
const processes = 4
const buyers = 200
const capacity = 50

interface TicketOffice {
  readonly process: ChildProcess
  readonly url: string
}

async function openOffice(database: string): Promise<TicketOffice> {
  const child = fork(program, [database], { execArgv: typescriptArguments })
  const [url] = (await once(child, 'message')) as [string]
  return { process: child, url }
}

async function closeOffice({ process: child }: TicketOffice): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}

/** @returns the id of the order; null when the tickets are sold out or the process is gone. */
async function buy(office: TicketOffice, eventId: number): Promise<number | null> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const response = await fetch(`${office.url}/wp-json/tickets/v1/events/${eventId}/tickets`, {
      method: 'POST',
    }).catch(() => null)
    if (response === null) return null
    const body = (await response.json()) as { id: number; code?: string }
    if (response.status === 201) return body.id
    if (response.status === 409) return null
    // Too many conflicts at once: a client tries again.
    assert.equal(response.status, 503, JSON.stringify(body))
  }
  throw new Error('A buyer got nothing but 503.')
}

for (const kind of storeKinds)
  describe(`${buyers} buyers in ${processes} processes on ${kind.name}`, { skip: kind.skip }, () => {
    it(`buy exactly ${capacity} tickets, while one process is killed in the middle`, async () => {
      const database = await kind.create()
      const service = await boot([TicketsApi], ticketOptions(database.url))
      const concert = { type: 'event', status: 'publish', title: 'Concert', meta: { capacity, sold: 0 } }
      const { id } = await service.records.insert(concert)
      const offices = await Promise.all(Array.from({ length: processes }, () => openOffice(database.url)))
      try {
        let sales = 0
        const results = await Promise.all(
          Array.from({ length: buyers }, async (_, index) => {
            const orderId = await buy(offices[index % processes] as TicketOffice, id)
            if (orderId !== null) sales += 1
            if (sales === 10) offices[0]?.process.kill('SIGKILL')
            return orderId
          }),
        )
        const acknowledged = results.filter((orderId) => orderId !== null)
        const orders = await service.records.list({ type: 'ticket_order', parent: id, per_page: -1, fields: ['id'] })
        const event = await service.records.get(id)
        assert.equal(event?.meta['sold'], capacity)
        assert.equal(orders.length, capacity)
        const ids = new Set(orders.map((order) => order.id))
        assert.deepEqual(
          acknowledged.filter((orderId) => !ids.has(orderId)),
          [],
          'an acknowledged order is stored',
        )
        assert.equal(new Set(acknowledged).size, acknowledged.length)
      } finally {
        await Promise.all(offices.map(closeOffice))
        await service.close()
        await database.drop()
      }
    })
  })
