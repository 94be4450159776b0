import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it, test } from 'node:test'
import { statementsInParts, statementsOf, type Statement } from '../support/counted-statements.js'
import { skipWithoutProgram } from '../support/servers/missing-server.js'
import { startServer } from '../support/servers/start-server.js'
import { onlyOnSqlite } from '../support/test-database.js'
import { countedShop, type CountedRequest, type CountedShop } from './requests.js'

const document = new URL('../../docs/performance.md', import.meta.url)
const updates = process.env['UPDATE_SNAPSHOTS'] === '1'

/** The counts of a request after rows of all kinds were written, by the name of the store, and of the same one again. */
interface Counts {
  readonly written: Readonly<Record<string, number>>
  readonly again: Readonly<Record<string, number>>
}

const stores = ['SQLite', 'PostgreSQL', 'MariaDB']
const counted = new Map<string, Counts>()
/** Why the table is not compared: a store has no row cache. */
let withoutRowCache: string | false = false

const keyOf = ({ name, method, route }: CountedRequest): string =>
  `${name} | ${method} ${route?.replaceAll(/\(\?P<(\w+)>(?:\(\?:[^)]*\)|[^)])*\)/g, '{$1}') ?? 'page'}`

/** Statements of equal text and values between which nothing was written. */
function repeatedIn(parts: readonly (readonly Statement[])[]): readonly string[] {
  return parts.flatMap((part) => {
    const texts = part.map(({ text, values }) => JSON.stringify([text, values]))
    return texts.filter((text, index) => texts.indexOf(text) !== index)
  })
}

/** A database of the test's own: on a shared server, the writes of other tests would change the token between two requests. */
const databases: Readonly<
  Record<string, { skip: string | false; open(): Promise<[url: string, close: () => unknown]> }>
> = {
  SQLite: {
    skip: false,
    async open() {
      const folder = await mkdtemp(join(tmpdir(), 'statements-'))
      return [`sqlite:${folder}/shop.sqlite`, () => rm(folder, { recursive: true, force: true })]
    },
  },
  PostgreSQL: { skip: skipWithoutProgram('postgres'), open: () => opened('postgres', ['autovacuum=off']) },
  MariaDB: { skip: skipWithoutProgram('mariadb'), open: () => opened('mariadb', []) },
}

async function opened(kind: 'postgres' | 'mariadb', settings: readonly string[]): Promise<[string, () => unknown]> {
  const server = await startServer(kind, settings)
  if (server === null) throw new Error(`There is no ${kind}.`)
  return [server.url, () => server.drop()]
}

for (const [store, { skip, open }] of Object.entries(databases))
  describe(`statements per request on ${store}`, { skip: skip || onlyOnSqlite }, () => {
    let shop: CountedShop
    let closeDatabase: () => unknown
    before(async () => {
      const [url, close] = await open()
      closeDatabase = close
      shop = await countedShop(url)
    })
    after(async () => {
      await shop.close()
      await closeDatabase()
    })

    it('counts every method of every route', () => {
      const tested = new Set(shop.requests.map(({ method, route }) => `${method} ${route ?? ''}`))
      assert.deepEqual(
        shop.routes.filter((route) => !tested.has(route) && !route.endsWith('/batch/v1')),
        [],
      )
    })

    it('fifty lists at once, after a write, send the statement of one', async (context) => {
      if (shop.withoutRowCache !== false) return context.skip(shop.withoutRowCache)
      const list = async (): Promise<void> => {
        const response = await fetch(`${shop.url}/wp-json/shop/v1/products`)
        assert.equal(response.status, 200)
        await response.text()
      }
      await list()
      for (let round = 0; round < 3; round += 1) {
        await shop.writeAllKinds()
        const statements = await statementsOf(() => Promise.all(Array.from({ length: 50 }, list)))
        assert.equal(statements.length, 1, statements.join('\n'))
      }
    })

    it('no request sends a statement twice, and each sends as many as docs/performance.md says', async (context) => {
      withoutRowCache ||= shop.withoutRowCache
      if (shop.withoutRowCache !== false) return context.skip(shop.withoutRowCache)
      for (const request of shop.requests) {
        /** Sends the request, after rows of all kinds were written where `isWritten` says so. */
        const count = async (isWritten: boolean): Promise<number> => {
          const send = await request.prepare()
          if (isWritten) await shop.writeAllKinds()
          let status = 0
          const parts = await statementsInParts(async () => {
            const response = await send()
            status = response.status
            await response.text()
          })
          assert.equal(status, request.status, keyOf(request))
          assert.deepEqual(repeatedIn(parts), [], `${store}, ${keyOf(request)}: a statement was sent twice`)
          return parts.flat().length
        }
        // The first one also does what is done once a day, such as noting the use of an application password.
        await count(true)
        const written = await count(true)
        assert.equal(await count(true), written, `${store}, ${keyOf(request)}: the number differs`)
        const again = ['GET', 'OPTIONS'].includes(request.method) && request.route !== null ? await count(false) : null
        const counts = counted.get(keyOf(request))
        counted.set(keyOf(request), {
          written: { ...counts?.written, [store]: written },
          again: { ...counts?.again, ...(again !== null && { [store]: again }) },
        })
      }
    })
  })

/** The lines of the table: what is asked, and the counts by store. */
function lines(): readonly string[] {
  const numbers = (counts: Readonly<Record<string, number>>) => {
    const values = stores.flatMap((store) => counts[store] ?? [])
    return new Set(values).size === 1 && values.length === stores.length ? String(values[0]) : values.join(' / ')
  }
  return [...counted].map(([key, { written, again }]) => {
    return `| ${key} | ${numbers(written)} | ${numbers(again)} |`
  })
}

const tableOf = (text: string): RegExpExecArray | null =>
  /(<!-- statements per request -->\n\n(?:\|.*\n){2})((?:\|.*\n)*)/.exec(text)

test(
  'docs/performance.md has the numbers',
  { skip: Object.values(databases).find(({ skip }) => skip)?.skip || onlyOnSqlite },
  (context) => {
    if (withoutRowCache !== false) return context.skip(withoutRowCache)
    const text = readFileSync(document, 'utf8')
    const table = tableOf(text)
    assert.ok(table)
    const [whole, head = '', rows = ''] = table
    if (updates)
      return writeFileSync(
        document,
        text.replace(whole, () => `${head}${lines().join('\n')}\n`),
      )
    const cells = (line: string) => line.replaceAll(/ +/g, ' ').trim()
    assert.deepEqual(
      rows.trim().split('\n').map(cells),
      lines().map(cells),
      'UPDATE_SNAPSHOTS=1 npm test -- test/statements',
    )
  },
)
