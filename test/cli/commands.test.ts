import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { boot } from '../../src/app/boot.js'
import { openSqlite } from '../../src/database/sqlite/open-sqlite.js'
import {
  emptyFolder,
  endAll,
  removeFolders,
  run,
  runHere,
  runInShell,
  serve,
  shop,
  type Finished,
} from './command-line.js'

after(() => {
  endAll()
  removeFolders()
})

const cwd = emptyFolder()

/** A folder with these files. */
function application(files: Readonly<Record<string, string>>): string {
  const folder = emptyFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

function assertReadable({ stderr }: Finished, expected: RegExp): void {
  assert.match(stderr, expected)
  assert.doesNotMatch(stderr, /^\s+at .+:\d+:\d+/m, 'no trace')
  assert.doesNotMatch(stderr, /\x1b/, 'no colours in a pipe')
}

const handler = (declaration: string, body = '') => `
  import { AsRestRoute, RestResponse, currentUserCan } from 'as-rest-route'
  export class Api {
    @AsRestRoute(${declaration})
    read() { return new RestResponse(null) }
    ${body}
  }`

describe('using the command', () => {
  const uses: [given: string[], code: number, expected: RegExp][] = [
    [['--version'], 0, /^\d+\.\d+\.\d+\n$/],
    [['--help'], 0, /Exit codes: 0 success, 1 failure, 2 invalid command line\./],
    [['serve', '--help'], 0, /--port <number>/],
    [['user', 'application-password', 'create', '--help'], 0, /Arguments:\n +user +id, login or e-mail address/],
    [[], 2, /Usage: as-rest-route/],
    [['user'], 2, /Commands:/],
    [['serv'], 2, /unknown command 'serv'[\s\S]*Did you mean serve/],
    [['serve', '--prot', '1'], 2, /unknown option '--prot'/],
    [['user', 'create', 'ann'], 2, /missing required argument 'email'/],
    [['serve', shop, '--port', '80a'], 2, /^--port: '80a' is not a port/],
    [['serve', shop, '--port='], 2, /^--port: '' is not a port/],
    [['serve', shop, '--host='], 2, /^--host is empty/],
    [['serve', shop, '--port', '70000'], 2, /'70000' is not a port/],
    [['serve', shop, '--workers', '4'], 2, /--workers is not supported yet/],
    [['serve', 'nowhere'], 2, /There is no folder .*nowhere\./],
    [['check', join(shop, 'tsconfig.json')], 2, /is a file\. Give the folder it lies in\./],
  ]
  for (const [given, code, expected] of uses) {
    it(`as-rest-route ${given.join(' ').replace(shop, 'examples/shop')}`, async () => {
      const finished = await runHere(given)
      assert.equal(finished.code, code, finished.stderr)
      if (code === 0) assert.match(finished.stdout, expected)
      else assertReadable(finished, expected)
    })
  }

  it('from a shell', async () => {
    const { code, stdout, stderr } = await run(['--version'], { cwd })
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/)
  })

  it('ends well when its reader has read enough', { skip: process.platform === 'win32' }, async () => {
    const { tsx, main } = { tsx: import.meta.resolve('tsx'), main: join(shop, '../../src/cli/main.ts') }
    const line = `'${process.execPath}' --import '${tsx}' '${main}' routes '${shop}' | head -c 1; exit \${PIPESTATUS[0]}`
    const { code, stderr } = await runInShell(line, cwd)
    assert.equal(code, 0, stderr)
    assert.equal(stderr, '')
  })
})

