import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freshDatabaseOn } from '../../test/support/servers/fresh-database.js'
import { freshDatabaseOf } from '../../test/support/servers/named-server.js'
import { foreignSql } from '../../test/support/servers/open-fresh-postgres.js'
import { dataFolderOf, settingsOfPrimary, startStandby } from '../../test/support/servers/postgres-standby.js'
import { startServer, type TestServer } from '../../test/support/servers/start-server.js'
import { galeraCluster } from './galera.js'

/** The database of one run. */
export interface SuiteDatabase {
  readonly name: string
  /** The addresses of the two groups of services. Both lead to the same tables. */
  readonly urls: readonly [first: string, second: string]
  /** The address for the program that writes beside the services. Default: the first of `urls`. */
  readonly foreignUrl?: string
  /** Null for a database that the suite did not start. */
  readonly failover: Failover | null
  drop(): Promise<void>
}

export interface Failover {
  /** Ends the server as a crash does, and brings the database back. */
  run(): Promise<void>
  /** Makes the next failover possible, while the database is in use. */
  prepareNext(): Promise<void>
}

/** @param server `postgres`, `mariadb`, `galera`, the address of a server, or null for a file of SQLite. */
export function openDatabase(server: string | null): Promise<SuiteDatabase> {
  if (server === null) return sqliteFile()
  if (server === 'postgres') return replicatedPostgres()
  if (server === 'galera') return galeraCluster()
  return server === 'mariadb' ? ownMariadb() : givenServer(server)
}

async function sqliteFile(): Promise<SuiteDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'as-rest-route-fresh-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  process.on('exit', remove)
  const url = `sqlite:${join(folder, 'site.sqlite')}`
  return { name: 'SQLite', urls: [url, url], failover: null, drop: async () => remove() }
}

async function givenServer(server: string): Promise<SuiteDatabase> {
  const { url, drop } = await freshDatabaseOf(server)
  return { name: new URL(url).protocol.replace(':', ''), urls: [url, url], failover: null, drop }
}

/** A server that is killed, and started again after a second. It keeps what it has acknowledged. */
async function ownMariadb(): Promise<SuiteDatabase> {
  const server = await started('mariadb', ['innodb-flush-log-at-trx-commit=2'])
  const { url } = await freshDatabaseOn(server.url)
  return {
    name: 'MariaDB, killed and started again',
    urls: [url, url],
    failover: {
      async run() {
        await server.kill()
        await sleep(1000)
        await server.start()
      },
      prepareNext: async () => {},
    },
    drop: () => server.drop(),
  }
}

const durable = ['synchronous_commit=on', ...settingsOfPrimary]

/**
 * A primary and a standby that has each acknowledged write. A failover kills the primary and promotes the standby; a copy of the
 * new primary follows it then, in place of the killed one. The addresses name both hosts, in either order.
 */
async function replicatedPostgres(): Promise<SuiteDatabase> {
  const servers = await Promise.all([started('postgres', durable), started('postgres', durable)])
  const [first, second] = servers
  const { url } = await freshDatabaseOn(first.url)
  const folders = await Promise.all(servers.map((server) => dataFolderOf(server.url)))
  const { username, password, pathname, search } = new URL(url)
  const address = (...hosts: readonly TestServer[]): string =>
    `postgres://${username}:${password}@${hosts.map((host) => new URL(host.url).host).join(',')}${pathname}${search}`
  const urlOf = (server: TestServer): string => address(server).replace(/\?.*$/, '')
  /** Makes a server a standby of another one, which then waits for it at each commit. */
  const follow = async (standby: number, primary: number): Promise<void> => {
    const [from, to, folder] = [servers[primary], servers[standby], folders[standby]]
    if (from === undefined || to === undefined || folder === undefined) throw new Error('There are two servers.')
    await startStandby(to, folder, urlOf(from))
    await changeSetting(urlOf(from), `synchronous_standby_names = '*'`)
    await waitUntil(async () => {
      const rows = await foreignSql(urlOf(from), 'SELECT sync_state FROM pg_stat_replication')
      return rows.some(([state]) => state === 'sync')
    })
  }
  await second.stop()
  await follow(1, 0)
  let primary = 0
  return {
    name: 'PostgreSQL, its primary killed and its standby promoted',
    urls: [address(first, second), address(second, first)],
    failover: {
      async run() {
        const [old, next] = [servers[primary], servers[1 - primary]]
        if (old === undefined || next === undefined) throw new Error('There are two servers.')
        await old.kill()
        // Its settings are those of the primary when it was copied: it waits for no standby.
        await foreignSql(urlOf(next), 'SELECT pg_promote()')
        primary = 1 - primary
      },
      prepareNext: () => follow(1 - primary, primary),
    },
    async drop() {
      await Promise.all(servers.map((server) => server.drop()))
    },
  }
}

async function started(kind: 'postgres' | 'mariadb', settings: readonly string[]): Promise<TestServer> {
  const server = await startServer(kind, settings)
  if (server === null) throw new Error(`There is no ${kind} here.`)
  return server
}

async function changeSetting(url: string, setting: string): Promise<void> {
  await foreignSql(url, `ALTER SYSTEM SET ${setting}`)
  await foreignSql(url, 'SELECT pg_reload_conf()')
}

async function waitUntil(holds: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (await holds()) return
    await sleep(50)
  }
  throw new Error('The standby does not follow.')
}
