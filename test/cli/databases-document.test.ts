import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { skipWithoutProgram } from '../support/servers/missing-server.js'
import { foreignSql } from '../support/servers/open-fresh-mariadb.js'
import { startServer, type TestServer } from '../support/servers/start-server.js'
import { commandArguments, emptyFolder, endAll, removeFolders, runInShell, serve } from './command-line.js'
import { seededBy, titlesAt } from './seeded-application.js'

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

/** A folder with the handler classes in `app`, as the README shows. */
function projectSeededBy(lines: string): string {
  const folder = seededBy(lines)
  mkdirSync(join(folder, 'app'))
  renameSync(join(folder, 'api.ts'), join(folder, 'app', 'api.ts'))
  const config = join(folder, 'as-rest-route.config.ts')
  writeFileSync(
    config,
    readFileSync(config, 'utf8').replace('export default {', "export default {\n      handlers: './app/',"),
  )
  return folder
}

describe(
  'who follows docs/databases.md from an empty folder',
  { skip: skipWithoutProgram('postgres') || skipWithoutProgram('mariadb'), timeout: 600_000 },
  () => {
    const app = projectSeededBy(`await insert(records, 'Moved tea')`)
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
      const programs = emptyFolder()
      const program = join(programs, 'as-rest-route')
      writeFileSync(program, `#!/bin/sh\nexec '${[process.execPath, ...commandArguments].join("' '")}' "$@"\n`)
      chmodSync(program, 0o755)
      terminal = [
        `export PATH='${programs}':"$PATH" PGHOST=${postgres.hostname} PGPORT=${postgres.port} PGUSER=${postgres.username} PGPASSWORD='${postgres.password}' PGDATABASE=postgres`,
        `export MYSQL_PWD='${mariadb.password}' DATABASE_PASSWORD='a long password'`,
        `mariadb() { command mariadb --no-defaults --user=root --socket='${socket}' "$@"; }`,
        `cd '${app}'`,
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

    /** Serves as a line says: `DATABASE_URL=… as-rest-route serve`. @returns the titles of all posts. */
    async function titlesOf(line: string): Promise<unknown> {
      const [, url, , password] =
        /^DATABASE_URL=(\S+) (DATABASE_PASSWORD='(.*)' )?as-rest-route serve$/.exec(here(line)) ?? assert.fail(line)
      const env = { DATABASE_URL: url ?? '', ...(password !== undefined && { DATABASE_PASSWORD: password }) }
      const service = await serve(['--port', '0'], { cwd: app, env })
      try {
        return await titlesAt(service.url)
      } finally {
        await service.end('SIGTERM')
      }
    }

    const commandsOf = (lines: readonly string[], program: string): readonly string[] =>
      lines.filter((line) => line.startsWith(`${program} `))
    const startOf = (lines: readonly string[]): string => lines.at(-1) ?? ''

    test('reaches a running service on PostgreSQL', async () => {
      await execute(...commandsOf(onPostgres, 'psql'))
      assert.deepEqual(await titlesOf(startOf(onPostgres)), ['Moved tea'])
    })

    test('reaches a running service on MariaDB', async () => {
      await execute(...commandsOf(onMariadb, 'mariadb'))
      assert.deepEqual(await titlesOf(startOf(onMariadb)), ['Moved tea'])
    })

    test('moves the data of a service from SQLite to PostgreSQL, to MariaDB and back', async () => {
      const emptied = (lines: readonly string[], program: string) =>
        commandsOf(lines, program).filter((line) => line.includes('CREATE DATABASE'))
      await execute(`psql -c 'DROP DATABASE shop'`, ...emptied(onPostgres, 'psql'))
      await execute(`mariadb -e 'DROP DATABASE shop'`, ...emptied(onMariadb, 'mariadb'))
      mkdirSync(join(app, 'data'), { recursive: true })
      assert.deepEqual(await titlesOf('DATABASE_URL=sqlite:data/site.sqlite as-rest-route serve'), ['Moved tea'])
      for (const line of commandsOf(moves, 'as-rest-route')) {
        await execute(line)
        const target = line.split(' ').at(-1) ?? ''
        const password = target.startsWith('sqlite:') ? '' : `DATABASE_PASSWORD='a long password' `
        await execute(`as-rest-route db check --database ${target}`)
        assert.deepEqual(await titlesOf(`DATABASE_URL=${target} ${password}as-rest-route serve`), ['Moved tea'])
      }
      assert.deepEqual(await titlesOf(startOf(moves)), ['Moved tea'])
    })
  },
)
