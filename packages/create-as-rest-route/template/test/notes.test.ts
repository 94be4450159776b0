import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { boot } from 'as-rest-route'

const service = await boot(new URL('../app/', import.meta.url), { database: 'sqlite::memory:' })
after(() => service.close())

const notes = 'http://localhost/wp-json/my-api/v1/notes'

test('everybody may read the notes', async () => {
  await service.records.insert({ type: 'note', title: 'Buy milk', status: 'publish' })
  const response = await service.fetch(new Request(notes))
  assert.equal(response.status, 200)
  assert.deepEqual(
    ((await response.json()) as { title: string }[]).map(({ title }) => title),
    ['Buy milk'],
  )
})

test('a number out of range is refused before the handler runs', async () => {
  const response = await service.fetch(new Request(`${notes}?per_page=101`))
  assert.equal(response.status, 400)
})

test('a visitor may not write notes', async () => {
  const response = await service.fetch(
    new Request(notes, { method: 'POST', body: new URLSearchParams({ title: 'x' }) }),
  )
  assert.equal(response.status, 401)
})
