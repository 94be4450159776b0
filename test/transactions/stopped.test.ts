import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { AsRestRoute, inject, RecordStore } from '../../src/index.js'
import { startService } from '../support/start-service.js'
import { storeKinds } from '../support/store-kinds.js'

class Hanging {
  static readonly begun = new EventTarget()

  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ namespace: 'hanging/v1', route: '/hang', method: 'POST', permission: 'public' })
  async hang() {
    return this.records.transaction(async (records) => {
      await records.insert({ title: 'Never committed', status: 'publish' })
      Hanging.begun.dispatchEvent(new Event('begun'))
      return new Promise<never>(() => {})
    })
  }

  @AsRestRoute({ namespace: 'hanging/v1', route: '/titles', permission: 'public' })
  async titles() {
    return (await this.records.list({ type: 'post' })).map(({ title }) => title)
  }
}

for (const kind of storeKinds)
  describe(`a stop on ${kind.name}`, { skip: kind.skip }, () => {
    it('rolls back a transaction that does not end, within the time of a supervisor', { timeout: 60_000 }, async () => {
      const database = await kind.create()
      try {
        const hung = await startService([Hanging], { database: database.url })
        const begun = once(Hanging.begun, 'begun')
        const response = fetch(`${hung.url}/wp-json/hanging/v1/hang`, { method: 'POST' })
        await Promise.all([begun, Promise.race([response, begun])])
        const started = performance.now()
        await Promise.all([assert.rejects(response), hung.service.close({ gracePeriod: 100 })])
        // Before a supervisor ends the service. A transaction may take twice as long.
        assert.ok(performance.now() - started < 15_000)
        const again = await startService([Hanging], { database: database.url })
        assert.deepEqual(await (await fetch(`${again.url}/wp-json/hanging/v1/titles`)).json(), [])
        await again.close()
      } finally {
        await database.drop()
      }
    })
  })
