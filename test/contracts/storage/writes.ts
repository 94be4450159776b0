import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Storage } from '../../../src/database/storage.js'
import { aPost, aUser } from './rows.js'

export function writeContract(storage: () => Storage): void {
  /** Whether `work` began a write. */
  async function writes(work: () => Promise<unknown>): Promise<boolean> {
    const before = storage().writes()
    await work()
    return storage().writes() > before
  }

  const id = async () => (await storage().users.find({ login: 'ann' }))?.ID ?? 0
  const writing: [what: string, work: () => Promise<unknown>][] = [
    ['a user', () => storage().users.insert(aUser({ user_login: 'ann' }))],
    ['metadata of a user', async () => storage().users.meta.write(await id(), 'colour', 'red')],
    ['a post', () => storage().posts.insert(aPost())],
    ['a term', () => storage().terms.insert({ taxonomy: 'category', name: 'A', slug: 'a' })],
    ['an option', () => storage().options.write('blogname', 'Shop')],
    ['the removal of an option', () => storage().options.remove('blogname')],
    ['a write', () => storage().write(({ options }) => options.write('a', '1'))],
    ['a transaction', () => storage().transaction(({ options }) => options.write('a', '2'))],
    [
      'a part of a transaction',
      () => storage().transaction((inside) => inside.write(({ options }) => options.write('a', '3'))),
    ],
    ['one that fails', () => assert.rejects(storage().users.insert(aUser({ ID: 1, user_login: 'ann' })))],
    ['one that is taken back', () => assert.rejects(storage().transaction(() => Promise.reject(new Error('no'))))],
  ]
  for (const [what, work] of writing) it(`count ${what}`, async () => assert.equal(await writes(work), true))

  const reading: [what: string, work: () => Promise<unknown>][] = [
    ['a user', () => storage().users.find({ login: 'ann' })],
    ['posts', async () => storage().posts.findWithMeta([1])],
    ['a list', async () => storage().posts.count({ order: [], limit: 1, offset: 0 })],
    ['an option', () => storage().options.read('a')],
    ['versions', () => storage().versions()],
    ['the change token', async () => storage().changeToken()],
    ['a result', () => storage().ping()],
  ]
  for (const [what, work] of reading)
    it(`reading ${what} counts as no write`, async () => assert.equal(await writes(work), false))
}
