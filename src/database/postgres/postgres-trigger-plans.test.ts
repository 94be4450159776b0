import assert from 'node:assert/strict'
import { Client } from 'pg'
import { after, before, describe, it } from 'node:test'
import { skipWithoutServer } from '../../../test/support/servers/missing-server.js'
import { freshPostgres, type FreshPostgres } from '../../../test/support/servers/open-fresh-postgres.js'
import type { OpenedStorage } from '../store-adapter.js'

const keys = [
  { type: 'product', key: 'price' },
  { type: 'product', key: 'stock' },
]

describe(
  'plans of the triggers of PostgreSQL',
  {
    skip: skipWithoutServer('postgres'),
  },
  () => {
    let database: FreshPostgres
    let storage: OpenedStorage
    let session: Client
    before(async () => {
      database = await freshPostgres()
      storage = await database.open()
      await storage.indexMeta?.(keys, () => undefined)
      session = await connect()
    })
    after(async () => {
      await session.end()
      await storage.close()
      await database.drop()
    })

    async function connect(): Promise<Client> {
      const address = new URL(database.url)
      const schema = address.searchParams.get('schema') ?? ''
      address.search = ''
      const client = new Client({ connectionString: String(address), options: `-c search_path=${schema}` })
      await client.connect()
      return client
    }

    async function reconnect(): Promise<void> {
      await session.end()
      session = await connect()
    }

    const posts = (rows: string): string =>
      `INSERT INTO wp_posts (post_title, post_name, post_type, post_status, post_date, post_content, post_excerpt, to_ping, pinged, post_content_filtered)
      SELECT 'Tea', 'tea-' || n, 'product', 'publish', '2026-01-01 00:00:00', '', '', '', '', '' FROM generate_series(${rows}) n RETURNING ID`
    const metadata = (rows: string): string =>
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT p.ID, k, '5' FROM (${rows}) p (ID), unnest(ARRAY['price', 'stock', 'note']) k`
    const relate = (rows: string): string =>
      `INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) SELECT p.ID, 1 FROM (${rows}) p (ID)`

    /** The statements of a record, with everything that they have read of large tables. */
    async function changeOne(): Promise<readonly string[]> {
      // Numbers of earlier transactions leave the session first.
      await session.query('SELECT pg_stat_force_next_flush()')
      await session.query('BEGIN')
      const { rows } = await session.query<{ id: string }>(posts('1, 1'))
      const id = `SELECT ${rows[0]?.id}::bigint`
      for (const statement of [
        metadata(id),
        relate(id),
        `UPDATE wp_postmeta SET meta_value = '7' WHERE post_id = (${id})`,
        `UPDATE wp_posts SET post_status = 'draft' WHERE ID = (${id})`,
        `UPDATE wp_posts SET post_type = 'page' WHERE ID = (${id})`,
        `UPDATE wp_posts SET post_type = 'product' WHERE ID = (${id})`,
        `DELETE FROM wp_postmeta WHERE post_id = (${id}) AND meta_key = 'stock'`,
        `DELETE FROM wp_term_relationships WHERE object_id = (${id})`,
        `DELETE FROM wp_posts WHERE ID = (${id})`,
      ])
        await session.query(statement)
      const read = await session.query<{ relname: string; read: string }>(
        `SELECT relname, seq_tup_read + coalesce(idx_tup_fetch, 0) AS read FROM pg_stat_xact_user_tables
        WHERE seq_tup_read + coalesce(idx_tup_fetch, 0) > 200 AND schemaname = current_schema()`,
      )
      await session.query('COMMIT')
      return read.rows.map(({ relname, read: rowsRead }) => `${relname}: ${rowsRead} rows`)
    }

    it('read the rows of a record by their keys in a session that began with empty tables', async () => {
      // From its sixth execution on, a statement may have a plan that is kept.
      for (let count = 0; count < 12; count += 1) await changeOne()
      await session.query(posts('1, 4000'))
      await session.query(metadata('SELECT ID FROM wp_posts'))
      await session.query(relate('SELECT ID FROM wp_posts'))
      assert.deepEqual(await changeOne(), [])
    })

    /** The plans of a statement and of its triggers, with what they have read. */
    async function plansOf(statement: string): Promise<readonly string[]> {
      const plans: string[] = []
      const listen = ({ message = '' }): unknown => plans.push(message)
      await session.query(`LOAD 'auto_explain'`)
      for (const setting of [
        'min_duration = 0',
        'nested_statements = on',
        'analyze = on',
        'timing = off',
        'level = notice',
      ])
        await session.query(`SET auto_explain.log_${setting}`)
      session.on('notice', listen)
      await session.query(statement)
      session.off('notice', listen)
      await session.query('SET auto_explain.log_min_duration = -1')
      return plans
    }

    it('read the changed rows a few times when one statement changes thousands', async () => {
      for (const statement of [
        `UPDATE wp_postmeta SET meta_value = '9' WHERE meta_key = 'price'`,
        `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT ID, 'stock', '3' FROM wp_posts`,
        `DELETE FROM wp_postmeta WHERE meta_key = 'stock'`,
        `UPDATE wp_posts SET post_status = 'draft'`,
        `UPDATE wp_posts SET post_type = 'page'`,
        `UPDATE wp_posts SET post_type = 'product'`,
        'UPDATE wp_term_relationships SET term_taxonomy_id = 2',
        'DELETE FROM wp_term_relationships',
        'DELETE FROM wp_posts WHERE ID % 2 = 0',
      ]) {
        const plans = await plansOf(statement)
        const scans = plans.flatMap((plan) => [...plan.matchAll(/Named Tuplestore Scan .*loops=(\d+)/g)])
        assert.ok(scans.length > 0, plans.join('\n'))
        assert.ok(Math.max(...scans.map(([, loops]) => Number(loops))) < 10, statement)
        // A trigger for each row would run its statements thousands of times.
        assert.ok(plans.length < 30, `${statement}: ${plans.length}`)
      }
    })

    it('read the rows of a record by their keys after a session began with a statement that changes thousands', async () => {
      await session.query(posts('1, 6000'))
      await session.query(metadata('SELECT ID FROM wp_posts'))
      await session.query(relate('SELECT ID FROM wp_posts'))
      await session.query('ANALYZE')
      await reconnect()
      for (const statement of [
        `UPDATE wp_posts SET post_type = 'page' WHERE ID % 2 = 0`,
        `UPDATE wp_posts SET post_type = 'product' WHERE ID % 2 = 0`,
        'UPDATE wp_term_relationships SET term_taxonomy_id = 2 WHERE object_id % 2 = 0',
        `UPDATE wp_postmeta SET meta_value = '9' WHERE meta_key = 'price' AND post_id % 2 = 0`,
        `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT ID, 'stock', '3' FROM wp_posts WHERE ID % 2 = 0`,
        `DELETE FROM wp_postmeta WHERE meta_key = 'stock' AND post_id % 2 = 0`,
        'DELETE FROM wp_term_relationships WHERE object_id % 2 = 0',
        'DELETE FROM wp_posts WHERE ID % 2 = 0',
      ])
        await session.query(statement)
      assert.deepEqual(await changeOne(), [])
    })
  },
)
