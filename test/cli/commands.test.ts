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
import { typescriptArguments } from '../support/typescript.js'

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

/** An error is one message without a stack trace, with a code of docs/errors.md unless the command line cannot be parsed. */
function assertReadable({ stderr }: Finished, expected: RegExp): void {
  assert.match(stderr, expected)
  if (!stderr.includes('--help') && !stderr.startsWith('Usage:')) assert.match(stderr, /\[[a-z_-]+\]$|#[a-z-]+$/m)
  assert.doesNotMatch(stderr, /^\s+at .+:\d+:\d+/m, 'no stack trace')
  assert.doesNotMatch(stderr, /\x1b/, 'no colours in a pipe')
}

const handler = (declaration: string, body = '') => `
  import { AsRestRoute, RestResponse, currentUserCan } from 'as-rest-route'
  export class Api {
    @AsRestRoute(${declaration})
    read() { return new RestResponse(null) }
    ${body}
  }`

describe('the command line', () => {
  const commandLines: [words: string[], code: number, expected: RegExp][] = [
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
    [['serve', shop, '--workers', '4'], 2, /^--workers: several workers need a supervisor/],
    [['serve', shop, '--workers', 'many'], 2, /^--workers: 'many' is not a number of workers/],
    [['serve', shop, '--workers', '0'], 2, /^--workers: '0' is not a number of workers/],
    [['serve', shop, '--workers=257'], 2, /^--workers: '257' is not a number of workers/],
    [['serve', 'nowhere'], 2, /There is no folder .*nowhere\./],
    [['check', join(shop, 'tsconfig.json')], 2, /is a file\. Give the folder it lies in\./],
  ]
  for (const [words, code, expected] of commandLines) {
    it(`as-rest-route ${words.join(' ').replace(shop, 'examples/shop')} ends with the exit code ${code}`, async () => {
      const finished = await runHere(words)
      assert.equal(finished.code, code, finished.stderr)
      if (code === 0) assert.match(finished.stdout, expected)
      else assertReadable(finished, expected)
    })
  }

  it('as-rest-route runs in a process', async () => {
    const { code, stdout, stderr } = await run(['--version'], { cwd })
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/)
  })

  it('a reader that closes the pipe early is not an error', { skip: process.platform === 'win32' }, async () => {
    const main = join(shop, '../../src/cli/main.ts')
    const line = `'${process.execPath}' ${typescriptArguments.join(' ')} '${main}' routes '${shop}' | head -c 1; exit \${PIPESTATUS[0]}`
    const { code, stderr } = await runInShell(line, cwd)
    assert.equal(code, 0, stderr)
    assert.equal(stderr, '')
  })
})

