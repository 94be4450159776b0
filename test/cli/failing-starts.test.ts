import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { emptyFolder, endAll, removeFolders, run, runHere, shop } from './command-line.js'
import { cwd, application, assertReadable, handler } from './application-folder.js'

after(() => {
  endAll()
  removeFolders()
})

describe('a start that fails', () => {
  const refused: [what: string, words: string[], expected: RegExp][] = [
    [
      'a database address of another kind',
      [shop, '--database', 'oracle://ann:hunter2@db/shop'],
      /is not a database address/,
    ],
    [
      'a misspelt scheme with a password',
      [shop, '--database', 'mysqll://root:p@SSW0RD@db/shop'],
      /option database: 'mysqll:\/\/…' is not a database address/,
    ],
    [
      'an address of Java',
      [shop, '--database', 'jdbc:mysql://db/shop?user=ann&password=hunter2'],
      /option database: 'jdbc:…' is not a database address/,
    ],
    ['an invalid database address', [shop, '--database', 'shop.db'], /'shop\.db' is not a database address/],
    [
      'a database in a folder that does not exist',
      [shop, '--database', `sqlite:${join(emptyFolder(), 'missing/x.sqlite')}`],
      /x\.sqlite cannot be created: .*\. Create the folder \/.*\/missing, or name another path\./,
    ],
    [
      'a database folder that cannot be written',
      [shop, '--database', 'sqlite:/proc/x.sqlite'],
      /x\.sqlite cannot be created: .*\. Let this process write to the folder \/proc, or name another path\./,
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

  it('has a message about an invalid REDIS_URL', async () => {
    process.env['REDIS_URL'] = 'localhost'
    const [serveResult, checkResult] = [await runHere(['serve', shop]), await runHere(['check', shop])]
    delete process.env['REDIS_URL']
    assert.deepEqual([serveResult.code, checkResult.code], [1, 1])
    assertReadable(serveResult, /environment REDIS_URL: it must be the URL of a server/)
  })

  it('names the environment variable whose value the configuration passes on, and no option of the configuration', async () => {
    const app = application({
      'as-rest-route.config.ts': 'export default { smtp_url: process.env.SMTP_URL, redis_url: "localhost" }',
      'package.json': '{"type":"module"}',
      'api.ts': handler(`{ namespace: 'a/v1', route: '/a', permission: 'public' }`),
    })
    process.env['SMTP_URL'] = 'mail.example'
    const { stdout } = await runHere(['check', app])
    delete process.env['SMTP_URL']
    assert.match(stdout, /^environment SMTP_URL: it must be the URL of a server.* \[smtp-url-invalid\]$/m)
    assert.match(stdout, /config\.ts:1 +option redis_url: it must be the URL of a server/)
    assert.doesNotMatch(stdout, /option smtp_url/)
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
      /config\.ts:1 +option views: 'https:.*' is not a folder of this machine\..* \[folder-invalid\]/,
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
        [1, 'One fault. See docs/errors.md#folder-invalid in the package as-rest-route [application-faulty]\n'],
      )
      assert.match(checked.stdout, expected)
    })

  for (const [what, code, expected] of [
    ['ends the process', 'process.exit(0)', /the process ended while it was being loaded\. A module must not call/],
    ['ends the process with its own code', 'process.exit(7)', /the process ended while it was being loaded/],
    ['never finishes loading', 'await new Promise(() => undefined)', /a top-level await in it, .* never ends/],
  ] as const)
    for (const file of ['b.ts', 'as-rest-route.config.ts'])
      it(`check names the module ${file} that ${what}`, async () => {
        const app = application({
          'package.json': '{"type":"module"}',
          'a.ts': handler(`{ namespace: 'a/v1', route: '/a', permission: 'public' }`),
          [file]: `export default {}\n${code}`,
        })
        const finished = await run(['check', '.'], { cwd: app })
        assert.ok(finished.code !== 0, String(finished.code))
        // Newer versions of Node print a warning of their own about an await that never ends.
        const stderr = finished.stderr.replace(/^Warning: Detected unsettled top-level await[\s\S]*?\n\s*\n+/, '')
        assert.match(stderr, new RegExp(`^${file}:1  module: it cannot be loaded: `))
        assertReadable({ ...finished, stderr }, expected)
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
    assert.equal(
      checked.stderr,
      '2 faults. See docs/errors.md#<code> in the package as-rest-route [application-faulty]\n',
    )
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
    for (const command of ['serve', 'routes', 'check', 'explain', 'openapi', 'client']) {
      const help = (await run([command, '--help'], { cwd: project })).stdout.replaceAll(/\s+/g, ' ')
      assert.match(
        help,
        /\(default: the current folder; if it has a package\.json, its configuration must name handlers\)/,
      )
    }
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
        [
          1,
          'One fault. See docs/errors.md#boot-in-handlers-folder in the package as-rest-route [application-faulty]\n',
        ],
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
