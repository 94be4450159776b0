import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { failuresIn } from '../../conformance/replay/failures.js'
import { aUser } from '../../test/contracts/storage/rows.js'
import { openSite, recordedSite } from '../../test/authentication-site.js'
import { serialize } from '../php/serialize.js'
import { viewOfApplicationPassword } from './application-password-view.js'
import { applicationPasswordsKey, parseApplicationPasswords } from './application-passwords.js'

const site = await openSite()
after(() => site.close())
const passwords = site.applicationPasswords
for (const id of [2, 3, 4, 5, 6, 7])
  if ((await site.storage.users.find({ id })) === null)
    await site.storage.users.insert(aUser({ ID: id, user_login: `user ${id}`, user_email: `user${id}@shop.example` }))

test('recorded: auth-application-passwords', async () =>
  assert.deepEqual(await failuresIn('auth-application-passwords'), []))

test('a new password is shown once; what is stored is its hash', async () => {
  assert.equal(await passwords.inUse(), false)
  const { password, item } = await passwords.create(2, { name: 'phone' })
  assert.match(password, /^[A-Za-z0-9]{24}$/)
  assert.equal(await passwords.inUse(), true)
  assert.equal(await site.storage.options.read('using_application_passwords'), '1')
  const [stored = ''] = await site.storage.users.meta.read(2, applicationPasswordsKey)
  assert.deepEqual(parseApplicationPasswords(stored), [item])
  assert.ok(!stored?.includes(password))
  assert.deepEqual(Object.keys(item), ['uuid', 'app_id', 'name', 'password', 'created', 'last_used', 'last_ip'])
  assert.deepEqual(viewOfApplicationPassword(item), {
    uuid: item.uuid,
    app_id: '',
    name: 'phone',
    created: '2026-01-15T12:00:00',
    last_used: null,
    last_ip: null,
  })
})

test('passwords are listed, found, renamed and revoked', async () => {
  const { item: one } = await passwords.create(3, { name: 'one', appId: '00000000-0000-4000-8000-000000000000' })
  const { item: two } = await passwords.create(3, { name: 'two' })
  assert.deepEqual(await passwords.list(3), [one, two])
  assert.deepEqual(await passwords.find(3, two.uuid), two)
  assert.deepEqual(await passwords.rename(3, one.uuid, 'first'), { ...one, name: 'first' })
  assert.equal((await passwords.find(3, one.uuid))?.name, 'first')
  assert.equal(await passwords.rename(3, 'unknown', 'x'), null)
  assert.deepEqual(await passwords.revoke(3, two.uuid), two)
  assert.equal(await passwords.revoke(3, two.uuid), null)
  assert.equal(await passwords.find(2, one.uuid), null)
  assert.equal(await passwords.revokeAll(3), 1)
  assert.deepEqual(await passwords.list(3), [])
})

test('a user has at most 200 passwords, made at the same time too, and names of 255 characters', async () => {
  for (let count = 0; count < 195; count += 1) await passwords.create(6, { name: `${count}` })
  const last = await Promise.allSettled(Array.from({ length: 10 }, () => passwords.create(6, { name: 'one more' })))
  assert.equal(last.filter(({ status }) => status === 'fulfilled').length, 5)
  const all = await passwords.list(6)
  assert.equal(all.length, 200)
  const tooMany = { name: 'ApplicationPasswordRejectedError', code: 'too_many_application_passwords' }
  await assert.rejects(passwords.create(6, { name: 'one more' }), tooMany)
  await passwords.revoke(6, all[0]?.uuid ?? '')
  await passwords.create(6, { name: '😀'.repeat(255) })
  const tooLong = { name: 'ApplicationPasswordRejectedError', code: 'application_password_name_too_long' }
  await assert.rejects(passwords.create(3, { name: '😀'.repeat(256) }), tooLong)
})

