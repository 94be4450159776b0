import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openSqlite } from '../../src/database/sqlite/open-sqlite.js'
import { boot, type Service } from '../../src/index.js'
import type { Explanation, Step } from '../../src/explain/explanation.js'
import { silent } from '../../src/log/log.js'
import { application, handler } from '../cli/application-folder.js'
import { emptyFolder, removeFolders, runHere } from '../cli/command-line.js'

const app = fileURLToPath(new URL('../fixtures/catalogue/', import.meta.url))
const folder = emptyFolder()
const database = `sqlite:${join(folder, 'site.sqlite')}`
const passwords: Record<string, string> = {}
let postId = 0

after(removeFolders)

async function opened(clock = Date.now): Promise<Service> {
  return boot(app, { database, log: silent, seed: async () => {}, clock })
}

before(async () => {
  const hour = 3_600_000
  const service = await opened(() => Date.now() - 2 * hour)
  for (const [login, role] of [
    ['ann', 'editor'],
    ['sue', 'subscriber'],
  ] as const) {
    const { id } = await service.users.create({ login, email: `${login}@catalogue.example`, password: 'secret', role })
    passwords[login] = (await service.applicationPasswords.create(id, { name: 'test' })).password
    const scopes = ['GET /cat/v1/drafts']
    passwords[`${login} limited`] = (
      await service.applicationPasswords.create(id, { name: 'limited', scopes })
    ).password
    const expires = new Date(Date.now() - hour)
    passwords[`${login} expired`] = (await service.applicationPasswords.create(id, { name: 'old', expires })).password
  }
  postId = (await service.records.insert({ type: 'post', title: 'A book', status: 'publish' })).id
  await service.close()
})

async function explained(words: readonly string[]): Promise<Explanation> {
  const { code, stdout, stderr } = await runHere(['explain', ...words, app, '--database', database, '--json'])
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as Explanation
}

const stepOf = ({ steps }: Explanation, name: Step['name']): string =>
  steps.find((step) => step.name === name)?.lines.join('\n') ?? ''

/** @param name a login, or a login and what its application password is: `ann limited`. */
const basic = (name: string): string =>
  `Authorization: Basic ${btoa(`${name.split(' ', 1)[0]}:${passwords[name] ?? ''}`)}`

/** Requests that do not reach a handler: status, code, message and `Allow` are known without running it. */
const requests: readonly (readonly [method: string, path: string, headers: readonly string[], body?: string])[] = [
  ['GET', '/wp-json/cat/v1/nothing', []],
  ['PUT', '/wp-json/cat/v1/books', []],
  ['GET', '/wp-json/cat/v1/books?page=0', []],
  ['GET', '/wp-json/cat/v1/books?page=x&tags=new,odd', []],
  ['GET', '/?rest_route=/cat/v1/books&price[to]=3', []],
  ['GET', '/?rest_route[]=/cat/v1/books', []],
  ['GET', '/wp-json/cat/v1/books?_jsonp=a(b', []],
  ['GET', '/wp-json/cat/v1/books?_method=DELETE', []],
  ['GET', '/wp-json/cat/v1/drafts', []],
  ['GET', '/wp-json/cat/v1/drafts', ['sue']],
  ['GET', '/wp-json/cat/v1/drafts', ['X-WP-Nonce: 0123456789']],
  ['GET', '/wp-json/cat/v1/books', ['Authorization: Basic bm9ib2R5Onh4eA==']],
  ['POST', '/wp-json/cat/v1/books', [], '{"title":"x'],
  ['POST', '/wp-json/cat/v1/books', [], '{}'],
  ['POST', '/wp-json/cat/v1/books', [], '{"title":"lower","authors":[{"nam":"x"}],"size":2.5}'],
  ['POST', '/wp-json/cat/v1/books', ['sue'], '{"title":"Upper"}'],
  ['DELETE', '/wp-json/cat/v1/books/999', ['ann']],
  ['DELETE', '/wp-json/cat/v1/books/13', ['ann']],
  ['DELETE', '/wp-json/cat/v1/books/13', ['ann limited']],
  ['GET', '/wp-json/cat/v1/drafts', ['sue limited']],
  ['GET', '/wp-json/cat/v1/drafts', ['ann expired']],
  ['GET', '/wp-json/cat/v1/breaks', []],
  ['POST', '/wp-json/cat/v1/books', [], `{"title":"${'x'.repeat(1024 * 1024)}"}`],
]

