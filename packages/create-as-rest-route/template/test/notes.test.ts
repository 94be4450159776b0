import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTestService } from 'as-rest-route/testing'

const service = await startTestService(new URL('../app/', import.meta.url))
after(() => service.close())

test('everybody may read the notes', async () => {
  await service.records.insert({ type: 'note', title: 'Buy milk', status: 'publish' })
  const { status, body } = await service.get('/my-api/v1/notes')
  assert.equal(status, 200)
  assert.deepEqual(
    body.map((note: { title: string }) => note.title),
    ['Buy milk'],
  )
})

test('a number out of range is refused before the handler runs', async () => {
  const { status } = await service.get('/my-api/v1/notes', { query: { per_page: 101 } })
  assert.equal(status, 400)
})

test('an editor may write notes, a visitor may not', async () => {
  const created = await service.as('editor').post('/my-api/v1/notes', { title: 'Call Ann' })
  assert.equal(created.status, 201)
  const refused = await service.post('/my-api/v1/notes', { title: 'x' })
  assert.equal(refused.status, 401)
})
