import { StorageError, type StorageFault } from '../storage-error.js'

type Entry = readonly [fault: StorageFault, message: string]

/** SQLSTATE codes by kind of failure. */
const faults: ReadonlyMap<string, Entry> = new Map<string, Entry>([
  ['0LP01', ['unavailable', 'The user of the database lacks a right']],
  ['25006', ['read-only', 'The database can be read and not written']],
  ['25P02', ['transaction', 'The transaction has failed']],
  ['25P03', ['transaction', 'The transaction did nothing for too long, and was rolled back']],
  ['28000', ['unavailable', 'The server refuses the user or the kind of connection']],
  ['28P01', ['unavailable', 'The server refuses the password']],
  ['3D000', ['unavailable', 'The server has no such database']],
  ['3F000', ['unavailable', 'The database has no such schema']],
  ['40001', ['busy', 'Other writers changed the same rows']],
  ['40P01', ['busy', 'Writers waited for each other']],
  ['42501', ['unavailable', 'The user of the database lacks a right']],
  ['42P01', ['incompatible', 'The database lacks a table']],
  ['53100', ['full', 'The disk of the database is full: nothing was stored']],
  ['53300', ['unavailable', 'The server accepts no further connections']],
  ['55P03', ['busy', 'Another connection holds the rows']],
  ['57014', ['busy', 'The statement took too long']],
])

/** Classes of SQLSTATE codes: the first two characters. */
const classes: ReadonlyMap<string, Entry> = new Map<string, Entry>([
  ['08', ['unavailable', 'The connection to the database is lost']],
  ['22', ['constraint', 'The database refuses the value']],
  ['23', ['constraint', 'The database refuses the value']],
  ['53', ['unavailable', 'The server has not enough resources']],
  ['54', ['constraint', 'The database refuses the value, which is too long']],
  ['57', ['unavailable', 'The server ends the connection']],
  ['58', ['unavailable', 'The server cannot use its disk']],
])

/** The SQLSTATE code, or the code of Node for a connection; '' for another error. */
export function codeOf(error: unknown): string {
  const cause = error instanceof StorageError ? error.cause : error
  const { code } = (cause ?? {}) as { readonly code?: unknown }
  return typeof code === 'string' ? code : ''
}

/** Whether the error is a conflict with other writers. The work may succeed when it runs again from its beginning. */
export const isConflict = (error: unknown): boolean => ['40001', '40P01', '55P03'].includes(codeOf(error))

/** See `SqlDialect.isDuplicateKey`. */
export const isDuplicateKey = (error: unknown): boolean => codeOf(error) === '23505'

export const isDeadlock = (error: unknown): boolean => codeOf(error) === '40P01'

/** The conflict of work that does not wait for a name. */
export const nameInUse = (): StorageError =>
  new StorageError('busy', 'Another writer has locked the same name.', {
    cause: Object.assign(new Error('The lock is not available.'), { code: '55P03' }),
  })

/** Whether the statement was prepared before its tables changed, or the server has dropped it. */
export const isOfOldPlan = (error: unknown): boolean => ['0A000', '26000', '42P05'].includes(codeOf(error))

const lostCodes = new Set(['57P01', '57P02', '57P03', 'ECONNRESET', 'EPIPE', 'ECONNREFUSED', 'ETIMEDOUT', 'ENOENT'])

/** Whether the connection was lost or could not be opened. The driver gives some of these errors no code. */
export function isLostConnection(error: unknown): boolean {
  const code = codeOf(error)
  if (code !== '') return lostCodes.has(code) || code.startsWith('08')
  const cause = error instanceof StorageError ? error.cause : error
  return cause instanceof Error && /^(Connection terminated|Client has encountered)/.test(cause.message)
}

/** Whether a server may accept the connection later: it starts, restarts or fails over, or its name is not known yet. */
export function isTemporaryFailure(error: unknown): boolean {
  const code = codeOf(error)
  return isLostConnection(error) || ['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', '53300'].includes(code)
}

/** The error of the driver as a StorageError. A StorageError stays unchanged. */
export function toStorageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error
  const code = codeOf(error)
  const detail = error instanceof Error ? error.message || code : String(error)
  const [fault, message] = entryOf(code, error)
  return new StorageError(fault, `${message} (${detail}).`, { cause: error })
}

function entryOf(code: string, error: unknown): Entry {
  const isOfServer = /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('E')
  const entry = isOfServer ? (faults.get(code) ?? classes.get(code.slice(0, 2))) : undefined
  if (entry !== undefined) return entry
  if (isOfServer) return ['failed', 'The database failed']
  if (error instanceof Error && error.message.startsWith('SASL'))
    return [
      'unavailable',
      isWithoutPassword(error) ? 'The server asks for a password' : 'The server refuses the password',
    ]
  if (code !== '' || isLostConnection(error)) return ['unavailable', 'The database cannot be reached']
  return ['failed', 'The database failed']
}

/** Whether the server asked for a password where none is set. The driver has a sentence for it, and no code. */
export function isWithoutPassword({ message }: Error): boolean {
  return /^SASL: .*client password must be a (?:non-empty )?string/.test(message)
}

/**
 * The error of a write whose connection was lost before the server answered. The cause has no code of the driver, so that the
 * write is never repeated.
 */
export const unknownOutcome = (error: unknown): StorageError =>
  new StorageError(
    'unavailable',
    'The connection was lost while a write was committed: whether it is stored is unknown. Read the rows before they are written again.',
    { cause: new Error(toStorageError(error).message) },
  )

/**
 * The error when the server refuses a `BEGIN` alone, as when an administrator cancels it: each statement that was sent after it has
 * then run in its own transaction.
 * @param error of the `BEGIN`. @returns null for a lost connection, on which no later statement has run.
 */
export const refusedBegin = (error: unknown): StorageError | null =>
  isLostConnection(error)
    ? null
    : new StorageError(
        'unavailable',
        'The server has refused to begin a transaction: whether a write is stored is unknown. Read the rows before they are written again.',
        { cause: new Error(toStorageError(error).message) },
      )
