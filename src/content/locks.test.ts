import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { aUser } from '../../test/contracts/storage/rows.js'
import { ApplicationPasswords } from '../auth/application-passwords.js'
import { StoredRoles } from '../auth/roles.js'
import { openSqlite } from '../database/sqlite/open-sqlite.js'
import type { Storage } from '../database/storage.js'
import { anonymous } from '../http/caller.js'
import { RecordTypes } from './record-types.js'
import { Records } from './records.js'
import { siteFrom } from './site.js'
import { Terms } from './terms.js'
import { Users } from './users.js'

const stored = await openSqlite('sqlite::memory:')
after(() => stored.close())

/** What is called in a transaction, in order. */
let calls: string[] = []

/** An object whose calls are noted, with the names that are locked. */
function noting<T extends object>(target: T, path: string): T {
  return new Proxy(target, {
    get(own, name) {
      const value: unknown = Reflect.get(own, name, own)
      if (typeof value === 'object' && value !== null) return noting(value, `${path}${String(name)}.`)
      if (typeof value !== 'function') return value
      return (...values: unknown[]): unknown => {
        calls.push(name === 'lock' ? `lock ${(values[0] as string[]).join(' ')}` : `${path}${String(name)}`)
        return Reflect.apply(value, own, values) as unknown
      }
    },
  })
}

const storage: Storage = {
  ...stored,
  write: (work, prepare) => stored.write((inside) => work(noting(inside, '')), prepare),
  transaction: (work) => stored.transaction((inside) => work(noting(inside, ''))),
}
const clock = (): number => Date.parse('2026-01-15T12:00:00Z')
const types = new RecordTypes({ product: { public: true } })
const records = new Records({ storage, types, site: siteFrom(new Map()), clock, caller: () => anonymous })
const hasher = { hash: async () => 'hash', verify: async () => true, needsRehash: () => false }
const roles = await new StoredRoles(storage, 'wp_').ensure()
const users = new Users({ storage, hasher, roles, clock, prefix: 'wp_' })
const terms = new Terms(storage)
const product = { type: 'product', status: 'publish' } as const
const tea = await records.insert({ ...product, title: 'Tea' })
const draft = await records.insert({ type: 'product', status: 'draft', title: 'Draft', slug: 'tea-bag' })
const mia = await stored.users.insert(aUser({ user_login: 'mia', user_nicename: 'mia', user_email: 'mia@shop.test' }))
await terms.create({ name: '!' })

/** The locks, and the first call after each of them. */
const cases: [work: string, run: () => Promise<unknown>, locks: readonly string[]][] = [
  [
    'a new record',
    () => records.insert({ ...product, title: 'Green Teä' }),
    ['lock slug:green-tea', 'posts.slugTaken'],
  ],
  [
    'a new record of a taken slug',
    () => records.insert({ ...product, title: 'Tea' }),
    // SQLite has one writer at a time: between the look and the lock, no other one can store `tea-2`. So there is no second look.
    ['lock slug:tea', 'posts.slugTaken', 'lock slug:tea-2', 'posts.insert'],
  ],
  [
    'a new record whose slug ends with a number',
    () => records.insert({ ...product, title: 'Tea 2 3' }),
    ['lock slug:tea-2-3', 'posts.slugTaken'],
  ],
  [
    'a new record with an id',
    () => records.insert({ ...product, title: 'Known', id: 900 }),
    ['lock post:900', 'posts.find', 'lock slug:known', 'posts.slugTaken'],
  ],
  ['a draft', () => records.insert({ type: 'product', status: 'draft', title: 'Draft', slug: 'tea-bag' }), []],
  [
    'an update that keeps the slug',
    () => records.update(tea.id, { content: 'x' }),
    [`lock post:${tea.id}`, 'posts.find'],
  ],
  [
    'a draft that is published',
    () => records.update(draft.id, { status: 'publish' }),
    [
      `lock post:${draft.id}`,
      'posts.find',
      'lock slug:tea-bag',
      'posts.slugTaken',
      'lock slug:tea-bag-2',
      'posts.update',
    ],
  ],
  [
    'a record that is renamed',
    () => records.update(tea.id, { slug: 'Chai' }),
    [`lock post:${tea.id}`, 'posts.find', 'lock slug:chai', 'posts.slugTaken'],
  ],
  [
    'a record that gets another parent',
    () => records.update(tea.id, { parent: draft.id }),
    [
      `lock post:${tea.id}`,
      'posts.find',
      `lock post:${draft.id}`,
      'posts.findWithMeta',
      'lock slug:chai',
      'posts.slugTaken',
    ],
  ],
  ['a record that is deleted', () => records.delete(tea.id), [`lock post:${tea.id}`, 'posts.find']],
  ['a new user', () => users.create({ login: 'Mia', email: 'm@shop.test', password: 'x' }).catch(() => undefined), []],
  [
    'a new user with a taken nicename',
    () => users.create({ login: 'MIA.', email: 'Mia2@shop.test', password: 'x', id: 50 }),
    ['lock login:mia. email:mia2@shop.test nicename:mia user:50', 'users.find'],
  ],
  [
    'a user who changes address and nicename',
    () => users.update(mia, { email: 'new@shop.test', nicename: 'New' }),
    [`lock user:${mia} email:new@shop.test`, 'users.findWithMeta', 'lock nicename:new', 'users.firstFreeNicename'],
  ],
  ['a user who is deleted', () => users.delete(50), ['lock user:50', 'users.find']],
  ['a new term', () => terms.create({ name: 'Oil' }), ['lock term:category:oil', 'terms.find']],
  [
    'a term whose name makes no slug',
    () => terms.create({ name: '?' }),
    ['lock term:category:term', 'terms.firstFreeSlug'],
  ],
  [
    'an application password',
    () => new ApplicationPasswords(storage, clock).create(mia, { name: 'client' }),
    [`lock user:${mia}`, 'users.find'],
  ],
]
for (const [work, run, locks] of cases)
  test(`${work}: names are locked before it is looked whether they are free`, async () => {
    calls = []
    await run()
    const locked = calls.flatMap((call, index) => (call.startsWith('lock') ? [call, calls[index + 1]] : []))
    assert.deepEqual(locked, locks, calls.join(', '))
  })
