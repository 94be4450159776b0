import { freshDatabaseOn } from '../../test/support/servers/fresh-database.js'
import { startGalera } from '../../test/support/servers/start-galera.js'
import type { SuiteDatabase } from './database.js'

/**
 * Seconds without a message from a node after which the others go on without it. A busy machine lets a running node wait for more than ten.
 * A failover takes so long, because the others do not know before that the node was killed.
 */
const silence = 30

/**
 * A cluster of three nodes. The two groups of services and the other program each write at a node of their own. A failover kills one of
 * the two nodes of the services, whose addresses name the others next, and starts it again. The two are killed in turn.
 */
export async function galeraCluster(): Promise<SuiteDatabase> {
  const nodes = await startGalera(3, { silence })
  const [first, second, third] = nodes
  if (first === undefined || second === undefined || third === undefined) throw new Error('There are three nodes.')
  const { url: foreignUrl } = await freshDatabaseOn(first.url, [second.url, third.url])
  const { username, password, pathname } = new URL(foreignUrl)
  const address = (...hosts: readonly (typeof first)[]): string =>
    `mariadb://${username}:${password}@${hosts.map(({ url }) => new URL(url).host).join(',')}${pathname}`
  let failovers = 0
  return {
    name: 'MariaDB Galera with three nodes, one of which is killed and started again',
    urls: [address(third, second, first), address(second, third, first)],
    foreignUrl,
    failover: {
      async run() {
        const node = failovers % 2 === 0 ? third : second
        failovers += 1
        await node.kill()
        await node.start()
      },
      prepareNext: async () => {},
    },
    async drop() {
      await Promise.all(nodes.map((node) => node.drop()))
    },
  }
}
