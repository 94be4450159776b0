import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AsRestRoute, inject, RecordStore, Users } from '../../src/index.js'
import { startTestService } from '../../src/testing.js'

class Office {
  constructor(
    private readonly records = inject(RecordStore),
    private readonly users = inject(Users),
  ) {}

  @AsRestRoute({ namespace: 'office/v1', route: '/members', method: 'POST', permission: 'public' })
  async join() {
    return this.records.transaction(async () => {
      const { id } = await this.users.create({ login: 'mia', email: 'mia@example.test', password: 'a long password' })
      await this.users.update(id, { firstName: 'Mia' })
      return [(await this.users.find('mia'))?.id === id, await this.users.count({ role: 'subscriber', search: 'mia' })]
    })
  }
}

// A database in memory has one connection, which the transaction holds.
test('a transaction on a database in memory reads and writes users', async (t) => {
  const service = await startTestService([Office])
  t.after(() => service.close())
  assert.deepEqual((await service.post('/office/v1/members')).body, [true, 1])
})
