import { StorageError, type StorageFault } from '../storage-error.js'

type Entry = readonly [fault: StorageFault, message: string]

/** Error numbers of MariaDB and MySQL by kind of failure. Every other number is `failed`. */
const faults: ReadonlyMap<number, Entry> = new Map<number, Entry>([
  ...[1040, 1203, 1226].map((number): [number, Entry] => [
    number,
    ['unavailable', 'The server accepts no further connections'],
  ]),
  [1044, ['unavailable', 'The user may not use this database']],
  [1045, ['unavailable', 'The server refuses the user or the password']],
  [1698, ['unavailable', 'The server refuses the user or the password']],
  [1049, ['unavailable', 'The server has no such database']],
  [1130, ['unavailable', 'The server accepts no connections from this host']],
  [1251, ['unavailable', 'The server asks for a way of authentication that the driver does not know']],
  ...[1142, 1143, 1227, 1370, 1419].map((number): [number, Entry] => [
    number,
    ['unavailable', 'The user of the database lacks a right'],
  ]),
  ...[1146, 1932].map((number): [number, Entry] => [number, ['incompatible', 'The database lacks a table']]),
  [1054, ['incompatible', 'The database lacks a column']],
  ...[1021, 1114].map((number): [number, Entry] => [
    number,
    ['full', 'The disk of the database is full: nothing was stored'],
  ]),
  ...[1290, 1792, 1836].map((number): [number, Entry] => [number, ['read-only', 'The server takes no writes']]),
  ...[1213, 1205, 1412, 1467].map((number): [number, Entry] => [
    number,
    ['busy', 'Other writers changed the same rows'],
  ]),
  ...[1969, 3024].map((number): [number, Entry] => [number, ['busy', 'The statement took too long']]),
  // Galera: the node is not part of the cluster, or is being synchronised.
  [1047, ['unavailable', 'The server is not ready for statements']],
  [1053, ['unavailable', 'The server is shutting down']],
  [1153, ['constraint', 'The statement is longer than max_allowed_packet of the server']],
  ...[1048, 1062, 1169, 1264, 1265, 1292, 1366, 1406, 1451, 1452, 3819, 4025].map((number): [number, Entry] => [
    number,
    ['constraint', 'The database refuses the value'],
  ]),
])

/**
 * Error numbers after which the connection does not exist any more, because it was killed or the server ends, or cannot be used,
 * because the node has left its Galera cluster (1047).
 */
const lostNumbers = new Set([1047, 1053, 1077, 1079, 1080, 1152, 1184, 1927, 3032, 4031])
const lostCodes = new Set([
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'PROTOCOL_UNEXPECTED_PACKET',
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
])

interface DriverError {
  readonly code?: unknown
  readonly errno?: unknown
}

/** The error of the driver: the cause of a StorageError, else the error itself. */
const driverError = (error: unknown): DriverError =>
  ((error instanceof StorageError ? error.cause : error) ?? {}) as DriverError

/** The number of the server's error; 0 for another error. Numbers of Node's errors are negative. */
export function numberOf(error: unknown): number {
  const { errno } = driverError(error)
  return typeof errno === 'number' && errno > 0 ? errno : 0
}

/** The code of Node or of the driver; '' without one. */
export function codeOf(error: unknown): string {
  const { code } = driverError(error)
  return typeof code === 'string' ? code : ''
}

/**
 * Whether the error is a conflict with other writers: a deadlock, a lock that was not free in time, or a failed certification of
 * Galera, which has the number of a deadlock. A deadlock about the next automatic id, which an `INSERT … SELECT` holds to its
 * end, has another number. The work may succeed when it runs again from its beginning.
 */
export const isConflict = (error: unknown): boolean =>
  [1213, 1205, 1467].includes(numberOf(error)) || isLostSavepoint(error)

/**
 * Whether the savepoint does not exist any more, because the server has rolled back its transaction: see `MysqlTransaction`. A
 * missing procedure or function has the same number.
 */
const isLostSavepoint = (error: unknown): boolean =>
  numberOf(error) === 1305 && /\bSAVEPOINT\b/.test((error as Error).message)

/** The column or the index exists: see `SqlDialect.isRepeatedStatement`. */
export const isRepeatedStatement = (error: unknown): boolean => [1060, 1061].includes(numberOf(error))

/** See `SqlDialect.isDuplicateKey`. */
export const isDuplicateKey = (error: unknown): boolean => numberOf(error) === 1062

/**
 * The name of the trigger that the server keeps as faulty; null for other errors. MariaDB does so when a conflict with another node
 * of a Galera cluster ends the session that reads the triggers of a table. It then refuses all writes to the table until it opens
 * the table again.
 */
export const unreadTrigger = (error: unknown): string | null =>
  [1064, 1065].includes(numberOf(error))
    ? (/\btrigger '?([^'\s]+)'? has an error in its body/i.exec((error as Error).message)?.[1] ?? null)
    : null

/**
 * Whether the server has dropped the prepared statement, or a migration has changed its tables. A statement that was run while
 * MariaDB kept a trigger as faulty also fails from then on, because it finds no table of the trigger.
 */
export const isOfOldPlan = (error: unknown): boolean => [1243, 1615, 1146].includes(numberOf(error))

/** Whether the connection was lost or could not be opened. */
export const isLostConnection = (error: unknown): boolean =>
  lostNumbers.has(numberOf(error)) || lostCodes.has(codeOf(error))

/** Whether a node that has left its Galera cluster has refused the statement, and run nothing of it. */
export const isRefusedByNode = (error: unknown): boolean => numberOf(error) === 1047

/** Whether a server may accept the connection later: it starts, restarts or fails over, or its name is not known yet. */
export const isTemporaryFailure = (error: unknown): boolean =>
  isLostConnection(error) ||
  [1040, 1047, 1203].includes(numberOf(error)) ||
  ['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].includes(codeOf(error))

/** The error of the driver as a StorageError. A StorageError stays unchanged. */
export function toStorageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error
  const detail = error instanceof Error ? error.message || codeOf(error) : String(error)
  const [fault, message] = entryOf(error)
  return new StorageError(fault, `${message} (${detail}).`, { cause: error })
}

function entryOf(error: unknown): Entry {
  const entry = faults.get(numberOf(error))
  if (entry !== undefined) return entry
  if (isLostSavepoint(error)) return ['busy', 'Other writers changed the same rows']
  if (isLostConnection(error)) return ['unavailable', 'The connection to the database is lost']
  if (numberOf(error) === 0 && codeOf(error) !== '') return ['unavailable', 'The database cannot be reached']
  return ['failed', 'The database failed']
}
