import { userInfo } from 'node:os'
import { lifetimeOfOne, type ConnectionLimits } from '../server/connection-limits.js'
import { responseTimeout } from '../server/response-timeout.js'
import { passwordOf } from '../server/server-password.js'
import { shownAddress, type ServerHost } from '../server/server-address.js'
import { certificateRemedy, tlsOptions } from '../server/tls-options.js'
import type { SqlRow } from '../sql/sql-connection.js'
import { StorageError } from '../storage-error.js'
import type { PostgresAddress } from './postgres-address.js'
import { PostgresConnection } from './postgres-connection.js'
import type { DriverClient, PostgresDriver } from './postgres-driver.js'
import { codeOf, isTemporaryFailure, isWithoutPassword, toStorageError } from './postgres-fault.js'
import type { Statements } from './statements.js'

/**
 * The purpose of a connection. A `reader` cannot write. A `token` connection reads the change token; the server's settings decide
 * whether it could write, so that it shows when they forbid writing. A `migration` is a writer whose statements have no time limit.
 */
export type ConnectionKind = 'reader' | 'writer' | 'token' | 'migration'

export interface ConnectionSettings {
  readonly address: PostgresAddress
  readonly driver: PostgresDriver
  readonly statements: Statements
  readonly limits: ConnectionLimits
  /** Whether every write is refused. */
  readonly isReadOnly: boolean
  /** Whether an acknowledged write must survive a loss of power. */
  readonly isDurable: boolean
  /** The schema with the tables; null: the first of the server's `search_path`. */
  readonly schema: string | null
}

/** Properties of a server, read when a connection is opened. */
export interface ServerFacts {
  /** The schema of the tables; null when there is none. */
  readonly schema: string | null
  /** Whether the server's sessions cannot write, by `default_transaction_read_only`. */
  readonly isReadOnly: boolean
  /** Differs for two servers, for two starts of one, and after a standby was promoted. */
  readonly incarnation: string
}

export interface Connected {
  readonly connection: PostgresConnection
  readonly facts: ServerFacts
}

/** Milliseconds that opening the connection may take, and then preparing its session. */
const connectTimeout = 2000
/** Milliseconds that the token may take: it has a separate connection, so only the server delays it. */
const tokenTimeout = 2000

/**
 * Connects to the first host that is a primary, and sets what a session must have whatever the server's settings are.
 * @throws StorageError with the error of the first host that may accept a connection later, else of the last host.
 */
export async function connect(
  settings: ConnectionSettings,
  kind: ConnectionKind,
  onLost: (connection: PostgresConnection) => void,
): Promise<Connected> {
  const { hosts } = settings.address.server
  const failures: unknown[] = []
  for (const host of hosts) {
    try {
      return await connectTo(host, settings, kind, onLost)
    } catch (error) {
      failures.push(error)
    }
  }
  throw explained(failures.find(isTemporaryFailure) ?? failures.at(-1), settings.address)
}

async function connectTo(
  { host, port }: ServerHost,
  settings: ConnectionSettings,
  kind: ConnectionKind,
  onLost: (connection: PostgresConnection) => void,
): Promise<Connected> {
  const { address, driver, statements, limits } = settings
  const { keepAliveDelay } = limits
  const { server, tls, caFile } = address
  const client = new driver.Client({
    host,
    port,
    user: server.user ?? userInfo().username,
    password: (await passwordOf(server)) ?? undefined,
    database: server.database,
    ssl: host.startsWith('/') ? false : tlsOptions(tls, host, caFile),
    application_name: 'as-rest-route',
    keepAlive: keepAliveDelay > 0,
    keepAliveInitialDelayMillis: keepAliveDelay,
    pipeline: true,
  })
  // An error before the connection is open also rejects `connect`.
  client.on('error', () => undefined)
  const endConnecting = responseTimeout(connectTimeout, () => client.connection.stream.destroy(noResponse()))
  try {
    await client.connect()
  } finally {
    endConnecting()
  }
  let statementTimeout = limits.statementTimeout
  const silenceLimit = (count: number): number => (kind === 'token' ? tokenTimeout : count * statementTimeout + 5000)
  const connection = new PostgresConnection(
    client,
    statements,
    { silenceLimit, lifetime: lifetimeOfOne(limits) },
    onLost,
  )
  const endPreparing = responseTimeout(connectTimeout, () => connection.abandon())
  try {
    const facts = await prepared(connection, client, settings, kind)
    if (kind === 'migration') statementTimeout = Infinity
    return { connection, facts }
  } catch (error) {
    await connection.close()
    throw error
  } finally {
    endPreparing()
  }
}

