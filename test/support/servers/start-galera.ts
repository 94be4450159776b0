import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { freePorts } from './free-ports.js'
import { missingProgram } from './missing-server.js'
import { foreignSql } from './open-fresh-mariadb.js'
import { startServer, type TestServer } from './start-server.js'

const provider = '/usr/lib/galera/libgalera_smm.so'

/** The value of a test's option `skip`. @throws Error with CI=true: there Galera is installed. */
export function skipWithoutGalera(): string | false {
  const missing = missingProgram('mariadb')
  const reason =
    missing ?? (existsSync(provider) ? null : `there is no Galera here: install Debian's galera-4 and rsync`)
  if (reason === null) return false
  if (process.env['CI'] === 'true' && process.env['TEST_SERVERS'] !== 'none') throw new Error(reason)
  return reason
}

/**
 * Nodes of one Galera cluster on this machine. The addresses are of one database. The first node cannot be started
 * again. When `start` of a node resolves, all nodes take statements; the others must be running.
 *
 * @param silence seconds without a message from a node after which the others expel it. The default is longer than a busy machine lets a
 *   running node wait for a processor; a test that kills a node takes less.
 */
export async function startGalera(count: number, { silence = 60 } = {}): Promise<readonly TestServer[]> {
  const ports = await freePorts(3 * count)
  const group = (index: number) => `127.0.0.1:${ports[3 * index]}`
  const settings = (index: number): string[] => [
    'wsrep-on=ON',
    `wsrep-provider=${provider}`,
    'wsrep-cluster-name=test',
    `wsrep-cluster-address=gcomm://${Array.from({ length: count }, (_, node) => group(node)).join(',')}`,
    'wsrep-node-address=127.0.0.1',
    `wsrep-node-name=node${index}`,
    'wsrep-sst-method=rsync',
    `wsrep-sst-receive-address=127.0.0.1:${ports[3 * index + 2]}`,
    'wsrep-slave-threads=2',
    'binlog-format=ROW',
    'innodb-autoinc-lock-mode=2',
    `wsrep-provider-options=gmcast.listen_addr=tcp://${group(index)};ist.recv_addr=127.0.0.1:${ports[3 * index + 1]};gcache.size=32M;evs.keepalive_period=PT0.5S;evs.suspect_timeout=PT${silence}S;evs.inactive_timeout=PT${2 * silence}S`,
    ...(index === 0 ? ['wsrep-new-cluster'] : []),
  ]
  const nodes: TestServer[] = []
  const start = async (index: number): Promise<void> => {
    const server = await startServer('mariadb', settings(index))
    if (server === null) throw new Error('MariaDB is not installed.')
    nodes[index] = server
  }
  await start(0)
  const joined = await Promise.allSettled(Array.from({ length: count - 1 }, (_, index) => start(index + 1)))
  const failed = joined.find((result) => result.status === 'rejected')
  if (failed !== undefined) {
    await Promise.all(nodes.map((node) => node.drop()))
    throw failed.reason
  }
  // The users are those of the first node.
  const password = new URL(nodes[0]?.url ?? '').password
  const urls = nodes.map((node) => {
    const url = new URL(node.url)
    url.password = password
    return String(url)
  })
  return nodes.map((node, index) => ({
    ...node,
    url: urls[index] ?? '',
    async start() {
      await node.start()
      await Promise.all(urls.map(readiness))
    },
  }))
}

/**
 * A node takes connections before it has the writes that it missed, and refuses statements until then. The others
 * refuse them while they agree on who belongs to the cluster.
 */
async function readiness(url: string): Promise<void> {
  for (const end = performance.now() + 60_000; ;) {
    const [row] = await foreignSql(url, `SHOW STATUS LIKE 'wsrep_ready'`)
    if (row?.[1] === 'ON') return
    if (performance.now() > end) throw new Error('The node takes no statements after 60 s.')
    await setTimeout(100)
  }
}
