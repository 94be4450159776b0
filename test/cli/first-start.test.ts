import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { openSqlite } from '../../src/database/sqlite/open-sqlite.js'
import { sqliteLibrary } from '../../src/database/sqlite/sqlite-client.js'
import { freshDatabase } from '../support/servers/fresh-database.js'
import { skipWithoutServer } from '../support/servers/missing-server.js'
import { emptyFolder, endAll, removeFolders, run, runInShell, serve, serveInTerminal, shop } from './command-line.js'
import { seededBy, otherFiles, titlesAt } from './seeded-application.js'

after(() => {
  endAll()
  removeFolders()
})

const has = (program: string) => spawnSync(program, ['--version']).status === 0

const withoutCurl = !has('curl') && 'curl is not on this machine'

const withoutScript = !has('script') && 'script (util-linux) is not on this machine'

async function productsOf(url: string): Promise<{ readonly title: string }[]> {
  const response = await fetch(`${url}/wp-json/shop/v1/products?per_page=100`)
  assert.equal(response.status, 200)
  return (await response.json()) as { title: string }[]
}

async function logIn(url: string, log: string, pwd: string): Promise<Response> {
  return fetch(`${url}/wp-login.php`, { method: 'POST', body: new URLSearchParams({ log, pwd }), redirect: 'manual' })
}

function curlCommands(output: string): string[] {
  return output
    .split(/\r?\n/)
    .map((line) => (line.startsWith('{') ? (JSON.parse(line) as { readonly msg: string }).msg : line).trim())
    .filter((line) => line.startsWith('curl '))
}

describe('the first start on a server', () => {
  for (const kind of ['postgres', 'mariadb'] as const)
    it(`keeps the passwords in the folder data (${kind})`, { skip: skipWithoutServer(kind) }, async () => {
      const database = (await freshDatabase(kind)) ?? assert.fail('no server')
      const cwd = emptyFolder()
      const words = [shop, '--port', '0', '--database', database.url]
      const first = await serve(words, { cwd })
      const file = join(cwd, 'data', 'first-login.txt')
      assert.ok(first.output().includes(`The passwords are in ${file}`), first.output())
      assert.equal(statSync(file).mode & 0o777, 0o600)
      await first.end('SIGTERM')
      const again = await serve(words, { cwd })
      const [, password = ''] = /^password=(.*)$/m.exec(readFileSync(file, 'utf8')) ?? []
      assert.equal((await logIn(again.url, 'admin', password)).status, 302)
      await again.end('SIGTERM')
      await database.drop()
    })
})