describe('what cannot be started', () => {
  const refused: [what: string, given: string[], expected: RegExp][] = [
    ['a database of another kind', [shop, '--database', 'postgres://ann:hunter2@db/shop'], /SQLite only/],
    ['an address that is none', [shop, '--database', 'shop.db'], /'shop\.db' is not a database address/],
    ['a folder that cannot be made', [shop, '--database', 'sqlite:/dev/null/more/x.sqlite'], /cannot be made/],
    [
      'an address of another machine',
      [shop, '--host', '192.0.2.1', '--database', `sqlite:${join(cwd, 'afar.sqlite')}`],
      /no address/,
    ],
    ['links that are none', [shop, '--base-url', 'shop', '--database', 'sqlite::memory:'], /option base_url/],
  ]
  for (const [what, given, expected] of refused) {
    it(what, async () => {
      const finished = await runHere(['serve', ...given, ...(given.includes('--host') ? [] : ['--port', '0'])])
      assert.equal(finished.code, 1)
      assertReadable(finished, expected)
      assert.doesNotMatch(finished.stderr, /hunter2/)
    })
  }

  it('a file that is no database', async () => {
    writeFileSync(join(cwd, 'letter.txt'), 'Dear Agnes, this is not a database. '.repeat(40))
    const finished = await runHere(['serve', shop, '--port', '0', '--database', `sqlite:${join(cwd, 'letter.txt')}`])
    assert.equal(finished.code, 1)
    assertReadable(finished, /not an SQLite database/)
  })

  it('Redis, which is not there yet', async () => {
    process.env['REDIS_URL'] = 'redis://localhost'
    const [served, checked] = [await runHere(['serve', shop]), await runHere(['check', shop])]
    delete process.env['REDIS_URL']
    assert.deepEqual([served.code, checked.code], [1, 1])
    assertReadable(served, /environment REDIS_URL: .* does not use Redis yet/)
  })

  it('a port of the environment that is none: the message says where it comes from', async () => {
    const finished = await run(['serve', shop], { cwd, env: { PORT: 'abc' } })
    assert.equal(finished.code, 2)
    assertReadable(finished, /^The environment variable PORT: 'abc' is not a port\. Give a number/)
  })

  it('a configuration that cannot be read, in every command', async () => {
    const app = application({ 'as-rest-route.config.ts': 'export default {', 'package.json': '{"type":"module"}' })
    for (const command of [
      ['serve', app],
      ['routes', app],
      ['check', app],
      ['user', 'list', '--app', app],
    ]) {
      const finished = await runHere(command)
      assert.equal(finished.code, 1, command[0])
      assertReadable({ ...finished, stderr: finished.stderr + finished.stdout }, /configuration cannot be loaded/)
    }
  })

  it('a fault ends the process with its exit code, without a trace', async () => {
    const app = application({ 'as-rest-route.config.ts': 'export default {', 'package.json': '{"type":"module"}' })
    const finished = await run(['serve', app], { cwd })
    assert.equal(finished.code, 1)
    assertReadable(finished, /^The configuration cannot be loaded/)
  })

  it('a configuration with an option that does not exist', async () => {
    const app = application({
      'as-rest-route.config.ts': 'export default { rest_prefx: "api" }',
      'package.json': '{"type":"module"}',
      'api.ts': handler(`{ namespace: 'a/v1', route: '/a', permission: 'public' }`),
    })
    const finished = await runHere(['serve', app])
    assert.equal(finished.code, 1)
    assertReadable(finished, /option rest_prefx.*Did you mean 'rest_prefix'/)
  })

  const folders: [option: string, expected: RegExp][] = [
    [`public: ''`, /config\.ts:1 +option public: it is empty\. Give the path of a folder\. \[folder-invalid\]\n/],
    [
      `views: new URL('https://a.example/')`,
      /config\.ts:1 +option views: 'https:.*' is no folder of this machine\..* \[folder-invalid\]/,
    ],
    [
      `handlers: ''`,
      /^configuration: .*config\.ts: handlers must be the folder of the handler classes.* \[folder-invalid\]/,
    ],
    [`handlers: new URL('https://a.example/')`, /config\.ts: handlers must be the folder of the handler classes/],
  ]
  for (const [option, expected] of folders)
    it(`a configuration with ${option}`, async () => {
      const app = application({
        'as-rest-route.config.ts': `export default { ${option} }`,
        'package.json': '{"type":"module"}',
        'api.ts': handler(`{ namespace: 'a/v1', route: '/a', permission: 'public' }`),
      })
      const checked = await runHere(['check', app])
      assert.deepEqual([checked.code, checked.stderr], [1, 'One fault. See docs/errors.md#folder-invalid\n'])
      assert.match(checked.stdout, expected)
    })

  it('faulty declarations: check lists all of them, with file and line, and so does serve', async () => {
    const app = application({
      'package.json': '{"type":"module"}',
      'one.ts': handler(`{ namespace: 'a/v1', route: 'no-slash', permission: 'public' }`),
      'two.ts': handler(`{ namespace: 'a/v1', route: '/two', permission: 'mayRaed' }`, 'mayRead() { return true }'),
    })
    const checked = await runHere(['check', app])
    assert.equal(checked.code, 1)
    assert.match(
      checked.stdout,
      /^.*one\.ts:4  Api\.read \(GET a\/v1no-slash\): route 'no-slash' must .* \[route-invalid\]$/m,
    )
    assert.match(checked.stdout, /^.*two\.ts:4  Api\.read .*mayRead.* \[permission-unknown\]$/m)
    assert.equal(checked.stderr, '2 faults. See docs/errors.md#<code>\n')
    const asJson = JSON.parse((await runHere(['check', app, '--json'])).stdout) as readonly object[]
    const message = "permission 'mayRaed' is not a method of this class. Did you mean 'mayRead'?"
    assert.deepEqual(asJson, [
      {
        code: 'route-invalid',
        file: join(app, 'one.ts'),
        line: 4,
        subject: 'Api.read (GET a/v1no-slash)',
        message: "route 'no-slash' must start with '/'.",
      },
      { code: 'permission-unknown', file: join(app, 'two.ts'), line: 4, subject: 'Api.read (GET a/v1/two)', message },
    ])
    const served = await runHere(['serve', app, '--database', `sqlite:${join(cwd, 'never.sqlite')}`])
    assert.equal(served.code, 1)
    assertReadable(served, /does not start: 2 faults/)
  })

  it('a whole project is not taken for an application, unless it is named', async () => {
    const project = application({ 'package.json': '{"type":"module"}', 'scripts/tool.js': 'process.exitCode = 9' })
    const { code, stderr } = await run(['check'], { cwd: project })
    assert.equal(code, 2)
    assert.match(stderr, /This is a whole project, and every module below it would be run\. Give the folder/)
    assert.equal((await run(['check', '.'], { cwd: project })).code, 1)
  })

  for (const start of ['await boot([Api])', 'void boot([Api])']) {
    it(`a main module among the handlers: ${start} starts nothing, and is told to move`, async () => {
      const app = application({
        'package.json': '{"type":"module"}',
        'api.ts': handler(`{ namespace: 'a/v1', route: '/a', permission: 'public' }`),
        'main.ts': `import { boot } from 'as-rest-route'\nimport { Api } from './api.ts'\n${start}`,
      })
      const expected =
        /main\.ts:3 +module: it cannot be loaded: boot\(\) was called by a module in the handlers' folder\..*move main\.ts out/
      const checked = await run(['check', app], { cwd: app })
      assert.deepEqual([checked.code, checked.stderr], [1, 'One fault. See docs/errors.md#module-failed\n'])
      assert.match(checked.stdout, expected)
      const served = await run(['serve', app], { cwd: app })
      assert.equal(served.code, 1)
      assertReadable(served, expected)
      assert.ok(!existsSync(join(app, 'data')), 'no database was made')
    })
  }

  it('modules that keep running do not keep check from ending', async () => {
    const app = application({
      'package.json': '{"type":"module"}',
      'api.ts': `setInterval(() => {}, 1000)\n${handler(`{ namespace: 'a/v1', route: '/a', permission: 'public' }`)}`,
    })
    const { code, stdout } = await run(['check', app], { cwd })
    assert.deepEqual([code, stdout], [0, '1 route, no fault.\n'])
  })
})