const noResponse = (): Error =>
  Object.assign(new Error(`no response within ${connectTimeout} ms`), { code: 'ETIMEDOUT' })

/** Sets up the session, and refuses a server that cannot be used. */
async function prepared(
  connection: PostgresConnection,
  client: DriverClient,
  settings: ConnectionSettings,
  kind: ConnectionKind,
): Promise<ServerFacts> {
  // A pooler shares its sessions among clients: a prepared statement of this name may exist, and our settings must not stay.
  const [facts = []] = (await connection.runUnnamed(factsQuery)).rows
  requireUsableServer(facts, client.processID, settings.isReadOnly)
  const [, , , , , , mayReadControl, started, syncCommit, readsByDefault] = facts
  const parameters = sessionParameters(settings, kind)
  const calls = parameters.map(() => 'set_config(?, ?, false)').join(', ')
  const session = await connection.run(`SELECT ${calls}, current_schema()`, parameters.flat())
  if (isForWrites(kind) && settings.isDurable && syncCommit === 'off')
    await connection.run(`SELECT set_config('synchronous_commit', 'on', false)`)
  const control = mayReadControl === 1 ? (await connection.run(controlQuery)).rows[0] : undefined
  return {
    schema: (session.rows[0]?.at(-1) as string | null | undefined) ?? null,
    isReadOnly: readsByDefault === 'on',
    incarnation: [...(control ?? []), started].join('.'),
  }
}

/**
 * @param facts the row of `factsQuery`. @param processId the process of the server that the connection was opened with.
 * @param readsOnly whether a server whose sessions are read-only is accepted.
 * @throws StorageError `incompatible`; `read-only` for a standby.
 */
export function requireUsableServer(
  [version, versionText, encoding, inRecovery, pid, hasIcu, , , , readsByDefault]: SqlRow,
  processId: number | null,
  readsOnly: boolean,
): void {
  if (Number(version) < 150_000)
    throw new StorageError('incompatible', `The server is PostgreSQL ${versionText}. Version 15 or later is needed.`)
  if (processId !== pid)
    throw new StorageError(
      'incompatible',
      'The address leads to a connection pooler, such as PgBouncer, where settings and locks of a session do not hold. Give the address of PostgreSQL itself.',
    )
  if (inRecovery === 1)
    throw new StorageError(
      'read-only',
      'The server is a standby, which shows changes late and takes no writes. Give the address of the primary.',
      { cause: Object.assign(new Error('standby'), { code: 'standby' }) },
    )
  if (readsByDefault === 'on' && !readsOnly)
    throw new StorageError(
      'read-only',
      'The sessions of the server can read and not write: default_transaction_read_only is on. Switch it off for the server, the database and the user: ALTER SYSTEM, ALTER DATABASE, ALTER ROLE … RESET default_transaction_read_only.',
    )
  if (encoding !== 'UTF8')
    throw new StorageError('incompatible', `The database has the encoding ${encoding}. Create it with ENCODING 'UTF8'.`)
  if (hasIcu !== 1)
    throw new StorageError(
      'incompatible',
      'The server was built without ICU, which compares texts without case. Use one with ICU.',
    )
}

const isForWrites = (kind: ConnectionKind): boolean => kind === 'writer' || kind === 'migration'

/** In milliseconds; 0 for no limit. */
function statementTimeoutOf(kind: ConnectionKind, { statementTimeout }: ConnectionLimits): number {
  if (kind === 'token') return tokenTimeout
  return kind === 'migration' ? 0 : statementTimeout
}

