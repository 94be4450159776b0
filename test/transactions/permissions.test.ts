import assert from 'node:assert/strict'
import { after, before, describe, it, test } from 'node:test'
import { AsRestRoute, currentUserCan, inject, RecordStore, type RestRequest, Users } from '../../src/index.js'
import { startTestService, type TestService } from '../../src/testing.js'
import { storeKinds } from '../support/store-kinds.js'

class ExpectedError extends Error {}

const declared = { namespace: 'office/v1', method: 'POST', permission: 'public' } as const
const note = { type: 'note', status: 'publish', title: 'Note' }

class Office {
  static opened: Office | null = null
  /** Work that a request does inside a transaction. */
  static work: () => Promise<unknown> = async () => null

  constructor(
    private readonly records = inject(RecordStore),
    readonly users = inject(Users),
  ) {
    Office.opened = this
  }

  @AsRestRoute({ ...declared, route: '/notes' })
  write() {
    return this.records.transaction(async (records) => {
      const { id } = await records.insert(note)
      const whileOpen = [await currentUserCan('edit_post', id), await currentUserCan('read_post', id)]
      await records.update(id, { status: 'trash' })
      return { whileOpen, id, inTrash: await currentUserCan('read_post', id) }
    })
  }

  @AsRestRoute({ ...declared, route: '/undone' })
  async undo() {
    let id = 0
    let inside = false
    const undone = this.records.transaction(async (records) => {
      id = (await records.insert(note)).id
      inside = await currentUserCan('edit_post', id)
      throw new ExpectedError()
    })
    await assert.rejects(undone, ExpectedError)
    return { inside, after: await currentUserCan('edit_post', id) }
  }

  @AsRestRoute({ ...declared, route: '/locked' })
  lock(request: RestRequest) {
    return this.records.transaction(async (records) => {
      const { id } = await records.insert({ ...note, password: 'secret' })
      return request.requiresPassword(id)
    })
  }

  @AsRestRoute({ ...declared, route: '/work' })
  work() {
    return this.records.transaction(() => Office.work())
  }
}

const options = { record_types: { note: {} } }

for (const kind of storeKinds)
  describe(`permissions inside a transaction on ${kind.name}`, { skip: kind.skip }, () => {
    let service: TestService
    let drop: () => Promise<void> | void = () => undefined
    before(async () => {
      const database = await kind.create()
      drop = database.drop
      service = await startTestService([Office], { ...options, database: database.url })
    })
    after(async () => {
      await service?.close()
      await drop()
    })

    it('depend on what the transaction has written', async () => {
      const { body } = await service.as('administrator').post('/office/v1/notes')
      assert.deepEqual(body, { id: body.id, whileOpen: [true, true], inTrash: true })
      assert.deepEqual((await service.post('/office/v1/notes')).status, 200)
    })

    it('depend no longer on what was undone', async () => {
      const { body } = await service.as('administrator').post('/office/v1/undone')
      assert.deepEqual(body, { inside: true, after: false })
    })

    it('say whether a record that the transaction has inserted needs a password', async () => {
      assert.equal((await service.post('/office/v1/locked')).body, true)
      assert.equal((await service.as('administrator').post('/office/v1/locked')).body, false)
    })
  })

// A database in memory has one connection, which the transaction holds.
test('a transaction on a database in memory asks for permissions and passwords', async (t) => {
  const service = await startTestService([Office], options)
  t.after(() => service.close())
  const { body } = await service.as('administrator').post('/office/v1/notes')
  assert.deepEqual(body, { id: body.id, whileOpen: [true, true], inTrash: true })
  assert.equal((await service.post('/office/v1/locked')).body, true)
})

test('application passwords take part in a transaction, and none is left when it is undone', async (t) => {
  const service = await startTestService([Office], options)
  t.after(() => service.close())
  const { id } = (await service.users.find('editor')) ?? assert.fail()
  const { applicationPasswords } = service
  const create = async () => {
    const { password } = await applicationPasswords.create(id, { name: 'till' })
    return [(await applicationPasswords.list(id)).length, password] as const
  }
  const me = async (password: string) => {
    const headers = { Authorization: `Basic ${btoa(`editor:${password}`)}` }
    return (await service.get('/wp/v2/users/me', { headers })).status
  }
  let undone = ''
  Office.work = async () => {
    const [count, password] = await create()
    assert.deepEqual([count, await applicationPasswords.inUse()], [1, true])
    undone = password
    throw new ExpectedError()
  }
  assert.equal((await service.post('/office/v1/work')).status, 500)
  assert.deepEqual([await applicationPasswords.list(id), await applicationPasswords.inUse()], [[], false])
  assert.equal(undone.length, 24)
  Office.work = create
  const [count, password] = (await service.post('/office/v1/work')).body as [number, string]
  assert.deepEqual([count, await applicationPasswords.inUse(), await me(password)], [1, true, 200])
})