describe('a start that fails', () => {
  const refused: [what: string, words: string[], expected: RegExp][] = [
    [
      'a database address of another kind',
      [shop, '--database', 'oracle://ann:hunter2@db/shop'],
      /is not a database address/,
    ],
    ['an invalid database address', [shop, '--database', 'shop.db'], /'shop\.db' is not a database address/],
    [
      'a database folder that cannot be created',
      [shop, '--database', 'sqlite:/dev/null/more/x.sqlite'],
      /cannot be created/,
    ],
    [
      'a listening address of another machine',
      [shop, '--host', '192.0.2.1', '--database', `sqlite:${join(cwd, 'afar.sqlite')}`],
      /no address/,
    ],
    ['an invalid base URL', [shop, '--base-url', 'shop', '--database', 'sqlite::memory:'], /option base_url/],
  ]
  for (const [what, words, expected] of refused) {
    it(`has a message about ${what}`, async () => {
      const finished = await runHere(['serve', ...words, ...(words.includes('--host') ? [] : ['--port', '0'])])
      assert.equal(finished.code, 1)
      assertReadable(finished, expected)
      assert.doesNotMatch(finished.stderr, /hunter2/)
    })
  }

  it('has a message about a file that is not a database', async () => {
    writeFileSync(join(cwd, 'letter.txt'), 'Dear Agnes, this is not a database. '.repeat(40))
    const finished = await runHere(['serve', shop, '--port', '0', '--database', `sqlite:${join(cwd, 'letter.txt')}`])
    assert.equal(finished.code, 1)
    assertReadable(finished, /not an SQLite database/)
  })

  it('has a message about a REDIS_URL that is none', async () => {
    process.env['REDIS_URL'] = 'localhost'
    const [serveResult, checkResult] = [await runHere(['serve', shop]), await runHere(['check', shop])]
    delete process.env['REDIS_URL']
    assert.deepEqual([serveResult.code, checkResult.code], [1, 1])
    assertReadable(serveResult, /environment REDIS_URL: it must be the URL of a server/)
  })

  it('an invalid port in the environment has a message that names the variable', async () => {
    const finished = await run(['serve', shop], { cwd, env: { PORT: 'abc' } })
    assert.equal(finished.code, 2)
    assertReadable(finished, /^The environment variable PORT: 'abc' is not a port\. Give a number/)
  })

  it('every command has a message about a configuration that cannot be loaded', async () => {
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

  it('the process ends with exit code 1 and a message without a stack trace', async () => {
    const app = application({ 'as-rest-route.config.ts': 'export default {', 'package.json': '{"type":"module"}' })
    const finished = await run(['serve', app], { cwd })
    assert.equal(finished.code, 1)
    assertReadable(finished, /^The configuration cannot be loaded/)
  })

  it('has a message about an unknown option in the configuration', async () => {
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
    it(`check reports the configuration { ${option} }`, async () => {
      const app = application({
        'as-rest-route.config.ts': `export default { ${option} }`,
        'package.json': '{"type":"module"}',
        'api.ts': handler(`{ namespace: 'a/v1', route: '/a', permission: 'public' }`),
      })
      const checked = await runHere(['check', app])
      assert.deepEqual(
        [checked.code, checked.stderr],
        [1, 'One fault. See docs/errors.md#folder-invalid [application-faulty]\n'],
      )
      assert.match(checked.stdout, expected)
    })

  it('check and serve list all faults of the declarations, with file and line', async () => {
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
    assert.equal(checked.stderr, '2 faults. See docs/errors.md#<code> [application-faulty]\n')
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

  it('the folder of a whole project must be named on the command line', async () => {
    const project = application({ 'package.json': '{"type":"module"}', 'scripts/tool.js': 'process.exitCode = 9' })
    const { code, stderr } = await run(['check'], { cwd: project })
    assert.equal(code, 2)
    assert.match(stderr, /This is a whole project, and every module below it would be run\. Give the folder/)
    assert.equal((await run(['check', '.'], { cwd: project })).code, 1)
  })

  for (const start of ['await boot([Api])', 'void boot([Api])']) {
    it(`a main module in the handlers' folder with ${start} starts no service`, async () => {
      const app = application({
        'package.json': '{"type":"module"}',
        'api.ts': handler(`{ namespace: 'a/v1', route: '/a', permission: 'public' }`),
        'main.ts': `import { boot } from 'as-rest-route'\nimport { Api } from './api.ts'\n${start}`,
      })
      const expected =
        /main\.ts:3 +module: it cannot be loaded: boot\(\) was called by a module in the handlers' folder\..*move main\.ts out/
      const checked = await run(['check', app], { cwd: app })
      assert.deepEqual(
        [checked.code, checked.stderr],
        [1, 'One fault. See docs/errors.md#module-failed [application-faulty]\n'],
      )
      assert.match(checked.stdout, expected)
      const served = await run(['serve', app], { cwd: app })
      assert.equal(served.code, 1)
      assertReadable(served, expected)
      assert.ok(!existsSync(join(app, 'data')), 'no database was created')
    })
  }

  it('check ends although a module of the application has started a timer', async () => {
    const app = application({
      'package.json': '{"type":"module"}',
      'api.ts': `setInterval(() => {}, 1000)\n${handler(`{ namespace: 'a/v1', route: '/a', permission: 'public' }`)}`,
    })
    const { code, stdout } = await run(['check', app], { cwd })
    assert.deepEqual([code, stdout], [0, '1 route, no fault.\n'])
  })
})

describe('routes --as', () => {
  interface Route {
    readonly method: string
    readonly route: string
    readonly allowed?: boolean | null
    readonly file: string
  }
  const routesOf = async (...options: string[]) => {
    const { code, stdout, stderr } = await runHere(['routes', shop, '--json', ...options])
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout) as Route[]
  }
  const allowed = (routes: readonly Route[], method: string, path: string) =>
    routes.find((candidate) => candidate.method === method && candidate.route === path)?.allowed

  const callers: [as: string, verdicts: Record<string, boolean | null>][] = [
    ['anonymous', { 'GET /products': true, 'POST /products': false, 'GET /items': false, 'GET /orders': false }],
    ['subscriber', { 'GET /orders': true, 'POST /products': false, 'GET /items': false, 'GET /drafts': false }],
    ['author', { 'POST /products': true, 'GET /items': true, 'POST /admin/settings': false }],
    ['administrator', { 'POST /admin/settings': true, 'PUT /products/(?P<id>\\d+)': null }],
  ]
  for (const [as, verdicts] of callers) {
    it(`shows which routes ${as} may call`, async () => {
      const routes = await routesOf('--as', as)
      for (const [name, verdict] of Object.entries(verdicts)) {
        const [method = '', path = ''] = name.split(' ')
        assert.equal(allowed(routes, method, path), verdict, name)
      }
    })
  }

  it('prints a table', async () => {
    const { code, stdout } = await runHere(['routes', shop, '--as', 'editor'])
    assert.equal(code, 0)
    assert.match(stdout, /^AS editor +METHOD +ROUTE +WHO +HANDLER +WHERE\n/)
    assert.match(
      stdout,
      /^yes +POST +\/shop\/v1\/products +canCreateProduct\(\) +ProductsApi\.create +.*products-api\.ts:\d+$/m,
    )
    assert.match(stdout, /^depends on the request +PUT +\/shop\/v1\/products\/\(\?P<id>\\d\+\)/m)
  })

  it('has a message about an unknown caller, and creates no database', async () => {
    const withoutDatabase = await runHere([
      'routes',
      shop,
      '--as',
      'ann',
      '--database',
      `sqlite:${join(cwd, 'none.sqlite')}`,
    ])
    assert.equal(withoutDatabase.code, 1)
    assertReadable(withoutDatabase, /There is no database .*none\.sqlite yet\. Start the application once/)
    const storage = await openSqlite(`sqlite:${join(cwd, 'empty.sqlite')}`)
    await storage.close()
    const withoutUser = await runHere([
      'routes',
      shop,
      '--as',
      'ann',
      '--database',
      `sqlite:${join(cwd, 'empty.sqlite')}`,
    ])
    assert.equal(withoutUser.code, 1)
    assertReadable(withoutUser, /'ann' is neither a role \(administrator, .*\), nor a user, nor 'anonymous'/)
  })

  it('does not look a user up in another database when the given one is refused', async () => {
    const refused = await runHere(['routes', shop, '--as', 'ann', '--database', 'postgres://u:secret@db'])
    assert.equal(refused.code, 1)
    assertReadable(refused, /'ann' is a user cannot be looked up\. option database: .*names no database/)
    assert.doesNotMatch(refused.stderr + refused.stdout, /secret/)
  })
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
      [['create', 'eve', 'eve@example.org', '--role', 'queen'], /Role doesn't exist: queen/],
      [['delete', 'nobody'], /There is no user 'nobody'/],
      [['update', 'nobody', '--role=editor'], /There is no user 'nobody'/],
      [['update', 'ann', '--role=queen'], /Role doesn't exist: queen/],
      [['update', 'ann', '--user_email=bob@example.org'], /that email address is already used/],
      [
        ['list', '--role', 'nope'],
        /^There is no role 'nope'\. There are: administrator, .*subscriber\. \[role-missing\]\n$/,
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

    const secret = (await outputOf('application-password', 'create', 'ann', 'Till \x1b[31m', '--porcelain')).trim()
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
    const items = JSON.parse(await outputOf('application-password', 'list', 'ann', '--json')) as {
      uuid: string
      name: string
    }[]
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

describe('the database of boot and of the commands', () => {
  const app = application({
    'package.json': '{"type":"module"}',
    'as-rest-route.config.ts': `export default { database: 'sqlite:${join(cwd, 'configured.sqlite')}' }`,
    'api.ts': handler(`{ namespace: 'a/v1', route: '/a', permission: 'public' }`),
  })
  const urlOf = (name: string) => `sqlite:${join(cwd, `${name}.sqlite`)}`
  const cases: [what: string, option: string | null, environment: string, expected: string][] = [
    ['the option takes precedence over the environment', 'option', 'environment', 'option'],
    ['the environment takes precedence over the configuration', null, 'environment', 'environment'],
    ['an empty variable is ignored', null, '', 'configured'],
  ]
  for (const [what, option, environment, expected] of cases)
    it(what, async (context) => {
      const before = process.env['DATABASE_URL']
      context.after(() => {
        if (before === undefined) delete process.env['DATABASE_URL']
        else process.env['DATABASE_URL'] = before
      })
      process.env['DATABASE_URL'] = environment === '' ? '' : urlOf(environment)
      const service = await boot(app, option === null ? {} : { database: urlOf(option) })
      const login = `in-${expected}`
      if ((await service.users.find(login)) === null)
        await service.users.create({ login, email: `${expected}@a.example`, password: 'secret' })
      await service.close()
      const words = option === null ? [] : ['--database', urlOf(option)]
      const { stdout, stderr } = await runHere(['user', 'list', '--app', app, '--json', ...words])
      assert.deepEqual([stderr, (JSON.parse(stdout) as { login: string }[]).map((user) => user.login)], ['', [login]])
    })

  it('the message about an invalid address names the environment variable', async () => {
    const refused = await run(['user', 'list', '--app', app], { cwd, env: { DATABASE_URL: 'postgres://db' } })
    assert.equal(refused.code, 1)
    assertReadable(refused, /^ *environment DATABASE_URL: The address of the database names no database/m)
  })
})
