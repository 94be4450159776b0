import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Comparison } from '../storage.js'
import type { Storage, UserKey } from '../../../src/database/storage.js'
import { aUser } from './rows.js'

export function userContract(storage: () => Storage, { ignoresAccents, ignoresTrailingSpaces }: Comparison): void {
  it('every column is returned, with all metadata in one query', async () => {
    const { users } = storage()
    const row = aUser({ user_status: 1, user_url: 'http://ada.test', user_activation_key: 'key' })
    const id = await users.insert(row)
    assert.deepEqual(await users.find({ id }), { ID: id, ...row })
    assert.deepEqual(await users.findWithMeta({ id }), { user: { ID: id, ...row }, meta: [] })
    await users.meta.add(id, 'wp_capabilities', 'a:1:{s:6:"editor";b:1;}')
    await users.meta.add(id, 'nickname', null)
    assert.deepEqual((await users.findWithMeta({ login: 'ada' }))?.meta, [
      { key: 'wp_capabilities', value: 'a:1:{s:6:"editor";b:1;}' },
      { key: 'nickname', value: null },
    ])
    assert.equal(await users.insert(aUser({ ID: id + 100, user_login: 'known' })), id + 100)
  })

  it('several users are read together', async () => {
    const { users } = storage()
    const [one, two] = [aUser({ user_login: 'one' }), aUser({ user_login: 'two' })]
    const [first, second] = [await users.insert(one), await users.insert(two)]
    const rows = await users.findMany([second, 999_999, first])
    assert.deepEqual(
      new Map(rows.map((user) => [user.ID, user])),
      new Map([
        [first, { ID: first, ...one }],
        [second, { ID: second, ...two }],
      ]),
    )
    assert.deepEqual(await users.findMany([second]), [{ ID: second, ...two }])
    assert.deepEqual([await users.findMany([]), await users.findMany([999_999])], [[], []])
  })

  it('only the selected metadata is returned: the oldest row of each key in its exact spelling', async () => {
    const { users } = storage()
    const row = aUser({ user_login: 'margaret', user_email: 'márgaret@example.org' })
    const id = await users.insert(row)
    const stored: [string, string | null][] = [
      ['nickname', 'Maggie'],
      ['Session_Tokens', 'older, of a key in another case'],
      ['session_tokens', 'first'],
      ['session_tokens', 'second'],
      ['SESSION_tokens', 'younger, of a key in another case'],
      ['wp_capabilities', "a NUL\0, a quote ' and ü"],
      ['nothing', null],
      ['nothing', 'younger'],
      ['empty', ''],
    ]
    for (const [key, value] of stored) await users.meta.add(id, key, value)
    const keys = ['wp_capabilities', 'session_tokens', 'missing', 'nothing', 'empty']
    const entries = [
      { key: 'wp_capabilities', value: "a NUL\0, a quote ' and ü" },
      { key: 'session_tokens', value: 'first' },
      { key: 'nothing', value: null },
      { key: 'empty', value: '' },
    ]
    for (const key of [{ id }, { login: 'MARGARET' }, { email: 'MÁRGARET@example.org' }])
      for (const again of [keys, keys, [...keys]])
        assert.deepEqual(await users.findWithMeta(key, again), { user: { ID: id, ...row }, meta: entries })
    assert.deepEqual((await users.findWithMeta({ id }, []))?.meta, [])
    assert.equal(await users.findWithMeta({ login: 'nobody' }, keys), null)
  })

  it('logins, addresses and nicenames are found without regard to case', async () => {
    const { users } = storage()
    const grace = await users.insert(aUser({ user_login: 'Grace', user_email: 'Grace@Example.org' }))
    const rene = await users.insert(
      aUser({ user_login: 'René', user_email: 'rené@example.org', user_nicename: 'rene-2' }),
    )
    const responses: [UserKey, number | null][] = [
      [{ login: 'Grace' }, grace],
      [{ login: 'gRACE' }, grace],
      [{ login: 'grace ' }, ignoresTrailingSpaces ? grace : null],
      [{ login: 'grac' }, null],
      [{ login: '' }, null],
      [{ login: 'grace@example.org' }, null],
      [{ email: 'grace@EXAMPLE.org' }, grace],
      [{ email: 'grace' }, null],
      [{ login: 'rené' }, rene],
      [{ login: 'RENÉ' }, rene],
      [{ login: 'rene' }, ignoresAccents ? rene : null],
      [{ email: 'RENÉ@example.org' }, rene],
      [{ nicename: 'rene-2' }, rene],
      [{ nicename: 'RENE-2' }, rene],
      [{ nicename: 'rene' }, null],
      [{ id: grace }, grace],
      [{ id: 0 }, null],
      [{ id: Number.NaN }, null],
    ]
    for (const [key, id] of responses) {
      assert.equal((await users.find(key))?.ID ?? null, id, JSON.stringify(key))
      assert.equal((await users.findWithMeta(key))?.user.ID ?? null, id, JSON.stringify(key))
    }
  })

  it('the oldest of several users with one address is returned', async () => {
    const { users } = storage()
    const first = await users.insert(aUser({ user_login: 'twin1', user_email: 'twin@example.org' }))
    await users.insert(aUser({ user_login: 'twin2', user_email: 'TWIN@example.org' }))
    assert.equal((await users.find({ email: 'twin@EXAMPLE.org' }))?.ID, first)
  })

  it('users are updated and deleted', async () => {
    const { users } = storage()
    const id = await users.insert(aUser({ user_login: 'leaving' }))
    await users.meta.add(id, 'nickname', 'x')
    assert.equal(await users.update(id, { user_pass: 'new', display_name: 'New' }), true)
    assert.equal(await users.update(id, {}), true)
    assert.equal(await users.update(999_999, { user_pass: 'new' }), false)
    const row = await users.find({ id })
    assert.deepEqual([row?.user_pass, row?.display_name, row?.user_login], ['new', 'New', 'leaving'])
    assert.equal(await users.delete(id), true)
    assert.equal(await users.delete(id), false)
    assert.deepEqual([await users.find({ id }), await users.meta.all(id)], [null, []])
  })

  it('users are listed by id, all or those that a search finds', async () => {
    const { users } = storage()
    const logins = async (search?: string, limit = 100, offset = 0): Promise<string[]> => {
      const rows = await users.list({ ...(search === undefined ? {} : { search }), limit, offset })
      return rows.map(({ user }) => user.user_login)
    }
    await users.insert(aUser({ user_login: 'find1', display_name: 'Zoë Needle' }))
    await users.insert(aUser({ user_login: 'find2', user_email: 'needle@example.org' }))
    await users.insert(aUser({ user_login: 'needle3' }))
    await users.insert(aUser({ user_login: 'find4', user_nicename: 'needle-4' }))
    assert.deepEqual(await logins('NEEDLE'), ['find1', 'find2', 'needle3', 'find4'])
    assert.deepEqual(await logins('ZOË'), ['find1'])
    assert.deepEqual(await logins('needle', 2, 1), ['find2', 'needle3'])
    assert.equal((await logins()).at(-1), 'find4')
    assert.deepEqual(await logins('%'), [])
    assert.deepEqual([await users.count({ search: 'NEEDLE' }), await users.count({ search: '%' })], [4, 0])
    assert.equal(await users.count({}), (await logins()).length)
  })

  it('users whose metadata contain a text are listed and counted, by the oldest row of the exact key', async () => {
    const { users } = storage()
    const stored: [login: string, key: string, value: string | null][] = [
      ['holder1', 'caps', 'a "role" x'],
      ['holder2', 'caps', 'a "ROLE" x'],
      ['holder3', 'CAPS', 'a "role" x'],
      ['holder4', 'caps', null],
      ['holder5', 'caps', 'nothing'],
      ['holder6', 'caps', '"role"'],
    ]
    for (const [login, key, value] of stored)
      await users.meta.add(await users.insert(aUser({ user_login: login })), key, value)
    const fifth = (await users.find({ login: 'holder5' }))?.ID ?? 0
    await users.meta.add(fifth, 'caps', 'a younger "role"')
    const meta = { key: 'caps', contains: '"role"' }
    const rows = await users.list({ meta, limit: 100, offset: 0 })
    assert.deepEqual(
      rows.map(({ user }) => user.user_login),
      ['holder1', 'holder6'],
    )
    assert.deepEqual(
      (await users.list({ meta, search: 'HOLDER', limit: 1, offset: 1 })).map(({ user }) => user.user_login),
      ['holder6'],
    )
    assert.deepEqual([await users.count({ meta }), await users.count({ meta, search: 'r6' })], [2, 1])
  })

  it('the first free nicename is one that no other user has', async () => {
    const { users } = storage()
    const id = await users.insert(aUser({ user_login: 'nice1', user_nicename: 'nice' }))
    for (const [user_login, user_nicename] of [
      ['nice2', 'Nice-2'],
      ['nice3', 'nice-3'],
    ] as const)
      await users.insert(aUser({ user_login, user_nicename }))
    const nicenames = ['nice', 'nice-2', 'NICE-3', 'nice-4', 'nice-5']
    assert.equal(await users.firstFreeNicename(nicenames, 0), 'nice-4')
    assert.equal(await users.firstFreeNicename(nicenames, id), 'nice')
    assert.equal(await users.firstFreeNicename(['NICE'], 0), null)
    const many = Array.from({ length: 2000 }, (_, index) => `nice-${index + 2}`)
    assert.equal(await users.firstFreeNicename(many, 0), 'nice-4')
  })
}
