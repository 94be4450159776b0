import { freshDatabaseOn, type FreshDatabase } from './fresh-database.js'
import { missingServer } from './missing-server.js'
import { isDatabaseKind } from './server-programs.js'
import { sharedServer } from './shared-server.js'
import { startGalera } from './start-galera.js'
import type { TestServer } from './start-server.js'

/**
 * As `freshDatabase`, of the server that a command line names.
 * @param server `postgres`, `mariadb`, `galera` for a cluster of three nodes, or the address of a server.
 * @throws Error when there is none.
 */
export async function freshDatabaseOf(server: string): Promise<FreshDatabase> {
  if (server === 'galera') return onGalera()
  if (!isDatabaseKind(server)) return freshDatabaseOn(server)
  const reason = missingServer(server)
  if (reason !== null) throw new Error(`--database ${server}: ${reason}.`)
  return freshDatabaseOn(await sharedServer(server))
}

/** Whether `freshDatabaseOf` takes it. */
export function isServer(address: string): boolean {
  return isDatabaseKind(address) || address === 'galera' || /^(postgres(ql)?|mysql|mariadb):\/\//.test(address)
}

let cluster: Promise<readonly TestServer[]> | null = null
let count = 0

/**
 * An empty database on a cluster of three nodes, which is started at the first call and ends with this process. The addresses begin with
 * another node at each call, so that all of them are written to.
 * @throws Error when it cannot be started.
 */
async function onGalera(): Promise<FreshDatabase> {
  const servers = await (cluster ??= startGalera(3))
  const turn = (count += 1) % servers.length
  const [first = '', ...others] = [...servers.slice(turn), ...servers.slice(0, turn)].map(({ url }) => url)
  const database = await freshDatabaseOn(first, others)
  const { pathname } = new URL(database.url)
  return { ...database, nodes: [first, ...others].map((url) => String(Object.assign(new URL(url), { pathname }))) }
}
