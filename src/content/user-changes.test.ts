import assert from 'node:assert/strict'
import test from 'node:test'
import { aPost } from '../../test/contracts/storage/rows.js'
import type { UserChange } from './user.js'
import { openShop, mia } from '../../test/support/shop-users.js'

test('update replaces the role and does not change personal grants', async () => {
  const { users, storage } = await openShop()
  const { id } = await users.create(mia)
  await storage.users.meta.write(id, 'wp_capabilities', 'a:2:{s:6:"editor";b:1;s:6:"cook_x";b:1;}')
  await users.update(id, { role: 'author' })
  const author = await users.find(id)
  assert.deepEqual(author?.roles, ['author'])
  assert.equal(author?.capabilities.has('cook_x'), true)
  assert.equal(author?.capabilities.has('edit_others_posts'), false)
  assert.deepEqual(await storage.users.meta.read(id, 'wp_user_level'), ['2'])
  await users.update(id, { role: null })
  assert.deepEqual((await users.find(id))?.roles, [])
  await assert.rejects(users.update(id, { role: 'boss' }), { code: 'invalid_role' })
  await assert.rejects(users.update(id + 1, { role: 'author' }), { code: 'invalid_user_id' })
  await storage.close()
})

test('a new password ends every session and deletes the key for a password reset', async () => {
  const { users, storage } = await openShop()
  const { id } = await users.create(mia)
  await storage.users.meta.write(id, 'session_tokens', 'a:1:{s:1:"x";i:1;}')
  await storage.users.update(id, { user_activation_key: '1768478400:key' })
  await users.update(id, { password: 'another' })
  const { user_pass, user_activation_key } = (await storage.users.find({ id })) ?? {}
  assert.deepEqual({ user_pass, user_activation_key }, { user_pass: 'hash of another', user_activation_key: '' })
  assert.deepEqual(await storage.users.meta.read(id, 'session_tokens'), [])
  await assert.rejects(users.update(id, { password: '' }), { code: 'empty_password' })
  await assert.rejects(users.update(id + 1, { password: 'x' }), { code: 'invalid_user_id' })
  await storage.close()
})

test('update changes only the fields in its argument, and nothing when one of them is refused', async () => {
  const { users, storage } = await openShop()
  const { id } = await users.create(mia)
  await users.create({ login: 'ben', email: 'ben@shop.example', password: 'x' })
  await storage.users.meta.write(id, 'session_tokens', 'a:1:{s:1:"x";i:1;}')
  await users.update(id, { email: 'm@shop.example', displayName: 'Mia' })
  await users.update(id, { role: 'author', email: 'M@shop.example' })
  const user = await users.find(id)
  assert.deepEqual([user?.email, user?.displayName, user?.roles], ['M@shop.example', 'Mia', ['author']])
  assert.equal((await storage.users.find({ id }))?.user_pass, 'hash of secret')
  assert.equal((await storage.users.meta.read(id, 'session_tokens')).length, 1, 'only a new password ends sessions')
  const refusedChanges: [change: UserChange, code: string][] = [
    [{ role: 'queen' }, 'invalid_role'],
    [{ email: 'nowhere' }, 'invalid_email'],
    [{ email: 'ben@shop.example' }, 'existing_user_email'],
    [{ password: '' }, 'empty_password'],
    [{ displayName: 'x'.repeat(251) }, 'display_name_too_long'],
  ]
  for (const [change, code] of refusedChanges) {
    await assert.rejects(users.update(id, { role: 'editor', displayName: 'Other', ...change }), { code })
    assert.deepEqual(await users.find(id), user, code)
  }
  await storage.close()
})

test('delete removes a user and reassigns the records', async () => {
  const { users, storage } = await openShop()
  const { id } = await users.create(mia)
  const newAuthor = await users.create({ login: 'ben', email: 'ben@shop.example', password: 'x' })
  for (const status of ['publish', 'draft', 'trash']) await storage.posts.insert(recordOf(id, status))
  const recordsOf = (author: number) => storage.posts.count({ author, order: [], limit: 1, offset: 0 })
  await assert.rejects(users.delete(id, { reassign: id }), { code: 'invalid_reassign' })
  await assert.rejects(users.delete(id, { reassign: 999 }), { code: 'invalid_reassign' })
  assert.equal(await recordsOf(id), 3)
  assert.equal(await users.delete(id, { reassign: newAuthor.id }), true)
  assert.equal(await recordsOf(newAuthor.id), 3)
  assert.equal(await users.find('mia'), null)
  assert.deepEqual(await storage.users.meta.all(id), [])
  assert.equal(await users.delete(id), false)
  assert.equal(await users.delete(newAuthor.id), true)
  assert.equal(await recordsOf(newAuthor.id), 3)
  await storage.close()
})

test('delete reassigns 401 records', async () => {
  const { users, storage } = await openShop()
  const { id } = await users.create(mia)
  const newAuthor = await users.create({ login: 'ben', email: 'ben@shop.example', password: 'x' })
  await storage.transaction(async ({ posts }) => {
    for (let number = 0; number < 401; number += 1) await posts.insert(recordOf(id, 'publish'))
  })
  await users.delete(id, { reassign: newAuthor.id })
  assert.equal(await storage.posts.count({ author: newAuthor.id, order: [], limit: 1, offset: 0 }), 401)
  await storage.close()
})

const recordOf = (author: number, status: string) => aPost({ post_author: author, post_status: status })