test('changes at the same time undo nothing', async () => {
  const { item } = await passwords.create(4, { name: 'revoked meanwhile' })
  const made = await Promise.all([
    ...Array.from({ length: 20 }, (_, index) => passwords.create(4, { name: `${index}` })),
    passwords.revoke(4, item.uuid),
  ])
  assert.equal(made.length, 21)
  const names = (await passwords.list(4)).map(({ name }) => name).sort()
  assert.deepEqual(names, Array.from({ length: 20 }, (_, index) => `${index}`).sort())
})

test('the last use is noted once a day', async () => {
  const { item } = await passwords.create(5, { name: 'robot' })
  const use = async (address: string) => {
    const current = await passwords.find(5, item.uuid)
    assert.ok(current)
    await passwords.recordUse(5, current, address)
    const noted = await passwords.find(5, item.uuid)
    return [noted?.last_used, noted?.last_ip]
  }
  const now = recordedSite.now
  assert.deepEqual(await use('192.0.2.1'), [now, '192.0.2.1'])
  site.time.now = now + 86_399
  assert.deepEqual(await use('192.0.2.2'), [now, '192.0.2.1'])
  site.time.now = now + 86_400
  assert.deepEqual(await use('192.0.2.3'), [now + 86_400, '192.0.2.3'])
  site.time.now = now
})

test('a use that is being noted is not waited for, or noted, a second time', async () => {
  const { item } = await passwords.create(5, { name: 'busy' })
  const first = passwords.recordUse(5, item, '192.0.2.1')
  assert.notEqual(first, null)
  assert.equal(passwords.recordUse(5, item, '192.0.2.2'), null)
  await first
  assert.equal((await passwords.find(5, item.uuid))?.last_ip, '192.0.2.1')
  // Somebody who read the password before that, in this process or in another one.
  await passwords.recordUse(5, item, '192.0.2.3')
  assert.equal((await passwords.find(5, item.uuid))?.last_ip, '192.0.2.1')
})

test('what a plugin has stored with a password stays there when it is used', async () => {
  const entry = { uuid: 'u', app_id: '', name: 'n', password: 'p', created: 1, last_used: null, last_ip: null }
  const withMore = { ...entry, scope: 'read' }
  await site.storage.users.meta.write(6, applicationPasswordsKey, serialize([withMore]))
  await passwords.recordUse(6, entry, '192.0.2.1')
  const used = { ...withMore, last_used: recordedSite.now, last_ip: '192.0.2.1' }
  assert.deepEqual(await passwords.list(6), [used])
})

test('a list with gaps, as WordPress leaves it, and damaged entries are read as what they are', () => {
  const entry = { uuid: 'u', app_id: '', name: 'n', password: 'p', created: 1, last_used: null, last_ip: null }
  assert.deepEqual(parseApplicationPasswords(serialize({ 2: entry, 5: 'x', 7: { uuid: 'v' } })), [entry])
  for (const text of [null, '', 'x', 'a:1:{', 'i:1;']) assert.deepEqual(parseApplicationPasswords(text), [])
})

test('what is not text is refused as a name, and costs no other password', async () => {
  const { item } = await passwords.create(7, { name: 'Phone' })
  const refused = { name: 'ApplicationPasswordRejectedError', code: 'application_password_not_text' }
  await assert.rejects(passwords.create(7, { name: 'one byte \udcff' }), refused)
  await assert.rejects(passwords.create(7, { name: 'x', appId: '\udcff' }), refused)
  await assert.rejects(passwords.rename(7, item.uuid, '\udcff'), refused)
  await passwords.create(7, { name: 'Tablet' })
  assert.deepEqual(
    (await passwords.list(7)).map(({ name }) => name),
    ['Phone', 'Tablet'],
  )
})

test('nobody gets a password who is not there', async () => {
  const invalid = { name: 'ApplicationPasswordRejectedError', code: 'invalid_user_id' }
  await assert.rejects(passwords.create(999, { name: 'phone' }), invalid)
  assert.deepEqual(await site.storage.users.meta.all(999), [])
})
