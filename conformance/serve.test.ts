import assert from 'node:assert/strict'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { globalAgent } from 'node:http'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  emptyFolder,
  endAll,
  removeFolders,
  runConformance,
  runHere,
  shop,
  startConformance,
  startConformanceByNpm,
  type Running,
} from '../test/cli/command-line.js'
import { runCommand } from './command.js'
import { readCaseFiles } from './http/cases.js'
import { readFixtures } from './http/fixtures.js'
import { replayFile, type StartSite } from './http/replay.js'

after(() => {
  endAll()
  removeFolders()
})

const recorded = fileURLToPath(new URL('./recorded/http', import.meta.url))
const fixtures = readFixtures(recorded)

interface Served extends Running {
  /** `http://127.0.0.1:20000` */
  readonly origin: string
  /** Restarts the site with its original fixtures. */
  reload(): Promise<Response>
}

/** Serves a folder and waits until both ports answer. */
async function served(options: readonly string[] = [], { folder = recorded, start = startConformance } = {}) {
  const port = await freePort()
  const command = start(['--serve', String(port), '--fixtures', folder, ...options])
  await command.waitForOutput(/^ready$/m)
  const site: Served = {
    ...command,
    origin: `http://127.0.0.1:${port}`,
    reload: () => fetch(`http://127.0.0.1:${port + 1}/`),
  }
  return site
}

/** A port that is free, as is the next one. It is below the range of ports that the system assigns to connections. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    const servers = await Promise.all([taken(port), taken(port + 1)])
    for (const server of servers) server?.close()
    if (servers.every((server) => server !== null)) return port
  }
}

/** A server that listens on the port; null when another program uses it. */
function taken(port: number): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(null))
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

function basic(login: string): Record<string, string> {
  const password = fixtures.users.find((user) => user.login === login)?.application_passwords[0]?.password
  return { Authorization: `Basic ${btoa(`${login}:${password}`)}` }
}

function createProduct(origin: string, title: string): Promise<Response> {
  return fetch(`${origin}/wp-json/shop/v1/products`, {
    method: 'POST',
    headers: { ...basic('admin'), 'Content-Type': 'application/json' },
    body: JSON.stringify({ title, price: 1 }),
  })
}

async function logIn(origin: string, login: string, password: string): Promise<number> {
  const body = new URLSearchParams({ log: login, pwd: password })
  const { status } = await fetch(`${origin}/wp-login.php`, { method: 'POST', body, redirect: 'manual' })
  return status
}

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  test(`npm run conformance -- --serve prints ready, answers, and ends with 0 on ${signal}`, async () => {
    const site = await served([], { start: startConformanceByNpm })
    const response = await fetch(`${site.origin}/wp-json/`)
    assert.equal(((await response.json()) as { name: string }).name, fixtures.site.name)
    assert.equal(await site.end(signal), 0)
    await assert.rejects(fetch(`${site.origin}/wp-json/`))
    await assert.rejects(site.reload())
  })

test('a request to the next port restores records, users, application passwords, caches and the login limiter', async () => {
  const folder = emptyFolder()
  const database = `sqlite:${join(folder, 'site.sqlite')}`
  const site = await served(['--database', database])
  const { origin } = site
  const password = (login: string) => fixtures.users.find((user) => user.login === login)?.password ?? ''
  const state = async () => ({
    products: await (await fetch(`${origin}/wp-json/shop/v1/products?per_page=100`)).text(),
    editor: (await fetch(`${origin}/wp-json/wp/v2/users/me`, { headers: basic('editor') })).status,
    author: await logIn(origin, 'author', password('author')),
    subscriber: await logIn(origin, 'subscriber', password('subscriber')),
  })
  const first = await state()
  assert.deepEqual({ ...first, products: '' }, { products: '', editor: 200, author: 302, subscriber: 302 })

  assert.equal((await createProduct(origin, 'New')).status, 201)
  const passwords = `${origin}/wp-json/wp/v2/users/me/application-passwords`
  assert.equal((await fetch(passwords, { method: 'DELETE', headers: basic('editor') })).status, 200)
  const changed = ['user', 'update', 'author', '--user_pass=another', '--app', shop, '--database', database]
  assert.equal((await runHere(changed)).code, 0)
  for (let attempt = 0; attempt < 10; attempt += 1) await logIn(origin, 'subscriber', 'wrong')
  const second = await state()
  assert.notEqual(second.products, first.products)
  assert.deepEqual({ ...second, products: '' }, { products: '', editor: 401, author: 200, subscriber: 429 })

  assert.equal((await site.reload()).status, 200)
  assert.deepEqual(await state(), first)
  assert.equal(await site.end('SIGTERM'), 0)
  assert.deepEqual(readdirSync(folder), [])
})

test('concurrent reloads are all answered, each with an untouched site', async () => {
  const site = await served()
  await createProduct(site.origin, 'New')
  const responses = await Promise.all([site.reload(), site.reload(), site.reload()])
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 200, 200],
  )
  const products = await (await fetch(`${site.origin}/wp-json/shop/v1/products?per_page=100`)).text()
  assert.doesNotMatch(products, /"New"/)
  assert.equal(await site.end('SIGTERM'), 0)
})