describe('an explanation has the status, code, message and Allow of the response', () => {
  for (const [method, path, credentials, body] of requests) {
    it(`${method} ${path} ${credentials.join(' ')} ${body?.slice(0, 100) ?? ''}`.trim(), async () => {
      const lines = credentials.map((text) => (text.includes(':') ? text : basic(text)))
      const options = [...lines.flatMap((line) => ['--header', line]), ...(body === undefined ? [] : ['--data', body])]
      const { status, code, message, allow } = await explained([method, path, ...options])
      const service = await opened()
      const headers = new Headers(lines.map((line) => line.split(': ', 2) as [string, string]))
      if (body !== undefined) headers.set('Content-Type', 'application/json')
      const response = await service.fetch(
        new Request(`http://catalogue.example${path}`, { method, headers, ...(body === undefined ? {} : { body }) }),
      )
      const error = (await response.json()) as { readonly code: string; readonly message: string }
      await service.close()
      assert.deepEqual(
        { status, code, allow, message: status === 500 ? error.message : message },
        { status: response.status, code: error.code, allow: response.headers.get('Allow'), message: error.message },
      )
    })
  }
})

it('says that an application password is limited to other requests, and that no callback ran', async () => {
  const words = ['DELETE', '/wp-json/cat/v1/books/13', '--header', basic('ann limited')]
  const explanation = await explained(words)
  assert.equal(explanation.code, 'rest_application_password_scope')
  const step = stepOf(explanation, 'permission')
  assert.match(step, /^The application password of this request is limited to other routes or methods\./)
  assert.doesNotMatch(step, /was called/)
  assert.doesNotMatch(stepOf(await explained([...words.slice(0, 2), '--user', 'ann']), 'permission'), /limited/)
})

describe('the caller of an explained request', () => {
  const callers: readonly (readonly [options: string[], login: string, roles: string[], via: string | null])[] = [
    [[], '', [], null],
    [['--user', 'ann'], 'ann', ['editor'], 'application-password'],
    [['--user', 'ann@catalogue.example', '--basic'], 'ann', ['editor'], 'application-password'],
    [['--user', '1', '--cookie'], 'ann', ['editor'], 'cookie'],
    [['--user', 'contributor', '--cookie'], 'contributor', ['contributor'], 'cookie'],
    [['--user', 'contributor'], 'contributor', ['contributor'], 'application-password'],
    [['--user', 'ann', '--no-nonce'], '', [], null],
  ]
  for (const [options, login, roles, via] of callers) {
    it(`${options.join(' ') || 'no option'}: ${via === null ? 'anonymous' : `${login}, by ${via}`}`, async () => {
      const { caller, status } = await explained(['GET', '/wp-json/cat/v1/drafts', ...options])
      assert.deepEqual([caller?.login, caller?.roles, caller?.via], [login, roles, via])
      assert.equal(status, via === null ? 401 : null)
    })
  }

  it('a role is named as one, and not by the id of the user that represents it', async () => {
    const explanation = await explained(['GET', '/wp-json/cat/v1/drafts', '--user', 'contributor'])
    assert.equal(explanation.caller?.id, -1)
    assert.match(
      stepOf(explanation, 'authentication'),
      /The caller is a user with the role contributor, by application/,
    )
  })

  it('a cookie without a nonce leaves the caller anonymous, and the explanation says why', async () => {
    const explanation = await explained(['GET', '/wp-json/cat/v1/drafts', '--user', 'ann', '--no-nonce'])
    assert.match(stepOf(explanation, 'authentication'), /login cookie of ann .*\nIt is ignored without a nonce/)
  })

  it('Basic credentials over plain HTTP are refused; over HTTPS they are accepted', async () => {
    const path = 'catalogue.example/wp-json/cat/v1/drafts'
    const remote = ['--user', 'ann', '--from', '203.0.113.9']
    assert.equal((await explained(['GET', `http://${path}`, ...remote])).code, 'application_passwords_disabled')
    assert.equal((await explained(['GET', `https://${path}`, ...remote])).status, null)
  })

  it('Basic credentials that a forwarding proxy sends unencrypted are refused, as by the service', async () => {
    const service = await opened()
    const { url } = await service.listen({ port: 0 })
    const headers = { 'CF-Ray': '1', Authorization: basic('ann').replace('Authorization: ', '') }
    const response = await fetch(`${url}/wp-json/cat/v1/drafts`, { headers })
    const body = (await response.json()) as { readonly code: string }
    await service.close()
    assert.deepEqual([response.status, body.code], [401, 'application_passwords_disabled'])
    for (const user of ['ann', 'editor']) {
      const words = ['GET', '/wp-json/cat/v1/drafts', '--user', user, '--header', 'CF-Ray: 1']
      const { status, code } = await explained(words)
      assert.deepEqual([status, code], [response.status, body.code], user)
    }
  })

  const invalid: readonly (readonly [options: string[], code: number, sentence: RegExp])[] = [
    [['--user', 'nobody'], 1, /'nobody' is neither a role nor a user/],
    [['--user', 'ann', '--cookie', '--basic'], 2, /Give one of/],
    [['--cookie'], 2, /--cookie needs --user/],
    [['--header', 'nothing'], 2, /'nothing' is not a header/],
  ]
  for (const [options, code, sentence] of invalid) {
    it(`${options.join(' ')} ends with the exit code ${code}`, async () => {
      const finished = await runHere(['explain', 'GET', '/wp-json/', app, '--database', database, ...options])
      assert.equal(finished.code, code)
      assert.match(finished.stderr, sentence)
    })
  }
})

