import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { openSqlite } from '../../src/database/sqlite/open-sqlite.js'
import { sqliteLibrary } from '../../src/database/sqlite/sqlite-client.js'
import {
  emptyFolder,
  endAll,
  removeFolders,
  run,
  runInShell,
  serve,
  serveInTerminal,
  shop,
  starting,
} from './command-line.js'

after(() => {
  endAll()
  removeFolders()
})

const has = (program: string) => spawnSync(program, ['--version']).status === 0
const withoutCurl = !has('curl') && 'curl is not on this machine'
const withoutScript = !has('script') && 'script (util-linux) is not on this machine'

async function productsOf(url: string): Promise<{ readonly title: string }[]> {
  const answer = await fetch(`${url}/wp-json/shop/v1/products?per_page=100`)
  assert.equal(answer.status, 200)
  return (await answer.json()) as { title: string }[]
}

async function logIn(url: string, log: string, pwd: string): Promise<Response> {
  return fetch(`${url}/wp-login.php`, { method: 'POST', body: new URLSearchParams({ log, pwd }), redirect: 'manual' })
}

function curlCommands(output: string): string[] {
  return output.split(/\r?\n/).flatMap((line) => (/^\s+curl /.test(line) ? [line.trim()] : []))
}

/** An application whose new database is filled by these lines. */
function seededBy(lines: string): string {
  const app = emptyFolder()
  writeFileSync(join(app, 'package.json'), '{"type":"module"}')
  writeFileSync(
    join(app, 'api.ts'),
    `import { AsRestRoute, RestResponse, RecordStore, inject } from 'as-rest-route'
    export class PostsApi {
      constructor(private readonly records = inject(RecordStore)) {}
      @AsRestRoute({ namespace: 'desk/v1', route: '/posts', permission: 'public' })
      async list() { return new RestResponse((await this.records.list({ type: 'post' })).map(({ title }) => title)) }
    }`,
  )
  writeFileSync(
    join(app, 'as-rest-route.config.ts'),
    `const insert = (records, title) => records.insert({ type: 'post', status: 'publish', title })
    export default {
      async seed({ records, users }) {
        ${lines}
      },
    }`,
  )
  return app
}

/** What lies beside the database; libsql leaves its log there for a while. */
const otherFiles = (folder: string) => readdirSync(folder).filter((name) => !/^x\.sqlite(-wal|-shm)?$/.test(name))

const titlesAt = async (url: string) => (await fetch(`${url}/wp-json/desk/v1/posts`)).json()

