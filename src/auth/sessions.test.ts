import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { failuresIn } from '../../conformance/replay/failures.js'
import { openSite, recordedSite } from '../../test/authentication-site.js'
import { serialize } from '../php/serialize.js'
import { liveSession, parseSessions, sessionsKey, verifierOf } from './sessions.js'

const site = await openSite()
after(() => site.close())

const login = (expiration = recordedSite.now + 60) => ({ expiration, address: '192.0.2.1', userAgent: 'Browser/1' })

/** The live session of a token, or null. */
const sessionOf = async (userId: number, token: string) =>
  (await site.sessions.list(userId)).get(verifierOf(token)) ?? null

test('the sessions of WordPress in auth-sessions are reproduced', async () =>
  assert.deepEqual(await failuresIn('auth-sessions'), []))

test('a session that old versions of WordPress stored as a number is valid until that time', () => {
  const sessions = parseSessions(serialize({ [verifierOf('old')]: recordedSite.now }))
  assert.deepEqual(liveSession(sessions, 'old', recordedSite.now), { expiration: recordedSite.now })
})

test('the expiration of a session may be stored as text', () => {
  const sessions = parseSessions(serialize({ [verifierOf('text')]: { expiration: String(recordedSite.now) } }))
  assert.deepEqual(liveSession(sessions, 'text', recordedSite.now), { expiration: recordedSite.now })
  assert.equal(liveSession(sessions, 'text', recordedSite.now + 1), null)
})

test('fields that a plugin has added to a session are preserved when another session starts', async () => {
  const pluginSession = { expiration: recordedSite.now + 60, ip: '192.0.2.1', 'two-factor-login': recordedSite.now }
  await site.storage.users.meta.write(6, sessionsKey, serialize({ [verifierOf('more')]: pluginSession }))
  await site.sessions.create(6, login())
  assert.deepEqual(await sessionOf(6, 'more'), pluginSession)
})

test('an object that a plugin has added to a session is preserved byte for byte', async () => {
  const field = 's:6:"plugin";O:10:"Two_Factor":1:{s:4:"\0*\0a";d:5;}'
  const session = `a:2:{s:10:"expiration";i:${recordedSite.now + 60};${field}}`
  await site.storage.users.meta.write(7, sessionsKey, `a:1:{s:64:"${verifierOf('object')}";${session}}`)
  await site.sessions.create(7, login())
  const [text = ''] = await site.storage.users.meta.read(7, sessionsKey)
  assert.ok(text?.includes(session), text ?? '')
})

test('the expiration of a session may be a float, as a filter of a plugin makes it', () => {
  const text = `a:1:{s:64:"${verifierOf('float')}";a:1:{s:10:"expiration";d:${recordedSite.now};}}`
  assert.deepEqual(liveSession(parseSessions(text), 'float', recordedSite.now), { expiration: recordedSite.now })
})

const damagedTexts = [null, '', 'x', 'a:1:{', 'i:5;', 'O:8:"stdClass":0:{}', serialize([1, 'x', { ip: 'x' }])]
for (const text of damagedTexts)
  test(`the stored text ${JSON.stringify(text)} contains no session`, () => {
    assert.equal(liveSession(parseSessions(text), 'x', 0), null)
  })

test('a new session is added to the live ones, and expired ones are removed', async () => {
  const token = await site.sessions.create(2, login())
  assert.match(token, /^[A-Za-z0-9]{43}$/)
  const [text = null] = await site.storage.users.meta.read(2, sessionsKey)
  assert.deepEqual([...parseSessions(text).values()].at(-1), {
    expiration: recordedSite.now + 60,
    ip: '192.0.2.1',
    ua: 'Browser/1',
    login: recordedSite.now,
  })
  assert.equal(parseSessions(text).size, 3)
  assert.equal(parseSessions(text).has(verifierOf(recordedSite.sessionTokens.old)), false)
  assert.equal((text ?? '').includes(token), false)
})

test('one session, all other sessions or all sessions can be ended, and the row is removed with the last one', async () => {
  const [first, second, third] = [
    await site.sessions.create(3, login()),
    await site.sessions.create(3, login()),
    await site.sessions.create(3, login()),
  ]
  await site.sessions.end(3, first)
  assert.equal(await sessionOf(3, first), null)
  assert.notEqual(await sessionOf(3, second), null)
  await site.sessions.endOthers(3, second)
  assert.deepEqual([...(await site.sessions.list(3)).keys()], [verifierOf(second)])
  assert.equal(await sessionOf(3, third), null)
  await site.sessions.endAll(3)
  assert.deepEqual(await site.storage.users.meta.read(3, sessionsKey), [])
})

test('ending an unknown session writes nothing', async () => {
  await site.sessions.create(3, login())
  const before = await site.storage.changeToken()
  await site.sessions.end(3, 'unknown')
  assert.equal(await site.storage.changeToken(), before)
  await site.sessions.endAll(3)
})

test('a session stores at most 512 characters of the user agent', async () => {
  const token = await site.sessions.create(3, { ...login(), userAgent: `${'x'.repeat(511)}🙂${'y'.repeat(100_000)}` })
  assert.equal((await sessionOf(3, token))?.ua, `${'x'.repeat(511)}\ufffd`)
  await site.sessions.endAll(3)
})

test('concurrent logins lose no session', async () => {
  await site.sessions.endAll(4)
  const tokens = await Promise.all(Array.from({ length: 30 }, () => site.sessions.create(4, login())))
  for (const token of tokens) assert.notEqual(await sessionOf(4, token), null)
})

test('sessions are stored in the order of the logins, as by WordPress, however long they last', async () => {
  for (const size of [3, 200]) {
    await site.sessions.endAll(5)
    const tokens: string[] = []
    for (let count = 0; count < size; count += 1)
      tokens.push(await site.sessions.create(5, login(recordedSite.now + (count % 2 === 0 ? 50 : 100))))
    assert.deepEqual([...(await site.sessions.list(5)).keys()], tokens.map(verifierOf))
  }
})

test('a user has at most 200 sessions, and those that end first are removed', async () => {
  await site.sessions.endAll(5)
  const first = await site.sessions.create(5, login(recordedSite.now + 1))
  for (let count = 0; count < 200; count += 1) await site.sessions.create(5, login(recordedSite.now + 100))
  assert.equal((await site.sessions.list(5)).size, 200)
  assert.equal(await sessionOf(5, first), null)
})