describe('the first suggestion for a request without a route', () => {
  const misses: readonly (readonly [request: string[], suggestion: string, reason: RegExp])[] = [
    [['GET', '/cat/v1/books'], 'GET /wp-json/cat/v1/books', /prefix \/wp-json is missing/],
    [['GET', '/WP-JSON/cat/v1/books'], 'GET /wp-json/cat/v1/books', /is \/wp-json, not \/WP-JSON/],
    [['GET', '/wp-json/wp-json/cat/v1/books'], 'GET /wp-json/cat/v1/books', /twice/],
    [['PUT', '/wp-json/cat/v1/books'], 'GET /wp-json/cat/v1/books', /accepts GET, POST, not PUT/],
    [['GET', '/wp-json/cat/v1/boks'], 'GET, POST /cat/v1/books', /'boks' is not 'books'/],
    [['DELETE', '/wp-json/cat/v1/books/abc'], 'DELETE /cat/v1/books/(?P<id>\\d+)', /'abc' does not match/],
    [['GET', '/wp-json/cat/v1/drafts/5'], 'GET /wp-json/cat/v1/drafts', /continues with \/5/],
    [['GET', '/wp-json/cat//v1/drafts'], 'GET /wp-json/cat/v1/drafts', /too many slashes/],
    [['GET', '/wp-json/cat/v1/dra%66ts'], 'GET /wp-json/cat/v1/drafts', /does not decode the path/],
  ]
  for (const [words, suggestion, reason] of misses) {
    it(`${words.join(' ')}: ${suggestion}`, async () => {
      const { nearest } = await explained(words)
      assert.equal(nearest[0]?.suggestion, suggestion)
      assert.match(nearest[0]?.reason ?? '', reason)
      assert.match(nearest[0]?.place?.file ?? '', /catalogue-api\.ts$/)
    })
  }
})

