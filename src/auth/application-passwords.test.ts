import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { failuresIn } from '../../conformance/replay/failures.js'
import { aUser } from '../../test/contracts/storage/rows.js'
import { openSite, recordedSite } from '../../test/authentication-site.js'
import { arrayOf } from '../php/array-shape.js'
import { serialize } from '../php/serialize.js'
import { viewOfApplicationPassword } from './application-password-view.js'
import { ApplicationPasswords } from './application-passwords.js'
import { applicationPasswordsKey, parseApplicationPasswords } from './stored-application-passwords.js'

const site = await openSite()
after(() => site.close())
const passwords = site.applicationPasswords
for (const id of [2, 3, 4, 5, 6, 7, 8])
  if ((await site.storage.users.find({ id })) === null)
    await site.storage.users.insert(aUser({ ID: id, user_login: `user ${id}`, user_email: `user${id}@shop.example` }))

test('the application passwords of WordPress in auth-application-passwords are reproduced', async () =>
  assert.deepEqual(await failuresIn('auth-application-passwords'), []))

test('a new password is returned once, and only its hash is stored', async () => {
  assert.equal(await passwords.inUse(), false)
  const { password, item } = await passwords.create(2, { name: 'phone' })
  assert.match(password, /^[A-Za-z0-9]{24}$/)
  assert.equal(await passwords.inUse(), true)
  assert.equal(await site.storage.options.read('using_application_passwords'), '1')
  const [text = ''] = await site.storage.users.meta.read(2, applicationPasswordsKey)
  assert.deepEqual(parseApplicationPasswords(text), [item])
  assert.ok(!text?.includes(password))
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
  const { item: first } = await passwords.create(3, { name: 'one', appId: '00000000-0000-4000-8000-000000000000' })
  const { item: second } = await passwords.create(3, { name: 'two' })
  assert.deepEqual(await passwords.list(3), [first, second])
  assert.deepEqual(await passwords.find(3, second.uuid), second)
  assert.deepEqual(await passwords.rename(3, first.uuid, 'first'), { ...first, name: 'first' })
  assert.equal((await passwords.find(3, first.uuid))?.name, 'first')
  assert.equal(await passwords.rename(3, 'unknown', 'x'), null)
  assert.deepEqual(await passwords.revoke(3, second.uuid), second)
  assert.equal(await passwords.revoke(3, second.uuid), null)
  assert.equal(await passwords.find(2, first.uuid), null)
  assert.equal(await passwords.revokeAll(3), 1)
  assert.deepEqual(await passwords.list(3), [])
})

test('a user has at most 200 passwords, also with concurrent calls, of 256 KiB together', async () => {
  for (let count = 0; count < 195; count += 1) await passwords.create(6, { name: `number ${count}` })
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => passwords.create(6, { name: 'one more' })))
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 5)
  const all = await passwords.list(6)
  assert.equal(all.length, 200)
  const tooMany = { name: 'ApplicationPasswordRejectedError', code: 'too_many_application_passwords' }
  await assert.rejects(passwords.create(6, { name: 'one more' }), tooMany)
  await passwords.revoke(6, all[0]?.uuid ?? '')
  const { item } = await passwords.create(6, { name: '😀'.repeat(300) })
  const tooLong = { name: 'ApplicationPasswordRejectedError', code: 'application_password_name_too_long' }
  await assert.rejects(passwords.create(3, { name: '😀'.repeat(65_536) }), tooLong)
  await assert.rejects(passwords.rename(6, item.uuid, 'x'.repeat(250_000)), tooLong)
  assert.deepEqual(await passwords.find(6, item.uuid), item)
})

test('concurrent changes do not overwrite each other', async () => {
  const { item } = await passwords.create(4, { name: 'revoked meanwhile' })
  const results = await Promise.all([
    ...Array.from({ length: 20 }, (_, index) => passwords.create(4, { name: `number ${index}` })),
    passwords.revoke(4, item.uuid),
  ])
  assert.equal(results.length, 21)
  const names = (await passwords.list(4)).map(({ name }) => name).sort()
  assert.deepEqual(names, Array.from({ length: 20 }, (_, index) => `number ${index}`).sort())
})

test('the last use is recorded once in 24 hours', async () => {
  const { item } = await passwords.create(5, { name: 'robot' })
  const use = async (address: string) => {
    const current = await passwords.find(5, item.uuid)
    assert.ok(current)
    await passwords.recordUse(5, current, address)
    const recorded = await passwords.find(5, item.uuid)
    return [recorded?.last_used, recorded?.last_ip]
  }
  const now = recordedSite.now
  assert.deepEqual(await use('192.0.2.1'), [now, '192.0.2.1'])
  site.time.now = now + 86_399
  assert.deepEqual(await use('192.0.2.2'), [now, '192.0.2.1'])
  site.time.now = now + 86_400
  assert.deepEqual(await use('192.0.2.3'), [now + 86_400, '192.0.2.3'])
  site.time.now = now
})

test('while a use is being recorded, further uses neither wait nor write', async () => {
  const { item } = await passwords.create(5, { name: 'busy' })
  const first = passwords.recordUse(5, item, '192.0.2.1')
  assert.notEqual(first, null)
  assert.equal(passwords.recordUse(5, item, '192.0.2.2'), null)
  await first
  assert.equal((await passwords.find(5, item.uuid))?.last_ip, '192.0.2.1')
  // The item of a request that has read the password before the first use was recorded.
  await passwords.recordUse(5, item, '192.0.2.3')
  assert.equal((await passwords.find(5, item.uuid))?.last_ip, '192.0.2.1')
})

