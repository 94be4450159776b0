import type { ResponseErrorCode } from '../base/response-errors.js'
import { unixTime } from './unix-time.js'
import { randomUUID } from 'node:crypto'
import { byteLength, isUtf8 } from '../php/text.js'
import { setTimeout as sleep } from 'node:timers/promises'
import { serialize } from '../php/serialize.js'
import { toBoolean } from '../php/cast.js'
import { RejectedError } from '../http/rejected-error.js'
import { lockName } from '../database/lock-name.js'
import type { Storage } from '../database/storage.js'
import { storedApplicationName } from '../sanitizers/user-texts.js'
import { scopesFault } from './scopes.js'
import { hashOfApplicationPassword, limitedHash } from './application-password-hash.js'
import { randomText } from './random-text.js'
import {
  applicationPasswordsKey,
  changeList,
  deleteList,
  parseApplicationPasswords,
  type ApplicationPassword,
  type ListChange,
} from './stored-application-passwords.js'

/** A new application password. */
export interface NewApplicationPassword {
  /** Stored as one line without tags. */
  readonly name: string
  /** UUID of the application. Default `''`. */
  readonly appId?: string
  /**
   * The requests it may be used for: paths below the REST prefix, in which `*` stands for any text, with or without methods:
   * `['GET /shop/v1/products*', '/shop/v1/orders*']`. Default: everything that its user may do.
   */
  readonly scopes?: readonly string[]
  /** When it ends. Default: never. */
  readonly expires?: Date
}

/** The other programs that use the database, and so accept the same application passwords. */
export interface OtherPrograms {
  /** Whether the other programs obey scopes and expiry, as of their last response. */
  readonly obeyLimits: boolean
  /** Asks the other programs whether they obey scopes and expiry. */
  askForLimits(): Promise<boolean>
}

/**
 * The option that is `1` when any user has ever had an application password. Until then Basic credentials are ignored.
 */
const inUseOption = 'using_application_passwords'

/** Length of a new password, in characters. */
const passwordLength = 24

/** Maximum length of a name in the forms of the pages, in characters. REST accepts any length that fits into {@link maxListBytes}, as WordPress does. */
export const maxApplicationNameLength = 255

/**
 * Maximum size of the stored text of all application passwords of a user, in bytes. They are in one row, which each use of
 * a password reads, and WordPress limits no name.
 */
const maxListBytes = 262_144

/** Maximum number for each user. Each change writes all passwords of the user, and each use after a change reads all of them. */
export const maxPasswords = 200

/**
 * An application password cannot be created or renamed with these values. The status of the response is 400 unless the
 * handler catches the error; clients receive the message.
 */
export class ApplicationPasswordRejectedError extends RejectedError {
  override readonly name = 'ApplicationPasswordRejectedError'

  constructor(readonly code: keyof typeof rejections) {
    super(rejections[code])
  }
}

/** The result of `promise`, or the rejection as a value, for pages that show its message. */
export function orRejection<T>(promise: Promise<T>): Promise<T | ApplicationPasswordRejectedError> {
  return promise.catch((error: unknown) => {
    if (error instanceof ApplicationPasswordRejectedError) return error
    throw error
  })
}

const rejections = {
  application_password_empty_name: 'An application name is required to create an application password.',
  application_password_not_text:
    'The name of an application password, and the id of its application, must be valid text.',
  application_password_name_too_long: `The application passwords of a user, with their names, have at most ${maxListBytes} bytes together.`,
  application_password_scopes_invalid:
    'Scopes are at most 50 paths that begin with /, with or without methods (GET, POST, PUT, PATCH, DELETE) before them: GET /shop/v1/products*',
  application_password_expires_invalid:
    'The end of an application password must be a date in the future, such as 2027-01-31.',
  application_password_limits_unsupported:
    'At a WordPress site, an application password has scopes or an expiry only with the companion plugin, by which PHP obeys them. The plugin has not confirmed that it does.',
  invalid_user_id: 'Invalid user ID.',
  too_many_application_passwords: `A user has at most ${maxPasswords} application passwords. Revoke one that is no longer used.`,
} satisfies Partial<Record<ResponseErrorCode, string>>

/** Seconds between two records of a password's last use, so that a password causes one write a day. */
const useInterval = 86_400

/**
 * Milliseconds that a request waits for the record of a use. The write may take longer when another program locks the
 * database.
 */
const recordTimeout = 100

/** The letters and digits of a password. Users and programs may send it with spaces between its groups. */
export function normalizedApplicationPassword(password: string): string {
  return password.replaceAll(/[^A-Za-z0-9]/g, '')
}

/** The password in groups of four characters with spaces between them, which is easier to read. */
export function inGroupsOfFour(password: string): string {
  return (normalizedApplicationPassword(password).match(/.{1,4}/g) ?? []).join(' ')
}