test('a reload reads the files again, and reports what is wrong with them until they are repaired', async () => {
  const folder = emptyFolder()
  for (const name of ['fixtures.json', 'echo-routes.json']) cpSync(join(recorded, name), join(folder, name))
  const site = await served([], { folder })
  const path = join(folder, 'fixtures.json')
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.slice(1))
  const refused = await site.reload()
  assert.equal(refused.status, 500)
  assert.match(await refused.text(), /^The file .*fixtures\.json cannot be read: SyntaxError: .*\n$/)
  writeFileSync(path, text.replace(`"${fixtures.site.name}"`, '"Another name"'))
  assert.equal((await site.reload()).status, 200)
  const index = (await (await fetch(`${site.origin}/wp-json/`)).json()) as { name: string }
  assert.equal(index.name, 'Another name')
  assert.equal(await site.end('SIGTERM'), 0)
})

test('--boot sets options, as JSON where it parses', async () => {
  const site = await served(['--boot', 'body_limit=100', '--boot', 'table_prefix=shop_'])
  assert.equal((await createProduct(site.origin, 'New')).status, 201)
  assert.equal((await createProduct(site.origin, 'New'.repeat(100))).status, 413)
  assert.equal(await site.end('SIGTERM'), 0)
})

for (const name of ['products-api', 'permissions', 'writes', 'boot-manage-options', 'boot-logged-in'])
  test(`cases of ${name}.json pass through the served port`, async () => {
    const [whole] = readCaseFiles(recorded).filter((each) => each.name === name)
    assert.ok(whole)
    // The whole run replays all scenarios, each on a site of its own. A few show that the port does the same.
    const scenarios = [...new Set(whole.cases.map(({ scenario }) => scenario))]
    const kept = new Set(scenarios.filter((_, index) => index % 8 === 0))
    const file = { ...whole, cases: whole.cases.filter(({ scenario }) => kept.has(scenario)) }
    const site = await served(file.boot == null ? [] : ['--boot', file.boot])
    const startThere: StartSite = async () => {
      assert.equal((await site.reload()).status, 200)
      // The port stays, and a kept connection to the site before the reload may not have noticed yet that it was closed.
      globalAgent.destroy()
      return { origin: site.origin, close: async () => {} }
    }
    const results = await replayFile(file, fixtures, startThere)
    assert.ok(results.length > 0)
    assert.deepEqual(
      results.filter(({ passed }) => !passed).map(({ id, differences }) => [id, differences]),
      [],
    )
    assert.equal(await site.end('SIGTERM'), 0)
  })

const emptied = emptyFolder()
const withoutRoutes = emptyFolder()
cpSync(join(recorded, 'fixtures.json'), join(withoutRoutes, 'fixtures.json'))
const full = join(emptyFolder(), 'full.sqlite')
writeFileSync(full, 'something')
const complete = ['--fixtures', recorded]

const refusals: readonly [what: string, options: readonly string[], sentence: RegExp][] = [
  ['no --fixtures', [], /^--serve needs --fixtures FOLDER: .*\.$/],
  ['a folder that does not exist', ['--fixtures', join(emptied, 'none')], /^There is no folder .*none\.$/],
  ['a folder without fixtures', ['--fixtures', emptied], /^There is no file .*fixtures\.json\.$/],
  ['a folder without echo routes', ['--fixtures', withoutRoutes], /^There is no file .*echo-routes\.json\.$/],
  [
    'a database with anything in it',
    [...complete, '--database', `sqlite:${full}`],
    /^The database .* is not empty: .*\.$/,
  ],
  [
    'a boot option without a value',
    [...complete, '--boot', 'cors'],
    /^A boot option is written OPTION=VALUE, not 'cors'\.$/,
  ],
  [
    'a database as a boot option',
    [...complete, '--boot', `database=sqlite:${full}`],
    /^The database is named by --database, .*\.$/,
  ],
  [
    'an unknown boot option',
    [...complete, '--boot', 'cros=any'],
    /^The service does not start: one fault\.\n {2}option cros: it is not a boot option\..*'cors'.*\[option-unknown\]\nSee docs\/errors\.md#option-unknown in the package as-rest-route$/,
  ],
  ['a folder to replay', [...complete, recorded], /^--serve replays nothing: .*\.$/],
]
for (const [what, options, sentence] of refusals)
  test(`--serve with ${what} is refused with a sentence`, async () => {
    const refusal = await refusalOf(['--serve', String(await freePort()), ...options])
    assert.match(refusal, sentence)
    assert.equal(readFileSync(full, 'utf8'), 'something')
  })

for (const port of ['', 'http', '0', '65535', '1e3'])
  test(`--serve '${port}' is refused with a sentence`, async () => {
    const refusal = await refusalOf([`--serve=${port}`, ...complete])
    assert.equal(refusal, `--serve: '${port}' is not a port. Give a number from 1 to 65534.`)
  })

/** Runs the command in this process, and returns its error message. */
async function refusalOf(words: readonly string[]): Promise<string> {
  const lines: string[] = []
  const error: unknown = await runCommand(words, (line) => void lines.push(line)).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof Error)
  assert.deepEqual(lines, [])
  return error.message
}

for (const [which, offset] of [
  ['the port', 0],
  ['the port after it', 1],
] as const)
  test(`--serve is refused with a sentence and exit code 2 when ${which} is taken`, async () => {
    const port = await freePort()
    const other = await taken(port + offset)
    const folder = emptyFolder()
    const options = [...complete, '--database', `sqlite:${join(folder, 'site.sqlite')}`]
    const { code, stdout, stderr } = await runConformance(['--serve', String(port), ...options])
    other?.close()
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' })
    assert.equal(stderr, `Port ${port + offset} of 127.0.0.1 is taken by another program.\n`)
    assert.deepEqual(readdirSync(folder), [])
  })

test('--fixtures without --serve is refused', async () => {
  const { code, stderr } = await runConformance(complete)
  assert.equal(code, 2)
  assert.equal(stderr, '--fixtures belongs to --serve PORT.\n')
})
