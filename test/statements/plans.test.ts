import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { SqlValue } from '../../src/database/sql/sql-connection.js'
import { sqliteLibrary, type SqliteClient } from '../../src/database/sqlite/sqlite-client.js'
import { statementsWithValues, type Statement } from '../support/counted-statements.js'
import { onlyOnSqlite } from '../support/test-database.js'
import { countedShop, pages, type CountedShop } from './requests.js'

/** What a plan may read whole. Everything else has to be found by an index. */
const bounded: readonly RegExp[] = [
  // The values of the statement.
  /^(?:\d+ )?CONSTANT ROWS?$/,
  /^json_each /,
  // The rows of one page, which another step has found, and the terms below a term.
  /^page$/,
  /^(?:term_tree|w)$/,
  // The slugs with bytes that are not ASCII, up to the first one: no slug of the service has any.
  /^wp_posts USING COVERING INDEX wp_posts_post_name_not_ascii$/,
]

describe('plans of SQLite', { skip: onlyOnSqlite }, () => {
  let shop: CountedShop
  let client: SqliteClient
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plans-'))
    const path = join(folder, 'shop.sqlite')
    shop = await countedShop(`sqlite:${path}`)
    client = (await sqliteLibrary())(path)
  })
  after(async () => {
    client.close()
    await shop.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** The steps of a statement that read a whole table or a whole index. */
  function unbounded({ text, values }: Statement): readonly string[] {
    const steps = client.prepare(`EXPLAIN QUERY PLAN ${text}`).all(values as readonly SqlValue[])
    return steps
      .map((row) => /^SCAN (.*)$/.exec(String(row.at(-1)))?.[1])
      .filter((table) => table !== undefined && !bounded.some((pattern) => pattern.test(table))) as string[]
  }

  /** The statements of a request after rows of all kinds were written, none of which is in a cache. */
  async function statementsOf(send: () => Promise<Response>): Promise<readonly Statement[]> {
    await shop.writeAllKinds()
    return statementsWithValues(async () => void (await (await send()).text()))
  }

  function assertIndexed(statements: readonly Statement[]): void {
    for (const statement of statements) assert.deepEqual(unbounded(statement), [], statement.text)
  }

  it('every statement of a request to a route finds its rows by indexes', async () => {
    const texts = new Set<string>()
    for (const request of shop.requests) {
      const statements = await statementsOf(await request.prepare())
      assertIndexed(statements)
      for (const { text } of statements) texts.add(text)
    }
    assert.ok(texts.size > 30, `${texts.size} statements`)
  })

  for (const path of pages)
    it(`so does every statement of the page ${path}`, async () => {
      const statements = await statementsOf(() => fetch(shop.url + path, { redirect: 'manual' }))
      assert.ok(statements.length > 0)
      assertIndexed(statements)
    })

  it('the check of plans reports a condition without an index', () => {
    const text = 'SELECT ID FROM wp_posts WHERE post_content = ?'
    assert.deepEqual(unbounded({ text, values: [''] }), ['wp_posts'])
  })
})