describe('the first start', { concurrency: 3 }, () => {
  it('prints commands that work, once, and later starts keep the data', { skip: withoutCurl }, async () => {
    const cwd = emptyFolder()
    const file = join(cwd, "it's data", 'x.sqlite')
    const words = [shop, '--port', '0', '--database', `sqlite:${file}`]
    const first = await serve(words, { cwd })
    const loginFile = join(cwd, "it's data", 'first-login.txt')
    assert.equal(statSync(loginFile).mode & 0o777, 0o600)
    assert.ok(first.output().includes(loginFile), 'the output names the file')
    const secrets = Object.fromEntries(
      readFileSync(loginFile, 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split('=') as [string, string]),
    )
    const { login = '', password = '', application_password = '' } = secrets
    assert.ok(password.length >= 20 && application_password.length === 24)
    for (const secret of [password, application_password]) assert.ok(!first.output().includes(secret))
    assert.equal(first.output().match(/ routes? at http/g)?.length, 1)
    assert.doesNotMatch(first.output(), /\x1b/, 'no colours in a pipe')

    const productCount = (await productsOf(first.url)).length
    assert.ok(productCount >= 60)
    const commands = curlCommands(first.output())
    assert.equal(commands.length, 3)
    for (const command of commands) {
      const { code, stdout, stderr } = await runInShell(command.replace('curl ', 'curl -fsS '), cwd)
      assert.equal(code, 0, `${command}\n${stderr}`)
      assert.notEqual(JSON.parse(stdout), null)
    }
    assert.equal((await productsOf(first.url)).length, productCount + 1, 'one of the commands created a product')
    assert.equal((await logIn(first.url, login, password)).status, 302)
    assert.notEqual((await logIn(first.url, login, `${password}!`)).status, 302)

    assert.equal(await first.end('SIGKILL'), null)
    const second = await serve(words, { cwd })
    assert.doesNotMatch(second.output(), /administrator|curl|Nobody can log in/)
    assert.equal((await productsOf(second.url)).length, productCount + 1)
    assert.equal((await logIn(second.url, login, password)).status, 302)
    assert.equal(await second.end('SIGTERM'), 0)
    const users = await run(['user', 'list', '--app', shop, '--database', `sqlite:${file}`, '--json'], { cwd })
    assert.deepEqual(
      (JSON.parse(users.stdout) as { login: string; roles: string[] }[]).map((user) => [user.login, user.roles]),
      [['admin', ['administrator']]],
    )
  })

  it('prints the passwords in a terminal, and writes no file', { skip: withoutScript }, async () => {
    const cwd = emptyFolder()
    const served = await serveInTerminal([shop, '--port', '0', '--database', 'sqlite:x.sqlite'], { cwd })
    assert.match(served.output(), /\x1b\[1m/)
    const plain = served.output().replaceAll(/\x1b\[\d+m/g, '')
    const login = /Login: +(\S+)/.exec(plain)?.[1] ?? ''
    const password = /Password: +(\S+)/.exec(plain)?.[1] ?? ''
    assert.equal((await logIn(served.url, login, password)).status, 302)
    assert.ok(!existsSync(join(cwd, 'first-login.txt')) && !existsSync(join(cwd, 'data')))
    if (!withoutCurl) {
      for (const command of curlCommands(plain)) {
        const { code, stderr } = await runInShell(command.replace('curl ', 'curl -fsS '), cwd)
        assert.equal(code, 0, `${command}\n${stderr}`)
      }
    }
    await served.end('SIGTERM')
  })

  it('writes no file into the project for a database in memory', async () => {
    const cwd = emptyFolder()
    const served = await serve([shop, '--port', '0', '--database', 'sqlite::memory:'], { cwd })
    const file = /The passwords are in (.*), which only you can read/.exec(served.output())?.[1] ?? ''
    const password = /^password=(.*)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? ''
    assert.equal((await logIn(served.url, 'admin', password)).status, 302)
    assert.deepEqual(readdirSync(cwd), [])
    assert.equal(statSync(file).mode & 0o777, 0o600)
    await served.end('SIGTERM')
    assert.ok(!existsSync(file), 'the file is removed with the database')
  })

  it('prints no colours with NO_COLOR', { skip: withoutScript }, async () => {
    const cwd = emptyFolder()
    const served = await serveInTerminal([shop, '--port', '0', '--database', 'sqlite:x.sqlite'], {
      cwd,
      env: { NO_COLOR: '1' },
    })
    assert.doesNotMatch(served.output(), /\x1b/)
    await served.end('SIGTERM')
  })

  it('seeds no existing database, and says how to create a user', async () => {
    const cwd = emptyFolder()
    const open = await sqliteLibrary()
    const foreign = open(join(cwd, 'foreign.sqlite'))
    foreign.prepare('CREATE TABLE invoices (id INTEGER PRIMARY KEY)').run([])
    foreign.close()
    const own = await openSqlite(`sqlite:${join(cwd, 'own.sqlite')}`)
    await own.close()
    for (const name of ['foreign.sqlite', 'own.sqlite']) {
      const served = await serve([shop, '--port', '0', '--database', `sqlite:${name}`], { cwd })
      assert.deepEqual(await productsOf(served.url), [], name)
      assert.match(served.output(), /Nobody can log in yet\. See: as-rest-route user create/, name)
      assert.doesNotMatch(served.output(), /curl/, name)
      assert.equal(await served.end('SIGINT'), 0, name)
    }
    assert.ok(!existsSync(join(cwd, 'first-login.txt')))
  })

  it('creates neither a database nor a file of passwords when the port is in use', async () => {
    const cwd = emptyFolder()
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    const { port } = taken.address() as AddressInfo
    const words = [shop, '--database', 'sqlite:x.sqlite']
    const failed = await run(['serve', ...words, '--port', String(port)], { cwd })
    taken.close()
    assert.equal(failed.code, 1)
    assert.equal(
      failed.stderr,
      `Port ${port} of 127.0.0.1 is taken by another program. Give another one with --port. [port-taken]\n`,
    )
    assert.deepEqual(readdirSync(cwd), [])
    const served = await serve([...words, '--port', String(port)], { cwd })
    const password = /^password=(.*)$/m.exec(readFileSync(join(cwd, 'first-login.txt'), 'utf8'))?.[1] ?? ''
    assert.equal((await logIn(served.url, 'admin', password)).status, 302)
    assert.equal(await served.end('SIGTERM'), 0)
  })

  it('says that the machine does not have an address, also where another machine has a program at the port', async () => {
    const failed = await run(['serve', shop, '--database', 'sqlite::memory:', '--host', '10.9.9.9', '--port', '8498'], {
      cwd: emptyFolder(),
    })
    assert.equal(failed.code, 1)
    assert.match(failed.stderr, /^This machine has no address '10\.9\.9\.9'\..* \[host-unknown\]\n$/)
  })

  it('ignores empty environment variables', async () => {
    const cwd = emptyFolder()
    const env = { PORT: '', HOST: '', DATABASE_URL: '', REDIS_URL: '', AUTH_KEY: '' }
    const served = await serve([shop, '--port', '0'], { cwd, env })
    assert.match(served.url, /^http:\/\/127\.0\.0\.1:/, 'an empty HOST does not mean every address')
    assert.ok(existsSync(join(cwd, 'data/site.sqlite')))
    await served.end('SIGTERM')
  })

  it(
    'prints commands that work with another prefix, and without a suitable route in the application',
    { skip: withoutCurl },
    async () => {
      const app = emptyFolder()
      const cwd = emptyFolder()
      writeFileSync(join(app, 'package.json'), '{"type":"module"}')
      writeFileSync(join(app, 'as-rest-route.config.ts'), `export default { rest_prefix: 'api/rest' }`)
      writeFileSync(
        join(app, 'api.ts'),
        `import { AsRestRoute, RestResponse } from 'as-rest-route'
      const code = { type: 'string', required: true, pattern: '^[a-z]{3}-[0-9]{4}$' } as const
      export class TicketsApi {
        @AsRestRoute({ namespace: 'desk/v1', route: '/tickets', permission: 'public', args: { code } })
        @AsRestRoute({ namespace: 'desk/v1', route: '/tickets', method: 'POST', permission: 'nobody', args: { code } })
        tickets() { return new RestResponse([]) }
        nobody() { return false }
      }`,
      )
      const served = await serve([app, '--port', '0', '--database', 'sqlite:x.sqlite'], { cwd })
      const commands = curlCommands(served.output())
      assert.equal(commands.length, 3)
      for (const command of commands) {
        const { code, stderr } = await runInShell(command.replace('curl ', 'curl -fsS '), cwd)
        assert.equal(code, 0, `${command}\n${stderr}`)
      }
      assert.equal(await served.end('SIGTERM'), 0)
    },
  )

  it('prints commands that work when this machine is a trusted proxy', { skip: withoutCurl }, async () => {
    const app = seededBy('')
    const cwd = emptyFolder()
    writeFileSync(
      join(app, 'as-rest-route.config.ts'),
      `export default { base_url: 'https://api.example.com', trusted_proxies: ['127.0.0.1'] }`,
    )
    const served = await serve([app, '--port', '0', '--database', 'sqlite:x.sqlite'], { cwd })
    assert.match(served.output(), /Log in: +https:\/\/api\.example\.com\/wp-login\.php/)
    const commands = curlCommands(served.output())
    assert.equal(commands.length, 3)
    for (const command of commands) {
      const { code, stderr } = await runInShell(command.replace('curl ', 'curl -fsS '), cwd)
      assert.equal(code, 0, `${command}\n${stderr}`)
    }
    assert.equal(await served.end('SIGTERM'), 0)
  })

  const seeds: [what: string, logins: [login: string, role: string][], added: string | null][] = [
    ['an editor', [['ann', 'editor']], 'admin'],
    ['an editor with the login admin', [['Admin', 'editor']], 'admin-2'],
    ['an administrator', [['ann', 'administrator']], null],
  ]
  for (const [what, logins, added] of seeds)
    it(`creates ${added ?? 'no administrator'} when the seed creates ${what}`, async () => {
      const cwd = emptyFolder()
      const users = logins.map(([login, role]) =>
        JSON.stringify({ login, role, password: 'x', email: `${login}@x.example` }),
      )
      const app = seededBy(users.map((user) => `await users.create(${user})`).join('\n'))
      const words = [app, '--port', '0', '--database', 'sqlite:x.sqlite']
      const served = await serve(words, { cwd })
      const loginFile = join(cwd, 'first-login.txt')
      assert.equal(existsSync(loginFile), added !== null)
      if (added !== null) {
        const [, login = '', password = ''] = /^login=(.*)\npassword=(.*)$/m.exec(readFileSync(loginFile, 'utf8')) ?? []
        assert.equal(login, added)
        assert.equal((await logIn(served.url, login, password)).status, 302)
      }
      assert.equal(await served.end('SIGTERM'), 0)
    })

  it('does not overwrite the passwords of another database', async () => {
    const cwd = emptyFolder()
    const pathOf = (name: string) => join(cwd, name)
    writeFileSync(pathOf('first-login.txt'), 'of another site')
    symlinkSync(pathOf('elsewhere.txt'), pathOf('first-login-2.txt'))
    for (const [database, name] of [
      ['x.sqlite', 'first-login-3.txt'],
      ['y.sqlite', 'first-login-4.txt'],
    ] as const) {
      const served = await serve([shop, '--port', '0', '--database', `sqlite:${database}`], { cwd })
      assert.ok(served.output().includes(pathOf(name)), 'the output names the file')
      assert.equal(statSync(pathOf(name)).mode & 0o777, 0o600)
      const password = /^password=(.*)$/m.exec(readFileSync(pathOf(name), 'utf8'))?.[1] ?? ''
      assert.equal((await logIn(served.url, 'admin', password)).status, 302)
      await served.end('SIGTERM')
    }
    assert.equal(readFileSync(pathOf('first-login.txt'), 'utf8'), 'of another site')
    assert.ok(!existsSync(pathOf('elsewhere.txt')))
  })

  const failing: [what: string, line: string, expected: RegExp][] = [
    [
      'throws',
      `throw new TypeError('no such supplier')`,
      /^The seed of the configuration failed at .*config\.ts:5: no such/,
    ],
    [
      'is refused a user',
      `await users.create({ login: '' })`,
      /failed at .*config\.ts:5: Cannot create a user with an/,
    ],
    ['throws a value that is not an error', `throw 'enough'`, /^The seed of the configuration failed: enough\n/],
  ]
  for (const [what, line, expected] of failing) {
    it(`with a seed that ${what} fails, and so does the next start on the same database`, async () => {
      const cwd = emptyFolder()
      const words = [seededBy(`await insert(records, 'One')\n${line}`), '--port', '0', '--database', 'sqlite:x.sqlite']
      const failed = await run(['serve', ...words], { cwd })
      assert.equal(failed.code, 1)
      assert.match(failed.stderr, expected)
      assert.match(failed.stderr, /Remove it, correct the seed, and start again\. \[seed-failed\]\n$/)
      assert.doesNotMatch(failed.stderr, /^\s+at /m, 'no stack trace')
      const next = await run(['serve', ...words], { cwd })
      assert.equal(next.code, 1)
      assert.ok(next.stderr.startsWith(`The database ${join(cwd, 'x.sqlite')} cannot be used. Its first start did not`))
      assert.doesNotMatch(next.stderr, /^\s+at /m, 'no stack trace')
      assert.deepEqual(otherFiles(cwd), [], 'no file with passwords')
    })
  }

  it('that is killed leaves a database that is refused until it is removed', async () => {
    const cwd = emptyFolder()
    const app = seededBy(`await insert(records, 'One')
      if (process.env.KILLED) process.kill(process.pid, 'SIGKILL')`)
    const words = [app, '--port', '0', '--database', 'sqlite:x.sqlite']
    assert.equal((await run(['serve', ...words], { cwd, env: { KILLED: 'yes' } })).code, null)
    const next = await run(['serve', ...words], { cwd })
    assert.deepEqual([next.code, /Its first start did not come to its end/.test(next.stderr)], [1, true])
    for (const name of readdirSync(cwd)) rmSync(join(cwd, name))
    const served = await serve(words, { cwd })
    assert.deepEqual(await titlesAt(served.url), ['One'])
    assert.equal(await served.end('SIGTERM'), 0)
    assert.deepEqual(otherFiles(cwd), ['first-login.txt'])
  })
})
