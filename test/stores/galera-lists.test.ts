import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { storeAdapterOf } from '../../src/app/stores.js'
import { checkDatabase } from '../../src/database/maintenance/check-database.js'
import { openMysql } from '../../src/database/mysql/open-mysql.js'
import type { SqlStore } from '../../src/database/sql/sql-store.js'
import { foreignSql } from '../support/servers/open-fresh-mariadb.js'
import { skipWithoutGalera, startGalera } from '../support/servers/start-galera.js'
import type { TestServer } from '../support/servers/start-server.js'
import {
  aRow,
  columns,
  mariadb,
  randomListChange,
  randomMetadataChange,
  randomTransaction,
  type RandomChange,
  type Session,
} from './list-changes.js'

/** The numbers of all records and those of each term, counted from the rows of WordPress's tables. */
const counted = `SELECT 0 AS term, post_type, post_status, COUNT(*) FROM wp_posts GROUP BY post_type, post_status
  UNION ALL SELECT r.term_taxonomy_id, p.post_type, p.post_status, COUNT(*) FROM wp_term_relationships r
    JOIN wp_posts p ON p.ID = r.object_id WHERE r.term_taxonomy_id <> 0 GROUP BY r.term_taxonomy_id, p.post_type, p.post_status
  ORDER BY 1, 2, 3`
const kept = `SELECT term_taxonomy_id, post_type, post_status, SUM(n) FROM wp_as_rest_route_counts
  GROUP BY term_taxonomy_id, post_type, post_status HAVING SUM(n) <> 0 ORDER BY 1, 2, 3`

describe('lists and numbers of a Galera cluster', { skip: skipWithoutGalera(), timeout: 600_000 }, () => {
  let nodes: readonly TestServer[] = []
  const stores: SqlStore[] = []
  before(async () => {
    nodes = await startGalera(3)
    const [first] = nodes
    await (await openMysql(first?.url ?? '', { purpose: 'start' })).close()
    // As on a server that became the first node of a cluster: a cluster itself adds no keys.
    const keys = `('product', 'price', NULL), ('product', 'stock', NULL), ('page', 'price', NULL)`
    await foreignSql(
      first?.url ?? '',
      `INSERT INTO wp_as_rest_route_indexed_keys (post_type, meta_key, filled_to) VALUES ${keys}`,
    )
    for (const { url } of nodes) stores.push(await storeAdapterOf(url).openTables(url, { purpose: 'change' }))
  })
  after(async () => {
    await Promise.all(stores.map((store) => store.database.close()))
    await Promise.all(nodes.map((node) => node.drop()))
  })

  async function assertRight(): Promise<void> {
    for (const { url } of nodes) {
      const [byHand, byTriggers] = [await foreignSql(url, waiting, counted), await foreignSql(url, waiting, kept)]
      assert.deepEqual(byTriggers, byHand)
    }
    for (const store of stores) {
      const sentences = (await checkDatabase(store)).map(({ sentence }) => sentence)
      assert.deepEqual(
        sentences.filter((sentence) => /_counts|_listed|_indexed/.test(sentence)),
        [],
      )
    }
    const [size] = await foreignSql(nodes[0]?.url ?? '', `SHOW STATUS LIKE 'wsrep_cluster_size'`)
    assert.deepEqual(size, ['wsrep_cluster_size', '3'])
  }

  it('are right when sessions at all nodes change the same records', async () => {
    const [first] = nodes
    for (let id = 1; id <= 30; id += 1)
      await foreignSql(first?.url ?? '', `INSERT INTO wp_posts (ID, ${columns}) VALUES (${id}, ${aRow('draft')})`)
    await Promise.all(nodes.map(readTriggers))
    const end = performance.now() + 8000
    const outcomes = await Promise.allSettled(
      [...nodes, ...nodes, ...nodes, ...nodes].map(async ({ url }) => {
        const session = await mariadb.connect(url)
        try {
          for (let count = 0; performance.now() < end || count < 10; count += 1)
            await randomTransaction(mariadb, session, listOrMetadataChange)
        } finally {
          await session.end()
        }
      }),
    )
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    await assertRight()
  })

  /** Commits two transactions at two nodes, neither of which has seen the other. @returns how many the cluster accepted. */
  async function commitAtOnce(one: readonly string[], other: readonly string[]): Promise<number> {
    const [first, second] = nodes
    const sessions: Session[] = [await mariadb.connect(first?.url ?? ''), await mariadb.connect(second?.url ?? '')]
    try {
      const outcomes = await Promise.allSettled(
        [one, other].map(async (statements, index) => {
          for (const statement of ['BEGIN', ...statements]) await sessions[index]?.run(statement)
        }),
      )
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'fulfilled'],
      )
      const commits = await Promise.allSettled(sessions.map((session) => session.run('COMMIT')))
      return commits.filter(({ status }) => status === 'fulfilled').length
    } finally {
      await Promise.all(sessions.map((session) => session.end()))
    }
  }

  const relate = 'INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (500, 4)'
  const unrelate = 'DELETE FROM wp_term_relationships WHERE object_id = 500'
  const insert = `INSERT INTO wp_posts (ID, ${columns}) VALUES (500, ${aRow('draft')})`
  for (const [name, before, one, other] of [
    [
      'gets a term at one node, and another status',
      [insert],
      relate,
      `UPDATE wp_posts SET post_status = 'trash' WHERE ID = 500`,
    ],
    [
      'gets a term at one node, and another date',
      [insert],
      relate,
      `UPDATE wp_posts SET post_date = '2026-02-03 00:00:00' WHERE ID = 500`,
    ],
    ['gets a term at one node, and its removal', [insert], relate, 'DELETE FROM wp_posts WHERE ID = 500'],
    ['gets a term at one node, and another id', [insert], relate, 'UPDATE wp_posts SET ID = 501 WHERE ID = 500'],
    ['gets a term at one node, and is stored', [], relate, insert],
    ['loses a term at one node, and is stored', [relate], unrelate, insert],
    [
      'loses a term at one node, and gets its id',
      [relate, insert.replace('(500', '(501')],
      unrelate,
      'UPDATE wp_posts SET ID = 500 WHERE ID = 501',
    ],
  ] as const)
    it(`are right when a record ${name} at another`, async () => {
      const [first] = nodes
      for (let round = 0; round < 5; round += 1) {
        await foreignSql(
          first?.url ?? '',
          'DELETE FROM wp_term_relationships WHERE object_id IN (500, 501)',
          'DELETE FROM wp_posts WHERE ID IN (500, 501)',
          ...before,
        )
        for (const { url } of nodes) await foreignSql(url, waiting, 'SELECT 1 FROM wp_posts LIMIT 1')
        const accepted = await commitAtOnce([one], [other])
        assert.equal(accepted, 1)
        await assertRight()
      }
    })
})

const listOrMetadataChange: RandomChange = (server) =>
  (Math.random() < 0.5 ? randomListChange : randomMetadataChange)(server)

/**
 * Lets a node read the triggers for as many sessions as will write. MariaDB 10.11 keeps a trigger as faulty when a conflict with
 * another node ends the session that reads it, which is no subject of these tests.
 */
async function readTriggers({ url }: TestServer): Promise<void> {
  const slowly =
    'SELECT SLEEP(2), (SELECT COUNT(*) FROM wp_posts), (SELECT COUNT(*) FROM wp_term_relationships), (SELECT COUNT(*) FROM wp_postmeta)'
  await Promise.all(Array.from({ length: 12 }, () => foreignSql(url, slowly)))
}

/** Statements of the session then see what other nodes have acknowledged. */
const waiting = 'SET wsrep_sync_wait = 1'