it('a part of a pattern that takes exponential time without the flags before it is not matched', async () => {
  const flags = fileURLToPath(new URL('../fixtures/flags/', import.meta.url))
  const path = `/wp-json/flags/v1/cased/${'a'.repeat(60)}!`
  const { code, stdout, stderr } = await runHere(['explain', 'GET', path, flags, '--database', database, '--json'])
  assert.equal(code, 0, stderr)
  const { nearest } = JSON.parse(stdout) as Explanation
  assert.equal(nearest[0]?.suggestion, 'GET /flags/v1/(?-i)cased/(?:a|A)+')
  assert.match(nearest[0]?.reason ?? '', /a!' does not match \(\?:a\|A\)\+/)
})

it('each argument has its source and the value that the handler would read', async () => {
  const path = '/wp-json/cat/v1/books/7/pages/2?page=9&nonsense=1'
  const explanation = await explained(['GET', path])
  assert.deepEqual(explanation.arguments, [
    { name: 'id', declared: true, source: 'path', sent: '7', value: 7, fault: null },
    { name: 'page', declared: false, source: 'path', sent: '2', value: '2', fault: null },
    { name: 'nonsense', declared: false, source: 'query', sent: '1', value: '1', fault: null },
  ])
  assert.equal(explanation.route?.handler, 'CatalogueApi.book')
})

it('the route has the line of its declaration', async () => {
  const { route } = await explained(['GET', '/wp-json/cat/v1/drafts'])
  const lines = readFileSync(join(app, 'catalogue-api.ts'), 'utf8').split('\n')
  assert.match(lines[(route?.place?.line ?? 0) - 1] ?? '', /route: '\/drafts'/)
})

it('a permission callback is called with the caller, and reads the stored record', async () => {
  const request = ['DELETE', `/wp-json/cat/v1/books/${postId}`]
  assert.equal((await explained([...request, '--user', 'editor'])).permission?.verdict, 'admitted')
  assert.equal((await explained([...request, '--user', 'sue'])).permission?.verdict, 'denied')
})

it('an explanation does not change the database, even when a callback tries to write', async () => {
  // SQLite writes the shared-memory file when a connection reads.
  const names = readdirSync(folder).filter((name) => !name.endsWith('-shm'))
  const digest = () =>
    names.map((name) =>
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    )
  const before = digest()
  const explanation = await explained(['GET', '/wp-json/cat/v1/writes', '--user', 'ann', '--cookie'])
  await explained(['GET', '/wp-json/cat/v1/drafts', '--header', basic('ann')])
  assert.match(explanation.summary, /tried to change data/)
  assert.equal(explanation.status, null)
  assert.deepEqual(digest(), before)
})

it('an explanation creates no database, and says that there is none', async () => {
  const file = join(emptyFolder(), 'none.sqlite')
  const { stdout } = await runHere(['explain', 'GET', '/wp-json/cat/v1/drafts', app, '--database', `sqlite:${file}`])
  assert.match(stdout, /^401 rest_forbidden, refused by the permission: /)
  assert.match(stdout, /There is no database .*none\.sqlite yet/)
  assert.deepEqual(readdirSync(join(file, '..')), [])
})

describe('a file without tables of this application', () => {
  const files: readonly (readonly [what: string, create: (path: string) => void])[] = [
    ['an empty file', (path) => writeFileSync(path, '')],
    ['a database with tables of another prefix', (path) => copyFileSync(join(folder, 'site.sqlite'), path)],
  ]
  for (const [what, create] of files) {
    it(`commands that read do not change it: ${what}`, async () => {
      const path = join(emptyFolder(), 'data.sqlite')
      create(path)
      const bytes = readFileSync(path)
      const configurationFolder = emptyFolder()
      const configuration = JSON.stringify({ handlers: app, table_prefix: 'own_' })
      writeFileSync(join(configurationFolder, 'as-rest-route.config.mjs'), `export default ${configuration}`)
      const options = [configurationFolder, '--database', `sqlite:${path}`]
      const { code, stdout, stderr } = await runHere(['explain', 'GET', '/wp-json/cat/v1/drafts', ...options])
      assert.equal(code, 0, stderr)
      assert.match(
        stdout,
        /\nThe database .*data\.sqlite has no tables own_… yet\. An empty one was used for this explanation\.\n$/,
      )
      for (const command of [
        ['routes', '--as', 'ann', ...options],
        ['user', 'list', '--app', ...options],
      ]) {
        const refused = await runHere(command)
        assert.deepEqual([refused.code, refused.stdout], [1, ''])
        assert.match(
          refused.stderr,
          /has no tables own_… yet\. Start the application once: as-rest-route serve .*--database /,
        )
      }
      assert.ok(readFileSync(path).equals(bytes))
    })
  }

  it('the first start after an explanation runs the seed', async () => {
    const url = `sqlite:${join(emptyFolder(), 'data.sqlite')}`
    writeFileSync(url.slice('sqlite:'.length), '')
    await runHere(['explain', 'GET', '/wp-json/', app, '--database', url])
    let seeded = 0
    const seed = async () => void (seeded += 1)
    await (await boot(app, { database: url, log: silent, seed })).close()
    assert.equal(seeded, 1)
  })
})

it('a database with an older version of the tables is not migrated, and the message says how to migrate it', async () => {
  const url = `sqlite:${join(emptyFolder(), 'older.sqlite')}`
  const storage = await openSqlite(url)
  await storage.options.write('as_rest_route_db_version', '1')
  await storage.close()
  for (const command of [
    ['explain', 'GET', '/wp-json/', app],
    ['routes', app, '--as', 'ann'],
  ]) {
    const { code, stderr } = await runHere([...command, '--database', url])
    assert.equal(code, 1)
    assert.match(stderr, /older\.sqlite cannot be used\. It has version 1 of the tables.*Start the application once/)
  }
})

describe('permission callbacks treat a caller that represents a role as a stored user', () => {
  const callers = fileURLToPath(new URL('../fixtures/callers/', import.meta.url))

  it('for routes --as', async () => {
    const { stdout } = await runHere(['routes', callers, '--as', 'administrator', '--json'])
    const routes = JSON.parse(stdout) as { readonly method: string; readonly allowed: boolean | null }[]
    assert.deepEqual(
      routes.map(({ method, allowed }) => [method, allowed]),
      [
        ['GET', true],
        ['POST', null],
      ],
    )
  })

  for (const authentication of ['--basic', '--cookie'])
    it(`for explain --user ${authentication}`, async () => {
      const options = ['--user', 'subscriber', authentication, '--database', database, '--json']
      for (const method of ['GET', 'POST']) {
        const { stdout } = await runHere(['explain', method, '/wp-json/callers/v1/known', callers, ...options])
        const { permission, caller, allow } = JSON.parse(stdout) as Explanation
        assert.deepEqual([permission?.verdict, caller?.login, allow], ['admitted', 'subscriber', 'GET, POST'])
      }
    })
})

it('routes --as does not change the database', async () => {
  const path = join(emptyFolder(), 'data.sqlite')
  await (await openSqlite(`sqlite:${path}`)).close()
  const bytes = readFileSync(path)
  const { stderr } = await runHere(['routes', app, '--as', 'ann', '--database', `sqlite:${path}`])
  assert.match(stderr, /'ann' is neither a role/)
  assert.ok(readFileSync(path).equals(bytes))
})

it('control characters of the command line are not printed', async () => {
  const { stdout } = await runHere(['explain', 'GET', '/wp-json/\x1b[31mred', app, '--database', database])
  assert.doesNotMatch(stdout, /\x1b/)
})

it('shows the files of a form as what the handler would read', async () => {
  const posters = application({
    'posters-api.ts': handler(`{
      namespace: 'cat/v1', route: '/posters', method: 'POST', permission: 'public',
      args: { poster: { type: 'file', required: true, media_types: ['image/png'] }, pages: { type: 'array', items: { type: 'file' } } },
    }`),
  })
  const data =
    '--X\r\nContent-Disposition: form-data; name="poster"; filename="jazz.png"\r\nContent-Type: image/png\r\n\r\n1234\r\n' +
    '--X\r\nContent-Disposition: form-data; name="pages[]"; filename="a.txt"\r\n\r\n1\r\n--X--\r\n'
  const words = ['--header', 'Content-Type: multipart/form-data; boundary=X', '--data', data, '--json']
  const { code, stdout, stderr } = await runHere(['explain', 'POST', '/wp-json/cat/v1/posters', posters, ...words])
  assert.equal(code, 0, stderr)
  const explanation = JSON.parse(stdout) as Explanation
  const poster = { name: 'jazz.png', type: 'image/png', size: 4 }
  const pages = [{ name: 'a.txt', type: '', size: 1 }]
  assert.deepEqual(explanation.arguments, [
    { name: 'poster', declared: true, source: 'form', sent: poster, value: poster, fault: null },
    { name: 'pages', declared: true, source: 'form', sent: pages, value: pages, fault: null },
  ])
  assert.match(
    stepOf(explanation, 'arguments'),
    /^poster: \{"name":"jazz.png","type":"image\/png","size":4\} \(form\)$/m,
  )
})
