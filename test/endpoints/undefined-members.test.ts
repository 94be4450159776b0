import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { NewRecord, NewTerm, NewUser, SeedTools, Term, UserChange, UserQuery } from '../../src/index.js'
import { EmptyApi } from './empty-api.js'
import { startService, type StartedService } from '../support/start-service.js'

/** What a handler hands on of arguments that may be absent. */
const nothing: string | undefined = process.env['NO_SUCH_VARIABLE']
const noNumber = nothing === undefined ? undefined : Number(nothing)

const record: NewRecord = {
  title: 'Momo',
  excerpt: nothing,
  parent: noNumber,
  date_gmt: nothing,
  menu_order: noNumber,
  password: nothing,
  comment_status: nothing,
  ping_status: nothing,
  type: nothing,
  status: nothing,
  content: nothing,
  slug: nothing,
  author: noNumber,
  date: nothing,
  meta: undefined,
  terms: undefined,
  id: noNumber,
}
const term: NewTerm = {
  name: 'Clocks',
  taxonomy: nothing,
  slug: nothing,
  description: nothing,
  parent: noNumber,
  id: noNumber,
}
const user: NewUser = {
  login: 'momo',
  email: 'momo@example.com',
  password: 'correct horse',
  role: nothing,
  displayName: nothing,
  id: noNumber,
}
const change: UserChange = { email: nothing, password: nothing, displayName: 'Momo', role: nothing }
const query: UserQuery = { role: nothing, search: nothing, page: noNumber, per_page: noNumber }

describe('what is undefined is as if it was left out', () => {
  let site: StartedService
  let createdTerm: Term | null = null
  before(async () => {
    const seed = async ({ terms }: SeedTools) => void (createdTerm = await terms.create(term))
    site = await startService([EmptyApi], { seed })
  })
  after(() => site.close())

  it('of a record, which gets its defaults', async () => {
    const { records } = site.service
    const [withUndefined, plain] = [await records.insert(record), await records.insert({ title: 'Momo' })]
    const said = ({ type, status, content, author, meta }: typeof withUndefined) => ({
      type,
      status,
      content,
      author,
      meta,
    })
    assert.deepEqual(said(withUndefined), said(plain))
  })

  it('of a user', async () => {
    const { users } = site.service
    const { id } = await users.create(user)
    await users.update(id, change)
    const created = await users.find(id)
    assert.deepEqual(
      [created?.roles, created?.displayName, created?.email],
      [['subscriber'], 'Momo', 'momo@example.com'],
    )
    assert.deepEqual(await users.list(query), await users.list())
  })

  it('of a term', () => {
    assert.deepEqual(createdTerm && { ...createdTerm, id: 0 }, {
      id: 0,
      taxonomy: 'category',
      name: 'Clocks',
      slug: 'clocks',
      description: '',
      parent: 0,
      count: 0,
    })
  })
})
