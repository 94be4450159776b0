import { userInfo } from 'node:os'
import { lifetimeOfOne, type ConnectionLimits } from '../server/connection-limits.js'
import { responseTimeout } from '../server/response-timeout.js'
import { shownAddress, type ServerHost } from '../server/server-address.js'
import { passwordOf } from '../server/server-password.js'
import { certificateRemedy, tlsOptions } from '../server/tls-options.js'
import { StorageError } from '../storage-error.js'
import type { MysqlAddress } from './mysql-address.js'
import { MysqlConnection } from './mysql-connection.js'
import type { DriverConnection, MysqlDriver } from './mysql-driver.js'
import { codeOf, isTemporaryFailure, numberOf, toStorageError } from './mysql-fault.js'
import { requireUsableServer, serverFacts, type OldestServers, type ServerFacts } from './server-facts.js'
import { sessionStatements, withoutRowLimit } from './session-settings.js'

export interface ConnectionSettings {
  readonly address: MysqlAddress
  readonly driver: MysqlDriver
  /** Whether a read-only server is accepted. */
  readonly isReadOnly: boolean
  readonly oldestServers: OldestServers
  readonly limits: ConnectionLimits
}

export interface Connected {
  readonly connection: MysqlConnection
  readonly facts: ServerFacts
}

/** Milliseconds until an attempt to connect fails. */
const connectTimeout = 2000
/** Maximum number of prepared statements of a connection. The server's limit is 16,382 for all of its connections. */
const maxPreparedStatements = 200

/**
 * Connects to the first host that takes writes, and sets what a session must have whatever the server's settings are.
 * @throws StorageError with the error of the first host that may accept a connection later, else of the last host. Its message has no
 *   password.
 */
export async function connect(
  settings: ConnectionSettings,
  onLost: (connection: MysqlConnection) => void,
): Promise<Connected> {
  const { address } = settings
  const failures: unknown[] = []
  for (const host of address.server.hosts) {
    try {
      return await connectTo(host, settings, onLost)
    } catch (error) {
      failures.push(error)
    }
  }
  throw explained(failures.find(isTemporaryFailure) ?? failures.at(-1), address)
}

async function connectTo(
  { host, port }: ServerHost,
  { address, driver, isReadOnly, oldestServers, limits }: ConnectionSettings,
  onLost: (connection: MysqlConnection) => void,
): Promise<Connected> {
  const { server, tls, caFile } = address
  const isSocket = host.startsWith('/')
  const ssl = isSocket ? false : tlsOptions(tls, host, caFile)
  const password = await passwordOf(server)
  const client = driver.createConnection({
    ...(isSocket ? { socketPath: host } : { host, port }),
    user: server.user ?? userInfo().username,
    password: password ?? '',
    database: server.database,
    ...(ssl !== false && { ssl }),
    charset: 'UTF8MB4_UNICODE_520_CI',
    // Its own limit ends with the connection of the socket: see `opened`.
    connectTimeout: 0,
    enableKeepAlive: limits.keepAliveDelay > 0,
    keepAliveInitialDelay: limits.keepAliveDelay,
    // With IGNORE_SPACE the names of functions would be reserved words. With LOCAL_FILES a server could request files of this machine.
    flags: ['-IGNORE_SPACE', '-LOCAL_FILES'],
    connectAttributes: { program_name: 'as-rest-route' },
    rowsAsArray: true,
    dateStrings: true,
    supportBigNumbers: true,
    jsonStrings: true,
    maxPreparedStatements,
  })
  await opened(client)
  const connection = new MysqlConnection(
    client,
    { lifetime: lifetimeOfOne(limits), maxSilence: maxSilenceOf(limits) },
    onLost,
  )
  const end = responseTimeout(connectTimeout, () => connection.abandon())
  try {
    await connection.run(withoutRowLimit)
    const { rows } = await connection.run(serverFacts.query)
    const facts = serverFacts.of(rows)
    requireUsableServer(facts, isReadOnly, oldestServers)
    for (const statement of sessionStatements(facts, limits)) await connection.run(statement)
    // A node that has left the cluster accepts the statements above, and refuses this one.
    if (facts.isGalera) await connection.run('SELECT 1')
    return { connection, facts }
  } catch (error) {
    await connection.close()
    throw error
  } finally {
    end()
  }
}

/** See `MysqlConnection.maxSilence`. The server ends a statement earlier, at its time limit. */
const maxSilenceOf = ({ statementTimeout }: ConnectionLimits): number =>
  statementTimeout === 0 ? Infinity : statementTimeout + 5000

/** Resolves when the server has accepted the user. */
function opened(client: DriverConnection): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = responseTimeout(connectTimeout, () => {
      client.destroy()
      reject(Object.assign(new Error(`no response within ${connectTimeout} ms`), { code: 'ETIMEDOUT' }))
    })
    client.on('connect', () => {
      end()
      resolve()
    })
    client.on('error', (error) => {
      end()
      reject(error)
    })
  })
}

const unreachable = 'Is the server there MariaDB or MySQL, and can its port be reached?'

/** The error with the server that it is about, and what an administrator can do. */
function explained(error: unknown, { server, tls }: MysqlAddress): StorageError {
  const { fault, message } = toStorageError(error)
  const { database, user } = server
  const account = `'${user ?? userInfo().username}'@'…'`
  const remedies: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'Is the server running there?',
    ETIMEDOUT: unreachable,
    EHOSTUNREACH: unreachable,
    ENETUNREACH: unreachable,
    ENOENT: 'Is the server running, and does its socket have this path?',
    ENOTFOUND: 'Correct the host of the address.',
    EAI_AGAIN: 'Correct the host of the address, or the name server of this machine.',
    1045: 'Correct the user or the password: of the address, of DATABASE_PASSWORD or of the file DATABASE_PASSWORD_FILE.',
    1698: 'Correct the user or the password: of the address, of DATABASE_PASSWORD or of the file DATABASE_PASSWORD_FILE.',
    1049: `Create it: CREATE DATABASE \`${database}\` CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci`,
    HANDSHAKE_NO_SSL_SUPPORT: 'Switch TLS on in the server, or leave ssl-mode out where the network is trusted.',
    1130: `Allow it: CREATE USER ${account} for the address of this machine.`,
    3159: `Ask for TLS: ?ssl-mode=${tls === 'none' ? 'verify_identity' : 'required'}`,
  }
  const remedy =
    remedies[String(numberOf(error) || codeOf(error))] ??
    certificateRemedy(message, { ca: 'ssl-ca', chain: 'ssl-mode=verify_ca' })
  return new StorageError(fault, `${shownAddress('mariadb', server)}: ${message} ${remedy}`.trim(), {
    cause: error instanceof StorageError ? (error.cause ?? error) : error,
  })
}