describe('who may call what', () => {
  interface Route {
    readonly method: string
    readonly route: string
    readonly allowed?: boolean | null
    readonly file: string
  }
  const routesAs = async (...given: string[]) => {
    const { code, stdout, stderr } = await runHere(['routes', shop, '--json', ...given])
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout) as Route[]
  }
  const allowed = (routes: readonly Route[], method: string, path: string) =>
    routes.find((some) => some.method === method && some.route === path)?.allowed

  const callers: [as: string, verdicts: Record<string, boolean | null>][] = [
    ['anonymous', { 'GET /products': true, 'POST /products': false, 'GET /items': false, 'GET /orders': false }],
    ['subscriber', { 'GET /orders': true, 'POST /products': false, 'GET /items': false, 'GET /drafts': false }],
    ['author', { 'POST /products': true, 'GET /items': true, 'POST /admin/settings': false }],
    ['administrator', { 'POST /admin/settings': true, 'PUT /products/(?P<id>\\d+)': null }],
  ]
  for (const [as, verdicts] of callers) {
    it(as, async () => {
      const routes = await routesAs('--as', as)
      for (const [name, verdict] of Object.entries(verdicts)) {
        const [method = '', path = ''] = name.split(' ')
        assert.equal(allowed(routes, method, path), verdict, name)
      }
    })
  }

  it('a table for people', async () => {
    const { code, stdout } = await runHere(['routes', shop, '--as', 'editor'])
    assert.equal(code, 0)
    assert.match(stdout, /^AS editor +METHOD +ROUTE +WHO +HANDLER +WHERE\n/)
    assert.match(
      stdout,
      /^yes +POST +\/shop\/v1\/products +canCreateProduct\(\) +ProductsApi\.create +.*products-api\.ts:\d+$/m,
    )
    assert.match(stdout, /^depends on the request +PUT +\/shop\/v1\/products\/\(\?P<id>\\d\+\)/m)
  })

  it('nobody by that name, and no database made by asking', async () => {
    const none = await runHere(['routes', shop, '--as', 'ann', '--database', `sqlite:${join(cwd, 'none.sqlite')}`])
    assert.equal(none.code, 1)
    assertReadable(none, /There is no database .*none\.sqlite yet\. Start the application once/)
    const storage = await openSqlite(`sqlite:${join(cwd, 'empty.sqlite')}`)
    await storage.close()
    const nobody = await runHere(['routes', shop, '--as', 'ann', '--database', `sqlite:${join(cwd, 'empty.sqlite')}`])
    assert.equal(nobody.code, 1)
    assertReadable(nobody, /'ann' is neither a role \(administrator, .*\), nor a user, nor 'anonymous'/)
  })

  it('nobody in a database that was refused; no other one is looked into', async () => {
    const refused = await runHere(['routes', shop, '--as', 'ann', '--database', 'postgres://u:secret@db/shop'])
    assert.equal(refused.code, 1)
    assertReadable(refused, /'ann' is a user cannot be looked up\. option database: .*SQLite only/)
    assert.doesNotMatch(refused.stderr + refused.stdout, /secret/)
  })
})

