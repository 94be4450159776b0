import assert from 'node:assert/strict'
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { skipWithoutProgram } from '../support/servers/missing-server.js'
import { foreignSql } from '../support/servers/open-fresh-mariadb.js'
import { startServer, type TestServer } from '../support/servers/start-server.js'
import {
  commandArguments,
  emptyFolder,
  endAll,
  removeFolders,
  runInShell,
  serve,
  shop,
  type Serving,
} from './command-line.js'

const page = readFileSync(fileURLToPath(new URL('../../docs/databases.md', import.meta.url)), 'utf8')

/** The lines of the only block of the page that has this text. */
function blockWith(words: string): readonly string[] {
  const blocks = [...page.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block)
  const [block, ...others] = blocks.filter((text) => text.includes(words))
  assert.deepEqual(others, [])
  return block?.trimEnd().split('\n') ?? assert.fail(`no block with ${words}`)
}

const onPostgres = blockWith('psql -c')
const onMariadb = blockWith('mariadb -e')
const moves = blockWith('db copy sqlite:')

/** The example shop, as one would copy it into a folder. */
function copiedShop(): string {
  const folder = emptyFolder()
  for (const name of ['app', 'demo', 'public', 'views', 'as-rest-route.config.ts'])
    cpSync(join(shop, name), join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  return folder
}

/** What a visitor and the administrator see of the shop. The address of the service is left out. */
async function demoOf({ url }: Serving): Promise<Demo> {
  const { host } = new URL(url)
  const get = async (path: string) =>
    (await (await fetch(url + path)).text()).replaceAll(host, '').replaceAll(encodeURIComponent(host), '')
  const products = `/wp-json/shop/v1/products?per_page=100`
  const me = await fetch(`${url}/wp-json/wp/v2/users/me`, { headers: { Authorization: authorization } })
  const pages = [
    ...['title', 'price', 'popularity'].map((order) => `${products}&orderby=${order}`),
    `${products}&category=kitchen`,
    '/wp-json/shop/v1/partials/posts',
    '/?s=tea',
  ]
  return {
    products: JSON.parse(await get(products)) as readonly unknown[],
    pages: await Promise.all(pages.map(get)),
    status: me.status,
  }
}

interface Demo {
  readonly products: readonly unknown[]
  readonly pages: readonly string[]
  /** Of a request with the application password of the first administrator. */
  readonly status: number
}

/** Of the administrator of the service whose content is moved. */
let authorization = ''

describe(
  'who follows docs/databases.md from an empty folder',
  { skip: skipWithoutProgram('postgres') || skipWithoutProgram('mariadb'), timeout: 600_000 },
  () => {
    const app = copiedShop()
    let servers: readonly [postgres: TestServer, mariadb: TestServer]
    /** The commands of the page as they are in a terminal of an administrator. */
    let terminal: string
    /** The addresses of the page, of the servers of this test. */
    let here: (line: string) => string
    before(async () => {
      const started = await Promise.all([startServer('postgres'), startServer('mariadb')])
      servers = started.map((server) => server ?? assert.fail('the server is gone')) as unknown as typeof servers
      const [postgres, mariadb] = servers.map(({ url }) => new URL(url)) as [URL, URL]
      const [[socket] = []] = await foreignSql(String(mariadb), 'SELECT @@socket')
      here = (line) =>
        line
          .replaceAll('postgres://shop@localhost/', `postgres://shop@${postgres.host}/`)
          .replaceAll(/(mariadb:\/\/shop@localhost\/\w+)/g, `$1?socket=${socket}`)
      // As `npm install as-rest-route` leaves it.
      const programs = join(app, 'node_modules', '.bin')
      mkdirSync(programs, { recursive: true })
      const program = join(programs, 'as-rest-route')
      writeFileSync(program, `#!/bin/sh\nexec '${[process.execPath, ...commandArguments].join("' '")}' "$@"\n`)
      chmodSync(program, 0o755)
      terminal = [
        `export PGHOST=${postgres.hostname} PGPORT=${postgres.port} PGUSER=${postgres.username} PGPASSWORD='${postgres.password}' PGDATABASE=postgres`,
        `export MYSQL_PWD='${mariadb.password}'`,
        `mariadb() { command mariadb --no-defaults --user=root --socket='${socket}' "$@"; }`,
      ].join('\n')
    })
    after(async () => {
      endAll()
      await Promise.all(servers.map((server) => server.drop()))
      removeFolders()
    })

    async function execute(...lines: readonly string[]): Promise<void> {
      for (const line of lines) {
        const { code, stdout, stderr } = await runInShell(`${terminal}\n${here(line)}`, app)
        assert.equal(code, 0, `${line}\n${stdout}\n${stderr}`)
      }
    }

    /** Serves as a line says: `DATABASE_URL=… as-rest-route serve`. @returns what is asked of the service. */
    async function served<T>(line: string, ask: (service: Serving) => Promise<T>): Promise<T> {
      const [, url, , password] =
        /^DATABASE_URL=(\S+) (DATABASE_PASSWORD='(.*)' )?npx as-rest-route serve$/.exec(here(line)) ?? assert.fail(line)
      const env = { DATABASE_URL: url ?? '', ...(password !== undefined && { DATABASE_PASSWORD: password }) }
      const service = await serve(['--port', '0'], { cwd: app, env })
      try {
        return await ask(service)
      } finally {
        await service.end('SIGTERM')
      }
    }

    const commandsOf = (lines: readonly string[], program: string): readonly string[] =>
      lines.filter((line) => line.startsWith(`${program} `))
    const startOf = (lines: readonly string[]): string => lines.at(-1) ?? ''

    test('reaches a running service on PostgreSQL', async () => {
      await execute(...commandsOf(onPostgres, 'psql'))
      assert.ok((await served(startOf(onPostgres), demoOf)).products.length >= 60)
    })

    test('reaches a running service on MariaDB', async () => {
      await execute(...commandsOf(onMariadb, 'mariadb'))
      assert.ok((await served(startOf(onMariadb), demoOf)).products.length >= 60)
    })

    test('moves the demo content of the shop from SQLite to PostgreSQL, to MariaDB and back, with its login', async () => {
      const emptied = (lines: readonly string[], program: string) =>
        commandsOf(lines, program).filter((line) => line.includes('CREATE DATABASE'))
      await execute(`psql -c 'DROP DATABASE shop'`, ...emptied(onPostgres, 'psql'))
      await execute(`mariadb -e 'DROP DATABASE shop'`, ...emptied(onMariadb, 'mariadb'))
      mkdirSync(join(app, 'data'), { recursive: true })
      const first = await served('DATABASE_URL=sqlite:data/site.sqlite npx as-rest-route serve', async (service) => {
        const login = readFileSync(/The passwords are in (.*), which/.exec(service.output())?.[1] ?? '', 'utf8')
        const valueOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(login)?.[1] ?? ''
        authorization = `Basic ${btoa(`${valueOf('login')}:${valueOf('application_password')}`)}`
        return demoOf(service)
      })
      assert.deepEqual([first.status, first.products.length >= 60, first.pages.length], [200, true, 6])
      const [withPassword = ''] = commandsOf(moves, 'export')
      for (const line of commandsOf(moves, 'npx')) {
        await execute(`${withPassword}; ${line}`)
        const target = line.split(' ').at(-1) ?? ''
        const password = target.startsWith('sqlite:') ? '' : `DATABASE_PASSWORD='a long password' `
        await execute(`${withPassword}; npx as-rest-route db check --database ${target}`)
        assert.deepEqual(await served(`DATABASE_URL=${target} ${password}npx as-rest-route serve`, demoOf), first, line)
      }
      assert.deepEqual(await served(startOf(moves), demoOf), first)
    })
  },
)