test('fields that a plugin has added to a password are preserved when it is used', async () => {
  const entry = { uuid: 'u', app_id: '', name: 'n', password: 'p', created: 1, last_used: null, last_ip: null }
  const pluginEntry = { ...entry, scope: 'read' }
  await site.storage.users.meta.write(6, applicationPasswordsKey, serialize([pluginEntry]))
  await passwords.recordUse(6, entry, '192.0.2.1')
  const usedEntry = { ...pluginEntry, last_used: recordedSite.now, last_ip: '192.0.2.1' }
  assert.deepEqual(await passwords.list(6), [usedEntry])
})

test('a list with gaps in its keys is read, and damaged entries are skipped', () => {
  const entry = { uuid: 'u', app_id: '', name: 'n', password: 'p', created: 1, last_used: null, last_ip: null }
  assert.deepEqual(parseApplicationPasswords(serialize({ 2: entry, 5: 'x', 7: { uuid: 'v' } })), [entry])
  for (const text of [null, '', 'x', 'a:1:{', 'i:1;']) assert.deepEqual(parseApplicationPasswords(text), [])
})

test('entries that are not understood stay in their places when the list is written', async () => {
  const entry = { uuid: 'u', app_id: '', name: 'n', password: 'p', created: 1, last_used: null, last_ip: null }
  // PHP gives an entry without a UUID one, and accepts its password.
  const unnamed = { name: 'old', password: '$P$x', created: 1 }
  const isStored = async (list: object) =>
    assert.deepEqual(await site.storage.users.meta.read(8, applicationPasswordsKey), [serialize(list)])
  const write = (list: object) => site.storage.users.meta.write(8, applicationPasswordsKey, serialize(list))
  await write([unnamed, entry, { ...entry, uuid: 'v' }])
  await passwords.rename(8, 'u', 'm')
  await isStored([unnamed, { ...entry, name: 'm' }, { ...entry, uuid: 'v' }])
  await passwords.revoke(8, 'u')
  await isStored({ 0: unnamed, 2: { ...entry, uuid: 'v' } })
  const { item } = await passwords.create(8, { name: 'new' })
  await isStored({ 0: unnamed, 2: { ...entry, uuid: 'v' }, 3: item })
  await write({ 4: entry, 7: unnamed, x: 'y' })
  await passwords.revoke(8, 'u')
  await isStored({ 7: unnamed, x: 'y' })
  const { item: next } = await passwords.create(8, { name: 'next' })
  await isStored(
    arrayOf<unknown>([
      ['7', unnamed],
      ['x', 'y'],
      ['8', next],
    ]),
  )
  // All passwords of the user end in PHP as well.
  assert.equal(await passwords.revokeAll(8), 1)
  await isStored([])
  await write([unnamed])
  assert.equal(await passwords.revokeAll(8), 0)
  await isStored([])
})

test('a name or application id that is not well-formed text is rejected, and other passwords stay readable', async () => {
  const { item } = await passwords.create(7, { name: 'Phone' })
  const notText = { name: 'ApplicationPasswordRejectedError', code: 'application_password_not_text' }
  await assert.rejects(passwords.create(7, { name: 'one byte \udcff' }), notText)
  await assert.rejects(passwords.create(7, { name: 'x', appId: '\udcff' }), notText)
  await assert.rejects(passwords.rename(7, item.uuid, '\udcff'), notText)
  await passwords.create(7, { name: 'Tablet' })
  assert.deepEqual(
    (await passwords.list(7)).map(({ name }) => name),
    ['Phone', 'Tablet'],
  )
})

test('an unknown user id is rejected', async () => {
  const invalidUser = { name: 'ApplicationPasswordRejectedError', code: 'invalid_user_id' }
  await assert.rejects(passwords.create(999, { name: 'phone' }), invalidUser)
  assert.deepEqual(await site.storage.users.meta.all(999), [])
})

test('where other programs obey neither scopes nor ends, a password has none', async () => {
  const shared = new ApplicationPasswords(site.storage, Date.now, {
    otherPrograms: { obeyLimits: false, askForLimits: () => Promise.resolve(false) },
  })
  const before = (await shared.list(3)).length
  for (const limits of [{ scopes: ['/a'] }, { expires: new Date(Date.now() + 60_000) }])
    await assert.rejects(shared.create(3, { name: 'x', ...limits }), {
      code: 'application_password_limits_unsupported',
    })
  await shared.create(3, { name: 'x' })
  assert.equal((await shared.list(3)).length, before + 1)
})

test('an unreadable expiry counts as expired, and unreadable scopes are kept as they are', () => {
  const entry = { uuid: 'u', password: 'p', name: '', created: 1, last_used: null, last_ip: null }
  const [expired] = parseApplicationPasswords(serialize([{ ...entry, expires: 'soon', scopes: '/*' }]))
  assert.deepEqual([expired?.expires, expired?.scopes], [0, '/*'])
  assert.equal(expired && passwords.hasExpired(expired), true)
})