/** The settings of a session, by their names. */
function sessionParameters(
  { schema, limits, isDurable, isReadOnly }: ConnectionSettings,
  kind: ConnectionKind,
): readonly (readonly [name: string, value: string])[] {
  const parameters: [name: string, value: string][] = [
    ['statement_timeout', String(statementTimeoutOf(kind, limits))],
    ['lock_timeout', String(limits.lockTimeout)],
    ['idle_in_transaction_session_timeout', String(limits.idleTransactionTimeout)],
    // No limit: a session that holds a lock is idle, and the pool closes idle connections itself.
    ['idle_session_timeout', '0'],
    ['default_transaction_isolation', 'read committed'],
    ['TimeZone', 'UTC'],
    ['jit', 'off'],
  ]
  // Planning a list takes as long as reading it. Statements are written so that the plan for any values is a good one.
  if (!isForWrites(kind)) parameters.push(['plan_cache_mode', 'force_generic_plan'])
  if (schema !== null) parameters.push(['search_path', `"${schema}"`])
  if (kind === 'reader' || isReadOnly) parameters.push(['default_transaction_read_only', 'on'])
  else if (!isDurable) parameters.push(['synchronous_commit', 'off'])
  return parameters
}

const factsQuery = `SELECT current_setting('server_version_num')::int, current_setting('server_version'),
  current_setting('server_encoding'), pg_is_in_recovery(), pg_backend_pid(),
  EXISTS (SELECT 1 FROM pg_catalog.pg_collation WHERE collname = 'und-x-icu'),
  has_function_privilege('pg_catalog.pg_control_system()', 'EXECUTE')
    AND has_function_privilege('pg_catalog.pg_control_checkpoint()', 'EXECUTE'),
  extract(epoch FROM pg_postmaster_start_time())::text, current_setting('synchronous_commit'),
  current_setting('default_transaction_read_only')`

/** Whether a session for the change token cannot write: on a standby, and by `default_transaction_read_only`. */
export const readOnlyQuery = `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on'`

const controlQuery = `SELECT system_identifier::text, timeline_id FROM pg_control_system(), pg_control_checkpoint()`

const unreachable = 'Is PostgreSQL running there, and can its port be reached?'

/** The error with the server that it is about, and what an administrator can do. */
function explained(error: unknown, { server, tls }: PostgresAddress): StorageError {
  const { fault, message } = toStorageError(error)
  const { user, database } = server
  const role = user ?? userInfo().username
  const remedies: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'Is PostgreSQL running there?',
    ENOENT: 'Is PostgreSQL running, and does its socket have this path?',
    ENOTFOUND: 'Correct the host of the address.',
    EAI_AGAIN: 'Correct the host of the address, or the name server of this machine.',
    EHOSTUNREACH: unreachable,
    ENETUNREACH: unreachable,
    ETIMEDOUT: unreachable,
    '28P01': `Correct the user or the password of the address, of DATABASE_PASSWORD or of the file DATABASE_PASSWORD_FILE.`,
    '28000': isUnusableRole(error)
      ? `Correct the user of the address, or run: CREATE ROLE "${role}" LOGIN, or ALTER ROLE "${role}" LOGIN`
      : `Allow this user and kind of connection in pg_hba.conf${tls === 'none' ? ', or ask for TLS by ?sslmode=verify-full' : ''}.`,
    '3D000': `Create it: CREATE DATABASE "${database}" ENCODING 'UTF8' TEMPLATE template0`,
    '42501': `Allow it: GRANT CONNECT ON DATABASE "${database}" TO "${role}"`,
  }
  const remedy = /does not support SSL/.test(message)
    ? 'Switch TLS on in the server, or write ?sslmode=disable where the network is trusted.'
    : error instanceof Error && isWithoutPassword(error)
      ? 'Set DATABASE_PASSWORD, or DATABASE_PASSWORD_FILE, or write the password into the address.'
      : /message from backend\./.test(message)
        ? 'The server does not speak the protocol of PostgreSQL. Addresses of MariaDB and MySQL begin with mariadb://.'
        : (remedies[codeOf(error)] ?? certificateRemedy(message, { ca: 'sslrootcert', chain: 'sslmode=verify-ca' }))
  return new StorageError(fault, `${shownAddress('postgres', server)}: ${message} ${remedy}`.trim(), {
    cause: error instanceof StorageError ? (error.cause ?? error) : error,
  })
}

/** Whether the role is missing or may not log in. Refusals by `pg_hba.conf` have the same code, but come from other functions of the server. */
function isUnusableRole(error: unknown): boolean {
  const cause = error instanceof StorageError ? error.cause : error
  return (cause as { readonly routine?: unknown } | null)?.routine === 'InitializeSessionUserId'
}