/** @throws ApplicationPasswordRejectedError for a name or application id that cannot be stored. */
function checkTexts(name: string, appId = ''): void {
  // The serialised list contains the length of each text. A database alters text that is not well-formed, and the list
  // would become unreadable.
  if (!isUtf8(name) || !isUtf8(appId)) throw new ApplicationPasswordRejectedError('application_password_not_text')
}

/** The same list. @throws ApplicationPasswordRejectedError when its stored text is longer than {@link maxListBytes}. */
function withinMaxSize(list: readonly ApplicationPassword[]): readonly ApplicationPassword[] {
  if (byteLength(serialize(list)) <= maxListBytes) return list
  throw new ApplicationPasswordRejectedError('application_password_name_too_long')
}

/** The application passwords of users. Concurrent changes, also of several processes, do not overwrite each other. */
export class ApplicationPasswords {
  readonly #storage: Storage
  readonly #now: () => number
  readonly #onUnrecordedUse: (error: unknown) => void
  readonly #hashOf: (password: string) => string | Promise<string>
  readonly #otherPrograms: OtherPrograms | null
  readonly #isInTransaction: () => boolean
  /** True once the database has said so. The value never changes back. */
  #isInUse = false
  /** UUIDs of the passwords whose use is being recorded. */
  readonly #recording = new Set<string>()
  /** Whether the last record of a use has failed. */
  #hasFailed = false

  /**
   * @param clock milliseconds since 1970.
   * @param options `onUnrecordedUse` is called when the record of a use cannot be written, once until a record succeeds
   *   again. `hashOf` makes the hashes of new passwords; default: those of the current format. `otherPrograms`: null where only
   *   this program uses the database. `isInTransaction` says whether the calls of `storage` take part in a transaction, which
   *   may be undone; default: they never do.
   */
  constructor(
    storage: Storage,
    clock: () => number,
    {
      onUnrecordedUse = () => {},
      hashOf = hashOfApplicationPassword,
      otherPrograms = null,
      isInTransaction = () => false,
    }: {
      readonly onUnrecordedUse?: (error: unknown) => void
      readonly hashOf?: (password: string) => string | Promise<string>
      readonly otherPrograms?: OtherPrograms | null
      readonly isInTransaction?: () => boolean
    } = {},
  ) {
    this.#storage = storage
    this.#onUnrecordedUse = onUnrecordedUse
    this.#hashOf = hashOf
    this.#otherPrograms = otherPrograms
    this.#isInTransaction = isInTransaction
    this.#now = () => unixTime(clock)
  }

  /** Whether a password may have scopes and an expiry, as far as it is known. `create` asks other programs first. */
  get takesLimits(): boolean {
    return this.#otherPrograms?.obeyLimits ?? true
  }

  /** Whether any user has ever had an application password. After the first `true` the database is not read again. */
  inUse(): true | Promise<boolean> {
    return this.#isInUse || this.#readInUse()
  }

  /**
   * Creates an application password.
   * @returns the password, 24 letters and digits, of which only the hash is stored, and its entry.
   * @throws ApplicationPasswordRejectedError for an invalid name, scope or end, an unknown user, or a user with the maximum of
   *   passwords.
   */
  async create(
    userId: number,
    { name, appId = '', scopes, expires }: NewApplicationPassword,
  ): Promise<{ readonly password: string; readonly item: ApplicationPassword }> {
    checkTexts(name, appId)
    const storedName = storedApplicationName(name)
    if (!toBoolean(storedName)) throw new ApplicationPasswordRejectedError('application_password_empty_name')
    const limits = this.#limits(scopes, expires)
    const isLimited = Object.keys(limits).length > 0
    if (isLimited && (await this.#otherPrograms?.askForLimits()) === false)
      throw new ApplicationPasswordRejectedError('application_password_limits_unsupported')
    const password = randomText(passwordLength)
    const hash = await this.#hashOf(password)
    const item: ApplicationPassword = {
      uuid: randomUUID(),
      app_id: appId,
      name: storedName,
      password: isLimited && this.#otherPrograms !== null ? limitedHash(hash) : hash,
      created: this.#now(),
      last_used: null,
      last_ip: null,
      ...limits,
    }
    const isInUse = await this.inUse()
    await this.#storage.write(async (storage) => {
      await storage.lock([lockName('user', userId)])
      // The user may have been deleted. A new user with the same id would otherwise get this password.
      if ((await storage.users.find({ id: userId })) === null)
        throw new ApplicationPasswordRejectedError('invalid_user_id')
      await changeList(storage, userId, (list) => {
        if (list.length >= maxPasswords) throw new ApplicationPasswordRejectedError('too_many_application_passwords')
        return { list: withinMaxSize([...list, item]), result: undefined }
      })
      if (!isInUse) await storage.options.write(inUseOption, '1', false)
    })
    return { password, item }
  }

