import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { AsRestRoute, RestResponse } from '../../src/index.js'
import { defaultRoles } from '../../src/auth/default-roles.js'
import { StoredRoles, storedRoles } from '../../src/auth/roles.js'
import { serialize } from '../../src/php/serialize.js'
import { startService } from '../support/start-service.js'
import { openTestStorage, sharedDatabase } from '../support/test-database.js'

class DoorsApi {
  /** For those who have the default capability. */
  @AsRestRoute({ namespace: 'test/v1', route: '/door' })
  door() {
    return new RestResponse('open')
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/street', permission: 'public' })
  street() {
    return new RestResponse('open')
  }
}

const folder = mkdtempSync(join(tmpdir(), 'roles-'))
const database = await sharedDatabase(join(folder, 'shop.db'))
const site = await startService([DoorsApi], {
  database,
  environment: 'local',
  rest_default_capability: 'edit_others_posts',
})
/** Another process that has the same database open. */
const elsewhere = await openTestStorage(database)
after(async () => {
  await elsewhere.close()
  await site.close()
  rmSync(folder, { recursive: true })
})

const { id } = await site.service.users.create({
  login: 'ann',
  email: 'ann@shop.example',
  password: 'secret',
  role: 'author',
})
const { password } = await site.service.applicationPasswords.create(id, { name: 'test' })
const ann = { authorization: `Basic ${Buffer.from(`ann:${password}`).toString('base64')}` }

/** The answer to Ann. */
const get = async (path: string) => fetch(`${site.rest}${path}`, { headers: ann })
const door = async () => (await get('test/v1/door')).status
const lines = () => site.log.filter(({ message }) => message.includes('the roles in the database'))

/** WordPress's roles, the author's with one capability more. */
const withStrongAuthors = storedRoles(
  new Map([
    ...defaultRoles,
    [
      'author',
      {
        label: 'Author',
        capabilities: new Map([...(defaultRoles.get('author')?.capabilities ?? []), ['edit_others_posts', true]]),
      },
    ],
  ]),
)
const usual = storedRoles(defaultRoles)

describe('roles that another process writes', () => {
  it('count at the next request', async () => {
    assert.equal(await door(), 403)
    await elsewhere.options.write('wp_user_roles', withStrongAuthors)
    assert.equal(await door(), 200)
    const me = (await (await get('wp/v2/users/me?context=edit')).json()) as { capabilities: Record<string, boolean> }
    assert.equal(me.capabilities['edit_others_posts'], true)
    await elsewhere.options.write('wp_user_roles', usual)
    assert.equal(await door(), 403)
  })

  it('can be given to users immediately', async () => {
    const clerk = new Map([...defaultRoles, ['clerk', { label: 'Clerk', capabilities: new Map([['read', true]]) }]])
    await elsewhere.options.write('wp_user_roles', storedRoles(clerk))
    await site.service.users.update(id, { role: 'clerk' })
    assert.deepEqual((await site.service.users.find(id))?.roles, ['clerk'])
    await site.service.users.update(id, { role: 'author' })
    await elsewhere.options.write('wp_user_roles', usual)
    await assert.rejects(site.service.users.update(id, { role: 'clerk' }), /clerk/)
  })

  const unreadable: [what: string, damage: () => Promise<unknown>][] = [
    ['cut off', () => elsewhere.options.write('wp_user_roles', withStrongAuthors.slice(0, -20))],
    ['a text', () => elsewhere.options.write('wp_user_roles', 'administrator')],
    ['no map', () => elsewhere.options.write('wp_user_roles', serialize(true))],
    ['gone', () => elsewhere.options.remove('wp_user_roles')],
  ]
  for (const [what, damage] of unreadable)
    it(`stay as they were when they are ${what}, and the log says so once`, async () => {
      await elsewhere.options.write('wp_user_roles', withStrongAuthors)
      assert.equal(await door(), 200)
      const before = lines().length
      await damage()
      assert.equal(await door(), 200)
      await elsewhere.options.write('blogname', what)
      assert.equal(await door(), 200)
      assert.deepEqual(
        lines()
          .slice(before)
          .map(({ level, fields }) => [level, fields]),
        [
          [
            'error',
            {
              code: 'roles-unreadable',
              detail: 'the roles in the option wp_user_roles cannot be read, so the last readable roles stay in use',
            },
          ],
        ],
      )
      await elsewhere.options.write('wp_user_roles', usual)
      assert.equal(await door(), 403)
    })

  it('are not read for anonymous callers', async () => {
    const before = lines().length
    await elsewhere.options.write('wp_user_roles', 'damaged')
    assert.equal((await fetch(`${site.rest}test/v1/street`)).status, 200)
    assert.equal((await fetch(`${site.rest}test/v1/door`)).status, 401)
    assert.equal(lines().length, before)
    assert.equal(await door(), 403)
    assert.equal(lines().length, before + 1)
    await elsewhere.options.write('wp_user_roles', usual)
  })
})

it('after a failed read of the roles the next request reads them again', async () => {
  const { options } = elsewhere
  let isLocked = true
  const read = (name: string) => (isLocked ? Promise.reject(new Error('locked')) : options.read(name))
  const roles = new StoredRoles({ ...elsewhere, options: { ...options, read } }, 'wp_')
  await assert.rejects(async () => roles.at(1), /locked/)
  isLocked = false
  assert.equal((await roles.at(1)).roles.has('author'), true)
})

it('when the roles cannot be read at the start, no user has a role, and a line is logged', async (t) => {
  await elsewhere.options.write('wp_user_roles', 'damaged')
  const second = await startService([DoorsApi], { database, environment: 'local' })
  t.after(() => second.close())
  assert.deepEqual((await second.service.users.find(id))?.roles, [])
  assert.deepEqual(
    second.log.map(({ fields }) => fields['detail']),
    ['the roles in the option wp_user_roles cannot be read, so no user has a role'],
  )
  await elsewhere.options.write('wp_user_roles', usual)
  assert.deepEqual((await second.service.users.find(id))?.roles, ['author'])
})