describe('the first start', { concurrency: 3 }, () => {
  it(
    'greets once, keeps its promises when pasted, and every later start keeps the data',
    { skip: withoutCurl },
    async () => {
      const cwd = emptyFolder()
      const file = join(cwd, "it's data", 'x.sqlite')
      const given = [shop, '--port', '0', '--database', `sqlite:${file}`]
      const first = await serve(given, { cwd })
      const kept = join(cwd, "it's data", 'first-login.txt')
      assert.equal(statSync(kept).mode & 0o777, 0o600)
      assert.ok(first.output().includes(kept), 'the greeting names the file')
      const secrets = Object.fromEntries(
        readFileSync(kept, 'utf8')
          .trim()
          .split('\n')
          .map((line) => line.split('=') as [string, string]),
      )
      const { login = '', password = '', application_password = '' } = secrets
      assert.ok(password.length >= 20 && application_password.length === 24)
      for (const secret of [password, application_password]) assert.ok(!first.output().includes(secret))
      assert.equal(first.output().match(/ routes? at http/g)?.length, 1)
      assert.doesNotMatch(first.output(), /\x1b/, 'no colours in a pipe')

      const stocked = (await productsOf(first.url)).length
      assert.ok(stocked >= 60)
      const commands = curlCommands(first.output())
      assert.equal(commands.length, 3)
      for (const command of commands) {
        const { code, stdout, stderr } = await runInShell(command.replace('curl ', 'curl -fsS '), cwd)
        assert.equal(code, 0, `${command}\n${stderr}`)
        assert.notEqual(JSON.parse(stdout), null)
      }
      assert.equal((await productsOf(first.url)).length, stocked + 1, 'one of them wrote a product')
      assert.equal((await logIn(first.url, login, password)).status, 302)
      assert.notEqual((await logIn(first.url, login, `${password}!`)).status, 302)

      assert.equal(await first.end('SIGKILL'), null)
      const second = await serve(given, { cwd })
      assert.doesNotMatch(second.output(), /administrator|curl|Nobody can log in/)
      assert.equal((await productsOf(second.url)).length, stocked + 1)
      assert.equal((await logIn(second.url, login, password)).status, 302)
      assert.equal(await second.end('SIGTERM'), 0)
      const users = await run(['user', 'list', '--app', shop, '--database', `sqlite:${file}`, '--json'], { cwd })
      assert.deepEqual(
        (JSON.parse(users.stdout) as { login: string; roles: string[] }[]).map((user) => [user.login, user.roles]),
        [['admin', ['administrator']]],
      )
    },
  )

  it('prints the password in a terminal, and keeps no file', { skip: withoutScript }, async () => {
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

  it('leaves nothing in the project for a database in memory', async () => {
    const cwd = emptyFolder()
    const served = await serve([shop, '--port', '0', '--database', 'sqlite::memory:'], { cwd })
    const file = /The passwords are in (.*), which only you can read/.exec(served.output())?.[1] ?? ''
    const password = /^password=(.*)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? ''
    assert.equal((await logIn(served.url, 'admin', password)).status, 302)
    assert.deepEqual(readdirSync(cwd), [])
    assert.equal(statSync(file).mode & 0o777, 0o600)
    await served.end('SIGTERM')
    assert.ok(!existsSync(file), 'it opens nothing any more')
  })

  it('has no colours for who wants none', { skip: withoutScript }, async () => {
    const cwd = emptyFolder()
    const served = await serveInTerminal([shop, '--port', '0', '--database', 'sqlite:x.sqlite'], {
      cwd,
      env: { NO_COLOR: '1' },
    })
    assert.doesNotMatch(served.output(), /\x1b/)
    await served.end('SIGTERM')
  })

  it('fills no database that was there, and says how to make a user', async () => {
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

  it('leaves a key also where the port is taken', async () => {
    const cwd = emptyFolder()
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    const { port } = taken.address() as AddressInfo
    const given = [shop, '--database', 'sqlite:x.sqlite']
    const failed = await run(['serve', ...given, '--port', String(port)], { cwd })
    taken.close()
    assert.equal(failed.code, 1)
    assert.equal(
      failed.stderr,
      `Port ${port} of 127.0.0.1 is taken by another program. Give another one with --port.\n`,
    )
    const password = /^password=(.*)$/m.exec(readFileSync(join(cwd, 'first-login.txt'), 'utf8'))?.[1] ?? ''
    const served = await serve([...given, '--port', '0'], { cwd })
    assert.equal((await logIn(served.url, 'admin', password)).status, 302)
    assert.equal(await served.end('SIGTERM'), 0)
  })

  it('takes variables that are set to nothing for variables that are not set', async () => {
    const cwd = emptyFolder()
    const env = { PORT: '', HOST: '', DATABASE_URL: '', REDIS_URL: '', AUTH_KEY: '' }
    const served = await serve([shop, '--port', '0'], { cwd, env })
    assert.match(served.url, /^http:\/\/127\.0\.0\.1:/, 'an empty HOST would be every address')
    assert.ok(existsSync(join(cwd, 'data/site.sqlite')))
    await served.end('SIGTERM')
  })

  it(
    'shows requests that work also below another prefix, and where the application has none to show',
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

  it('shows requests that work on the machine of a trusted proxy', { skip: withoutCurl }, async () => {
    const app = seededBy('')
    const cwd = emptyFolder()
    writeFileSync(
      join(app, 'as-rest-route.config.ts'),
      `export default { base_url: 'https://api.example.com', trusted_proxies: ['127.0.0.1'] }`,
    )
    const served = await serve([app, '--port', '0', '--database', 'sqlite:x.sqlite'], { cwd })
    const commands = curlCommands(served.output())
    assert.equal(commands.length, 3)
    for (const command of commands) {
      const { code, stderr } = await runInShell(command.replace('curl ', 'curl -fsS '), cwd)
      assert.equal(code, 0, `${command}\n${stderr}`)
    }
    assert.equal(await served.end('SIGTERM'), 0)
  })

  const seeded: [role: string, logins: [login: string, role: string][], added: string | null][] = [
    ['an editor', [['ann', 'editor']], 'admin'],
    ['an editor by the name of admin', [['Admin', 'editor']], 'admin-2'],
    ['an administrator', [['ann', 'administrator']], null],
  ]
  for (const [what, logins, added] of seeded)
    it(`makes ${added ?? 'no'} administrator where the seed makes ${what}`, async () => {
      const cwd = emptyFolder()
      const made = logins.map(([login, role]) =>
        JSON.stringify({ login, role, password: 'x', email: `${login}@x.example` }),
      )
      const app = seededBy(made.map((user) => `await users.create(${user})`).join('\n'))
      const given = [app, '--port', '0', '--database', 'sqlite:x.sqlite']
      const served = await serve(given, { cwd })
      const kept = join(cwd, 'first-login.txt')
      assert.equal(existsSync(kept), added !== null)
      if (added !== null) {
        const [, login = '', password = ''] = /^login=(.*)\npassword=(.*)$/m.exec(readFileSync(kept, 'utf8')) ?? []
        assert.equal(login, added)
        assert.equal((await logIn(served.url, login, password)).status, 302)
      }
      assert.equal(await served.end('SIGTERM'), 0)
    })

  it('leaves the credentials of another database where they are', async () => {
    const cwd = emptyFolder()
    const kept = (name: string) => join(cwd, name)
    writeFileSync(kept('first-login.txt'), 'of another site')
    symlinkSync(kept('elsewhere.txt'), kept('first-login-2.txt'))
    for (const [database, name] of [
      ['x.sqlite', 'first-login-3.txt'],
      ['y.sqlite', 'first-login-4.txt'],
    ] as const) {
      const served = await serve([shop, '--port', '0', '--database', `sqlite:${database}`], { cwd })
      assert.ok(served.output().includes(kept(name)), 'the greeting names the file')
      assert.equal(statSync(kept(name)).mode & 0o777, 0o600)
      const password = /^password=(.*)$/m.exec(readFileSync(kept(name), 'utf8'))?.[1] ?? ''
      assert.equal((await logIn(served.url, 'admin', password)).status, 302)
      await served.end('SIGTERM')
    }
    assert.equal(readFileSync(kept('first-login.txt'), 'utf8'), 'of another site')
    assert.ok(!existsSync(kept('elsewhere.txt')))
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
    ['throws what is no error', `throw 'enough'`, /^The seed of the configuration failed: enough\n/],
  ]
  for (const [what, line, expected] of failing) {
    it(`whose seed ${what} says where, and the next one does not take the database for finished`, async () => {
      const cwd = emptyFolder()
      const given = [seededBy(`await insert(records, 'One')\n${line}`), '--port', '0', '--database', 'sqlite:x.sqlite']
      const failed = await run(['serve', ...given], { cwd })
      assert.equal(failed.code, 1)
      assert.match(failed.stderr, expected)
      assert.match(failed.stderr, /Remove it, correct the seed, and start again\.\n$/)
      assert.doesNotMatch(failed.stderr, /^\s+at /m, 'no trace')
      const next = await run(['serve', ...given], { cwd })
      assert.equal(next.code, 1)
      assert.ok(next.stderr.startsWith(`The database ${join(cwd, 'x.sqlite')} cannot be used. Its first start did not`))
      assert.doesNotMatch(next.stderr, /^\s+at /m, 'no trace')
      assert.deepEqual(otherFiles(cwd), [], 'no key to it either')
    })
  }

  it('that is killed leaves a database that is refused; once it is removed all goes well', async () => {
    const cwd = emptyFolder()
    const app = seededBy(`await insert(records, 'One')
      if (process.env.KILLED) process.kill(process.pid, 'SIGKILL')`)
    const given = [app, '--port', '0', '--database', 'sqlite:x.sqlite']
    assert.equal((await run(['serve', ...given], { cwd, env: { KILLED: 'yes' } })).code, null)
    const next = await run(['serve', ...given], { cwd })
    assert.deepEqual([next.code, /Its first start did not come to its end/.test(next.stderr)], [1, true])
    for (const name of readdirSync(cwd)) rmSync(join(cwd, name))
    const served = await serve(given, { cwd })
    assert.deepEqual(await titlesAt(served.url), ['One'])
    assert.equal(await served.end('SIGTERM'), 0)
    assert.deepEqual(otherFiles(cwd), ['first-login.txt'])
  })

  it('is waited for by who says so, and who can be stopped meanwhile', async () => {
    const cwd = emptyFolder()
    const app = seededBy(`const { existsSync } = await import('node:fs')
      while (!existsSync('enough')) await new Promise((resolve) => setTimeout(resolve, 20))
      await insert(records, 'One')`)
    const given = [app, '--port', '0', '--database', 'sqlite:x.sqlite']
    const first = starting(given, { cwd })
    const second = starting(given, { cwd })
    const waiting = /"database":"sqlite:x\.sqlite".*another process makes the first start of this database: waiting/
    const isFirst = await Promise.race([first.says(waiting).then(() => false), second.says(waiting).then(() => true)])
    const [maker, waiter] = isFirst ? [first, second] : [second, first]
    assert.equal(await waiter.end('SIGTERM'), 0)
    assert.equal(waiter.output().trim().split('\n').length, 1, waiter.output())
    writeFileSync(join(cwd, 'enough'), '')
    await maker.says(/1 route at http/)
    assert.equal(await maker.end('SIGTERM'), 0)
  })

  it('is made by one of several processes; the others wait for it', async () => {
    const cwd = emptyFolder()
    const app = seededBy(`await insert(records, 'One')
      await new Promise((resolve) => setTimeout(resolve, 1500))
      await insert(records, 'Two')`)
    const given = [app, '--port', '0', '--database', 'sqlite:x.sqlite']
    const served = await Promise.all([1, 2, 3].map(() => serve(given, { cwd })))
    for (const { url } of served) assert.deepEqual(((await titlesAt(url)) as string[]).sort(), ['One', 'Two'])
    assert.equal(
      served.filter((each) => each.output().includes('created a new database and an administrator')).length,
      1,
    )
    assert.ok(served.every((each) => !each.output().includes('Nobody can log in yet')))
    for (const each of served) assert.equal(await each.end('SIGTERM'), 0)
    assert.deepEqual(otherFiles(cwd), ['first-login.txt'])
  })
})
