import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { openSqlite } from '../../src/database/sqlite/open-sqlite.js'
import { endAll, removeFolders, runHere, serve, shop } from './command-line.js'
import { cwd, assertReadable } from './application-folder.js'

after(() => {
  endAll()
  removeFolders()
})

describe('the commands for users and application passwords', () => {
  const database = `sqlite:${join(cwd, 'users.sqlite')}`
  const user = (...words: string[]) => runHere(['user', ...words, '--app', shop, '--database', database])
  const outputOf = async (...words: string[]) => {
    const { code, stdout, stderr } = await user(...words)
    assert.equal(code, 0, stderr)
    return stdout
  }

  it('create, change, list and delete them', async () => {
    const none = await user('list')
    assertReadable(none, /There is no database .*users\.sqlite yet/)
    assert.ok(
      none.stderr.endsWith(
        `Start the application once: as-rest-route serve ${shop} --database ${database} [database-missing]\n`,
      ),
    )
    await (await openSqlite(`sqlite:${join(cwd, 'users.sqlite')}`)).close()

    assert.match(
      await outputOf('create', 'ann', 'ann@example.org', '--role', 'editor'),
      /^Created user 1\.\nPassword: \S{20}\n$/,
    )
    assert.equal(await outputOf('create', 'bob', 'bob@example.org', '--user_pass=pw', '--porcelain'), '2\n')
    const failures: [words: string[], expected: RegExp][] = [
      [['create', 'ann', 'other@example.org'], /that username already exists/],
      [['create', 'eve', 'nowhere'], /email address is not correct/],
      [
        ['create', 'eve', 'eve@example.org', '--role', 'queen'],
        /^There is no role 'queen'\. Use one of: administrator, .*\[role-missing\]\n$/,
      ],
      [['create', 'eve', 'eve@example.org', '--role=editr'], /^There is no role 'editr'\. Did you mean 'editor'\?/],
      [['create', 'eve', 'eve@example.org', '--role='], /^There is no role ''\. Use one of: administrator, /],
      [['delete', 'nobody'], /There is no user 'nobody'/],
      [['update', 'nobody', '--role=editor'], /There is no user 'nobody'/],
      [['update', 'ann', '--role=Author', '--display_name=A'], /^There is no role 'Author'\. Did you mean 'author'\?/],
      [['update', 'ann', '--user_email=bob@example.org'], /that email address is already used/],
      [
        ['list', '--role', 'nope'],
        /^There is no role 'nope'\. Use one of: administrator, .*subscriber\. \[role-missing\]\n$/,
      ],
      [['application-password', 'create', 'nobody', 'x'], /There is no user 'nobody'/],
    ]
    for (const [words, expected] of failures) {
      const finished = await user(...words)
      assert.equal(finished.code, 1, words.join(' '))
      assertReadable(finished, expected)
    }
    assert.equal(
      await outputOf('update', 'bob', '--role=author', '--user_email=b@example.org', '--display_name', 'Bob'),
      'Updated user 2.\n',
    )
    assert.match(await outputOf('list', '--role', 'author'), /\n2 +bob +b@example\.org +author /)
    assert.equal(
      await outputOf('update', 'b@example.org', '--role=subscriber', '--user_email=bob@example.org'),
      'Updated user 2.\n',
    )
    assert.equal((await user('update', 'bob')).code, 2)

    const users = JSON.parse(await outputOf('list', '--json')) as { login: string; roles: string[] }[]
    assert.deepEqual(
      users.map(({ login, roles }) => [login, ...roles]),
      [
        ['ann', 'editor'],
        ['bob', 'subscriber'],
      ],
    )
    assert.match(
      await outputOf('list', '--role', 'editor'),
      /^ID +LOGIN +EMAIL +ROLES +REGISTERED\n1 +ann +ann@example\.org +editor +\d{4}-.*\n$/,
    )

    const secret = (
      await outputOf('application-password', 'create', 'ann', 'Till \x1b[31m\u009b1m\u202e', '--porcelain')
    ).trim()
    assert.match(secret, /^[A-Za-z0-9]{24}$/)
    assert.match(await outputOf('application-password', 'create', 'ann', 'Scanner'), /\n(?:\w{4} ){5}\w{4}\n$/)
    const unnamed = await user('application-password', 'create', 'ann', ' ')
    assert.equal(unnamed.code, 2)
    assertReadable(unnamed, /needs a name/)
    const long = await user('application-password', 'create', 'ann', 'x'.repeat(262_144))
    assert.equal(long.code, 1)
    assertReadable(long, /\[application_password_name_too_long\]/)
    const table = await outputOf('application-password', 'list', 'ann')
    assert.ok(!table.includes('\x1b') && !table.includes(secret))
    const json = await outputOf('application-password', 'list', 'ann', '--json')
    assert.doesNotMatch(json, /[\x1b\x7f-\x9f\u202e]/)
    const items = JSON.parse(json) as { uuid: string; name: string }[]
    assert.equal(items[0]?.name, 'Till \x1b[31m\u009b1m\u202e')
    assert.equal(items.length, 2)
    assert.equal(
      await outputOf('application-password', 'delete', 'ann', items[0]?.uuid ?? ''),
      'Deleted 1 application password.\n',
    )
    assert.equal((await user('application-password', 'delete', 'ann', items[0]?.uuid ?? '')).code, 1)
    assert.equal((await user('application-password', 'delete', 'ann')).code, 2)
    const limits = ['--scope', 'GET /shop/v1/*', '/batch/v1', '--expires', '2099-01-31']
    await outputOf('application-password', 'create', 'ann', 'Till', ...limits)
    const listed = JSON.parse(await outputOf('application-password', 'list', 'ann', '--json')) as object[]
    const { scopes, expires } = listed.at(-1) as { scopes: string[]; expires: string }
    assert.deepEqual([scopes, expires.slice(0, 10)], [['GET /shop/v1/*', '/batch/v1'], '2099-01-31'])
    assert.match(await outputOf('application-password', 'list', 'ann'), /GET \/shop\/v1\/\*; \/batch\/v1/)
    const wrong = await user('application-password', 'create', 'ann', 'Till', '--scope', 'orders')
    assert.equal(wrong.code, 1)
    assertReadable(wrong, /\[application_password_scopes_invalid\]/)
    const noDay = await user('application-password', 'create', 'ann', 'Till', '--expires', '2099-02-30')
    assert.equal(noDay.code, 1)
    assertReadable(noDay, /must be a date in the future, such as 2027-01-31\. \[application_password_expires_invalid\]/)
    assert.equal(await outputOf('application-password', 'delete', 'ann', '--all'), 'Deleted 2 application passwords.\n')

    assert.equal(await outputOf('delete', 'bob@example.org', '--reassign', 'ann'), 'Removed user 2.\n')
    assert.equal((JSON.parse(await outputOf('list', '--json')) as unknown[]).length, 1)
  })

  it('take a number as the id of a user, and as a login when no user has the id', async () => {
    for (const login of ['2026', '0001']) await outputOf('create', login, `u${login}@example.org`)
    assert.equal(await outputOf('delete', '2026'), 'Removed user 3.\n')
    assert.equal(await outputOf('delete', '0001'), 'Removed user 4.\n')
    assertReadable(await user('delete', '00001'), /There is no user '00001'/)
    assert.match(await outputOf('list'), /^1 +ann /m)
  })
})