describe('users and their application passwords', () => {
  const database = `sqlite:${join(cwd, 'users.sqlite')}`
  const user = (...given: string[]) => runHere(['user', ...given, '--app', shop, '--database', database])
  const done = async (...given: string[]) => {
    const { code, stdout, stderr } = await user(...given)
    assert.equal(code, 0, stderr)
    return stdout
  }

  it('are made, listed and removed', async () => {
    const none = await user('list')
    assertReadable(none, /There is no database .*users\.sqlite yet/)
    assert.ok(none.stderr.endsWith(`Start the application once: as-rest-route serve ${shop} --database ${database}\n`))
    await (await openSqlite(`sqlite:${join(cwd, 'users.sqlite')}`)).close()

    assert.match(
      await done('create', 'ann', 'ann@example.org', '--role', 'editor'),
      /^Created user 1\.\nPassword: \S{20}\n$/,
    )
    assert.equal(await done('create', 'bob', 'bob@example.org', '--user_pass=pw', '--porcelain'), '2\n')
    const faults: [given: string[], expected: RegExp][] = [
      [['create', 'ann', 'other@example.org'], /that username already exists/],
      [['create', 'eve', 'nowhere'], /email address is not correct/],
      [['create', 'eve', 'eve@example.org', '--role', 'queen'], /Role doesn't exist: queen/],
      [['delete', 'nobody'], /There is no user 'nobody'/],
      [['update', 'nobody', '--role=editor'], /There is no user 'nobody'/],
      [['update', 'ann', '--role=queen'], /Role doesn't exist: queen/],
      [['update', 'ann', '--user_email=bob@example.org'], /that email address is already used/],
      [['list', '--role', 'nope'], /^There is no role 'nope'\. There are: administrator, .*subscriber\.\n$/],
      [['application-password', 'create', 'nobody', 'x'], /There is no user 'nobody'/],
    ]
    for (const [given, expected] of faults) {
      const finished = await user(...given)
      assert.equal(finished.code, 1, given.join(' '))
      assertReadable(finished, expected)
    }
    assert.equal(
      await done('update', 'bob', '--role=author', '--user_email=b@example.org', '--display_name', 'Bob'),
      'Updated user 2.\n',
    )
    assert.match(await done('list', '--role', 'author'), /\n2 +bob +b@example\.org +author /)
    assert.equal(
      await done('update', 'b@example.org', '--role=subscriber', '--user_email=bob@example.org'),
      'Updated user 2.\n',
    )
    assert.equal((await user('update', 'bob')).code, 2)

    const listed = JSON.parse(await done('list', '--json')) as { login: string; roles: string[] }[]
    assert.deepEqual(
      listed.map(({ login, roles }) => [login, ...roles]),
      [
        ['ann', 'editor'],
        ['bob', 'subscriber'],
      ],
    )
    assert.match(
      await done('list', '--role', 'editor'),
      /^ID +LOGIN +EMAIL +ROLES +REGISTERED\n1 +ann +ann@example\.org +editor +\d{4}-.*\n$/,
    )

    const secret = (await done('application-password', 'create', 'ann', 'Till \x1b[31m', '--porcelain')).trim()
    assert.match(secret, /^[A-Za-z0-9]{24}$/)
    assert.match(await done('application-password', 'create', 'ann', 'Scanner'), /\n(?:\w{4} ){5}\w{4}\n$/)
    const unnamed = await user('application-password', 'create', 'ann', 'x'.repeat(256))
    assert.equal(unnamed.code, 1)
    assertReadable(unnamed, /at most 255 characters/)
    const table = await done('application-password', 'list', 'ann')
    assert.ok(!table.includes('\x1b') && !table.includes(secret))
    const items = JSON.parse(await done('application-password', 'list', 'ann', '--json')) as {
      uuid: string
      name: string
    }[]
    assert.equal(items.length, 2)
    assert.equal(
      await done('application-password', 'delete', 'ann', items[0]?.uuid ?? ''),
      'Deleted 1 application password.\n',
    )
    assert.equal((await user('application-password', 'delete', 'ann', items[0]?.uuid ?? '')).code, 1)
    assert.equal((await user('application-password', 'delete', 'ann')).code, 2)
    assert.equal(await done('application-password', 'delete', 'ann', '--all'), 'Deleted 1 application password.\n')

    assert.equal(await done('delete', 'bob@example.org', '--reassign', 'ann'), 'Removed user 2.\n')
    assert.equal((JSON.parse(await done('list', '--json')) as unknown[]).length, 1)
  })

  it('digits are the id of a user, else a login', async () => {
    for (const login of ['2026', '0001']) await done('create', login, `u${login}@example.org`)
    assert.equal(await done('delete', '2026'), 'Removed user 3.\n')
    assert.equal(await done('delete', '0001'), 'Removed user 4.\n')
    assertReadable(await user('delete', '00001'), /There is no user '00001'/)
    assert.match(await done('list'), /^1 +ann /m)
  })
})

it('a lost password is replaced while the service runs, which ends the sessions', async () => {
  const at = ['--database', `sqlite:${join(cwd, 'lost.sqlite')}`]
  const served = await serve([shop, '--port', '0', ...at], { cwd })
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
  assert.equal((await runHere(['user', 'update', 'admin', '--user_pass=first', '--app', shop, ...at])).code, 0)
  const { status, cookie } = await logIn('first')
  assert.deepEqual([status, await profile(cookie)], [302, 200])
  const { stdout } = await runHere(['user', 'update', 'admin', '--app', shop, ...at, '--user_pass'])
  const password = /^Updated user 1\.\nPassword: (\S{20})\n$/.exec(stdout)?.[1] ?? ''
  assert.equal(await profile(cookie), 302, 'the session is over')
  assert.notEqual((await logIn('first')).status, 302)
  assert.equal((await logIn(password)).status, 302)
  await served.end('SIGTERM')
})

describe('log lines', () => {
  const write = `import { pinoLog } from '${new URL('../../src/log/pino-log.ts', import.meta.url).href}'
    pinoLog().warn({ method: 'GET', headers: { cookie: 'secret' } }, 'odd')`
  it('are JSON in a pipe', async () => {
    const file = join(cwd, 'log.mts')
    writeFileSync(file, write)
    const { stdout } = spawnSync(process.execPath, ['--import', import.meta.resolve('tsx'), file], { encoding: 'utf8' })
    const { time, ...line } = JSON.parse(stdout) as { time: string }
    assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000)
    assert.deepEqual(line, { level: 'warn', method: 'GET', headers: { cookie: '(secret)' }, msg: 'odd' })
  })
})

describe('which database is meant', () => {
  const app = application({
    'package.json': '{"type":"module"}',
    'as-rest-route.config.ts': `export default { database: 'sqlite:${join(cwd, 'configured.sqlite')}' }`,
    'api.ts': handler(`{ namespace: 'a/v1', route: '/a', permission: 'public' }`),
  })
  const urlOf = (name: string) => `sqlite:${join(cwd, `${name}.sqlite`)}`
  const ways: [what: string, given: string | null, environment: string, expected: string][] = [
    ['what is given wins over the environment', 'given', 'environment', 'given'],
    ['the environment wins over the configuration', null, 'environment', 'environment'],
    ['a variable that is set to nothing wins over nothing', null, '', 'configured'],
  ]
  for (const [what, given, environment, expected] of ways)
    it(`${what}: for boot, and for commands`, async (context) => {
      const before = process.env['DATABASE_URL']
      context.after(() => {
        if (before === undefined) delete process.env['DATABASE_URL']
        else process.env['DATABASE_URL'] = before
      })
      process.env['DATABASE_URL'] = environment === '' ? '' : urlOf(environment)
      const service = await boot(app, given === null ? {} : { database: urlOf(given) })
      const login = `in-${expected}`
      if ((await service.users.find(login)) === null)
        await service.users.create({ login, email: `${expected}@a.example`, password: 'secret' })
      await service.close()
      const option = given === null ? [] : ['--database', urlOf(given)]
      const { stdout, stderr } = await runHere(['user', 'list', '--app', app, '--json', ...option])
      assert.deepEqual([stderr, (JSON.parse(stdout) as { login: string }[]).map((user) => user.login)], ['', [login]])
    })

  it('an address in the environment that is none is refused as that', async () => {
    const refused = await run(['user', 'list', '--app', app], { cwd, env: { DATABASE_URL: 'postgres://db/shop' } })
    assert.equal(refused.code, 1)
    assertReadable(refused, /^environment DATABASE_URL: this version keeps its data in SQLite only/)
  })
})
