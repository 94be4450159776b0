import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { Client } from 'pg'
import { startServer } from '../../test/support/servers/start-server.js'
import { isDatabaseKind, type DatabaseKind } from '../../test/support/servers/server-programs.js'
import { cpuSecondsOfAll, parentOf, reapedCpuSeconds } from '../servers/processes.js'

/** A database server that the product and a peer use. */
export interface DatabaseServer {
  readonly kind: DatabaseKind
  readonly url: string
  readonly version: string
  /** What a commit has to survive, in the words of the server. */
  readonly durability: string
  /** CPU time of all its processes, those that have ended included; null when it runs on another machine. */
  readonly cpuSeconds: (() => number) | null
  stop(): Promise<void>
}

/** What the servers of tests leave out: here a commit survives a loss of power, as it does in use. */
const durable: Readonly<Record<DatabaseKind, readonly string[]>> = {
  postgres: ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on', 'shared_buffers=256MB'],
  mariadb: ['innodb-flush-log-at-trx-commit=1', 'innodb-doublewrite=1', 'innodb-buffer-pool-size=256M'],
}

/**
 * @param address a URL, or `postgres` or `mariadb` for a server that is started for the benchmark.
 * @throws Error when there is no such server.
 */
export async function openServer(address: string): Promise<DatabaseServer> {
  if (!isDatabaseKind(address)) {
    const kind = /^postgres(ql)?:\/\//.test(address) ? 'postgres' : 'mariadb'
    return { kind, url: address, ...(await factsOf(kind, address)), stop: async () => undefined }
  }
  const server = await startServer(address, durable[address])
  if (server === null) throw new TypeError(`${address} is not installed. Give the URL of a running server.`)
  const facts = await factsOf(address, server.url)
  // It was started from the core of the load, and may use both.
  const cores = process.env['BENCH_CORES']
  if (facts.pid !== null && cores !== undefined)
    execFileSync('taskset', ['-a', '-c', '-p', cores, String(facts.pid)], { stdio: 'ignore' })
  return { kind: address, url: server.url, ...facts, stop: () => server.drop() }
}

type Facts = Pick<DatabaseServer, 'version' | 'durability' | 'cpuSeconds'> & { readonly pid: number | null }

async function factsOf(kind: DatabaseKind, url: string): Promise<Facts> {
  const { pid, program, ...facts } = await (kind === 'postgres' ? postgresFacts(url) : mariadbFacts(url))
  const isHere = pid !== null && program.test(commandOf(pid))
  return {
    ...facts,
    pid: isHere ? pid : null,
    cpuSeconds: isHere ? () => cpuSecondsOfAll(pid) + reapedCpuSeconds(pid) : null,
  }
}

async function postgresFacts(url: string) {
  const client = new Client({ connectionString: withoutParameters(url) })
  await client.connect()
  try {
    const { rows } = await client.query<{ version: string; durability: string; pid: number }>(
      `SELECT current_setting('server_version') AS version, pg_backend_pid() AS pid, format('fsync=%s, synchronous_commit=%s',
       current_setting('fsync'), current_setting('synchronous_commit')) AS durability`,
    )
    const [{ version, durability, pid } = { version: '', durability: '', pid: 0 }] = rows
    return { version: `PostgreSQL ${version}`, durability, pid: parentOf(pid), program: /postgres/ }
  } finally {
    await client.end()
  }
}

async function mariadbFacts(url: string) {
  const { hostname, port, username, password, searchParams } = new URL(url)
  const socketPath = searchParams.get('socket')
  const connection = await createConnection({
    ...(socketPath === null ? { host: hostname, port: Number(port || 3306) } : { socketPath }),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    rowsAsArray: true,
  })
  try {
    const [rows] = await connection.query(
      'SELECT @@version, @@innodb_flush_log_at_trx_commit, @@sync_binlog, @@datadir, @@pid_file',
    )
    const [version, flush, binlog, folder, file] = ((rows as unknown as (string | number)[][])[0] ?? []).map(String)
    return {
      version: `MariaDB ${version}`,
      durability: `innodb_flush_log_at_trx_commit=${flush}, sync_binlog=${binlog}`,
      pid: pidIn(resolve(folder ?? '/', file ?? '')),
      program: /mariadbd|mysqld/,
    }
  } finally {
    await connection.end()
  }
}

function withoutParameters(url: string): string {
  const address = new URL(url)
  address.search = ''
  return String(address)
}

function pidIn(file: string): number | null {
  try {
    return Number(readFileSync(file, 'utf8')) || null
  } catch {
    return null
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