  /** Whether a password has expired. */
  hasExpired({ expires = null }: ApplicationPassword): boolean {
    return expires !== null && expires <= this.#now()
  }

  /** The application passwords of a user, oldest first. */
  async list(userId: number): Promise<readonly ApplicationPassword[]> {
    const [text = null] = await this.#storage.users.meta.read(userId, applicationPasswordsKey)
    return parseApplicationPasswords(text)
  }

  async find(userId: number, uuid: string): Promise<ApplicationPassword | null> {
    return (await this.list(userId)).find((item) => item.uuid === uuid) ?? null
  }

  /**
   * @param name without effect where sanitising leaves nothing of it, as in WordPress.
   * @returns the entry; null when there is none. @throws ApplicationPasswordRejectedError for an invalid name.
   */
  async rename(userId: number, uuid: string, name: string): Promise<ApplicationPassword | null> {
    checkTexts(name)
    const newName = storedApplicationName(name)
    return this.#change(userId, (list) => {
      const current = list.find((item) => item.uuid === uuid)
      if (!current || current.name === newName || !toBoolean(newName)) return { list, result: current ?? null }
      const renamed = { ...current, name: newName }
      return { list: withinMaxSize(list.map((item) => (item === current ? renamed : item))), result: renamed }
    })
  }

  /** @returns the removed entry; null when there is none. */
  revoke(userId: number, uuid: string): Promise<ApplicationPassword | null> {
    return this.#change(userId, (list) => ({
      list: list.filter((item) => item.uuid !== uuid),
      result: list.find((item) => item.uuid === uuid) ?? null,
    }))
  }

  /** @returns the number of removed entries. */
  revokeAll(userId: number): Promise<number> {
    return deleteList(this.#storage, userId)
  }

  /**
   * Records time and address of a use, at most once in 24 hours. A failure to write the record does not fail the
   * request, which may be one that only reads.
   * @returns a promise that settles after the write, or after 100 ms; null when no record is due or one is being
   *   written.
   */
  recordUse(userId: number, item: ApplicationPassword, address: string): Promise<unknown> | null {
    const now = this.#now()
    const isDue = ({ last_used }: ApplicationPassword) => last_used === null || last_used + useInterval <= now
    if (!isDue(item) || this.#recording.has(item.uuid)) return null
    this.#recording.add(item.uuid)
    const record = this.#changeOne(userId, item.uuid, (current) =>
      isDue(current) ? { ...current, last_used: now, last_ip: address } : current,
    )
    return Promise.race([this.#reportFailure(record, item.uuid), sleep(recordTimeout, null, { ref: false })])
  }

  /** @throws ApplicationPasswordRejectedError */
  #limits(
    scopes: readonly string[] | undefined,
    expires: Date | undefined,
  ): Pick<ApplicationPassword, 'scopes' | 'expires'> {
    const limits = {
      ...(scopes !== undefined && { scopes: [...scopes] }),
      ...(expires !== undefined && { expires: Math.floor(expires.getTime() / 1000) }),
    }
    if (scopes !== undefined && scopesFault(scopes) !== null)
      throw new ApplicationPasswordRejectedError('application_password_scopes_invalid')
    if (expires !== undefined && !((limits.expires ?? 0) > this.#now()))
      throw new ApplicationPasswordRejectedError('application_password_expires_invalid')
    return limits
  }

  /** Waits for the record of a use, and reports its failure. */
  async #reportFailure(record: Promise<unknown>, uuid: string): Promise<void> {
    try {
      await record
      this.#hasFailed = false
    } catch (error) {
      if (!this.#hasFailed) this.#onUnrecordedUse(error)
      this.#hasFailed = true
    } finally {
      this.#recording.delete(uuid)
    }
  }

  async #readInUse(): Promise<boolean> {
    const isInUse = (await this.#storage.options.read(inUseOption)) === '1'
    if (!this.#isInTransaction()) this.#isInUse ||= isInUse
    return isInUse
  }

  #changeOne(
    userId: number,
    uuid: string,
    change: (item: ApplicationPassword) => ApplicationPassword,
  ): Promise<ApplicationPassword | null> {
    return this.#change(userId, (list) => {
      const newList = list.map((item) => (item.uuid === uuid ? change(item) : item))
      return { list: newList, result: newList.find((item) => item.uuid === uuid) ?? null }
    })
  }

  #change<Result>(userId: number, change: ListChange<Result>): Promise<Result> {
    return changeList(this.#storage, userId, change)
  }
}
