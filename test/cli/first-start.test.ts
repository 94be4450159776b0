import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { openSqlite } from '../../src/adapters/sqlite/open-sqlite.js'
import { sqliteLibrary } from '../../src/adapters/sqlite/sqlite-client.js'
import { emptyFolder, endAll, removeFolders, run, runInShell, serve, serveInTerminal, shop } from './command-line.js'

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

  it('replaces an old file of that name, never writes into it', async () => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'first-login.txt'), 'old', { mode: 0o644 })
    const served = await serve([shop, '--port', '0', '--database', 'sqlite:x.sqlite'], { cwd })
    assert.equal(statSync(join(cwd, 'first-login.txt')).mode & 0o777, 0o600)
    await served.end('SIGTERM')
  })
})
