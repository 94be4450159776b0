import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { boot } from '../../src/app/boot.js'
import { openSqlite } from '../../src/database/sqlite/open-sqlite.js'
import { endAll, removeFolders, run, runHere, runInShell, shop } from './command-line.js'
import { typescriptArguments } from '../support/typescript.js'
import { cwd, application, assertReadable, handler } from './application-folder.js'

after(() => {
  endAll()
  removeFolders()
})

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