it('the commands for data take the folder of the application as other commands do, or by --app', async () => {
  const database = `sqlite:${join(cwd, 'named.sqlite')}`
  await (await openSqlite(database)).close()
  const outputOf = async (...words: string[]) => {
    const { code, stdout, stderr } = await runHere([...words, '--database', database])
    assert.equal(code, 0, `${words.join(' ')}: ${stderr}`)
    return stdout
  }
  assert.equal(await outputOf('user', 'create', 'ann', 'ann@example.org', shop, '--porcelain'), '1\n')
  assert.equal(await outputOf('user', 'update', 'ann', shop, '--role', 'author'), 'Updated user 1.\n')
  assert.match(await outputOf('user', 'list', shop), /\n1 +ann +ann@example\.org +author /)
  const passwords = ['user', 'application-password']
  await outputOf(...passwords, 'create', 'ann', 'Till', shop)
  const listed = await outputOf(...passwords, 'list', 'ann', shop, '--json')
  const [item] = JSON.parse(listed) as readonly { readonly uuid: string }[]
  assert.match(await outputOf(...passwords, 'delete', 'ann', item?.uuid ?? '', shop), /^Deleted 1 /)
  assert.match(await outputOf(...passwords, 'delete', 'ann', '--all', shop), /^Deleted 0 /)
  assert.match(await outputOf('user', 'delete', 'ann', shop), /^Removed user 1\.\n$/)
  assert.match(await outputOf('db', 'status', shop), /named\.sqlite/)
  assert.equal(await outputOf('jobs', 'list', shop, '--json'), '[]\n')
  assert.match(await outputOf('jobs', 'retry', '--failed', shop), /^0 failed jobs/)
  const missing = await runHere(['user', 'list', join(cwd, 'no-such-folder'), '--app', shop, '--database', database])
  assert.equal(missing.code, 2)
  assertReadable(missing, /There is no folder .*no-such-folder\. \[application-folder-missing\]/)
})

it('a new password takes effect while the service runs, and ends the sessions of the user', async () => {
  const databaseOption = ['--database', `sqlite:${join(cwd, 'lost.sqlite')}`]
  const served = await serve([shop, '--port', '0', ...databaseOption], { cwd })
  const logIn = async (pwd: string) => {
    const body = new URLSearchParams({ log: 'admin', pwd })
    const { status, headers } = await fetch(`${served.url}/wp-login.php`, { method: 'POST', body, redirect: 'manual' })
    return {
      status,
      cookie: headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; '),
    }
  }
  const profile = async (cookie: string) =>
    (await fetch(`${served.url}/wp-admin/profile.php`, { headers: { cookie }, redirect: 'manual' })).status
  assert.equal(
    (await runHere(['user', 'update', 'admin', '--user_pass=first', '--app', shop, ...databaseOption])).code,
    0,
  )
  const { status, cookie } = await logIn('first')
  assert.deepEqual([status, await profile(cookie)], [302, 200])
  const { stdout } = await runHere(['user', 'update', 'admin', '--app', shop, ...databaseOption, '--user_pass'])
  const password = /^Updated user 1\.\nPassword: (\S{20})\n$/.exec(stdout)?.[1] ?? ''
  assert.equal(await profile(cookie), 302, 'the session is over')
  assert.notEqual((await logIn('first')).status, 302)
  assert.equal((await logIn(password)).status, 302)
  await served.end('SIGTERM')
})
