import type { ResponseErrorCode } from '../base/response-errors.js'
import { randomUUID } from 'node:crypto'
import { isUtf8 } from '../php/text.js'
import { isLonger } from '../php/text-length.js'
import { setTimeout as sleep } from 'node:timers/promises'
import { serialize, unserialize } from '../php/serialize.js'
import { RejectedError } from '../http/rejected-error.js'
import type { Storage } from '../database/storage.js'
import { changeMetadata, type Change } from './change-metadata.js'
import { equalInConstantTime } from './constant-time.js'
import { hashOfApplicationPassword, hashPrefix } from './application-password-hash.js'
import type { PasswordHasher } from './password-hash.js'
import { randomText } from './random-text.js'

/** An application password as it is stored, key by key in this order. Times are unix seconds. */
export interface ApplicationPassword {
  readonly uuid: string
  /** UUID of the application, or `''`. */
  readonly app_id: string
  readonly name: string
  /** The hash: `$generic$…`; older kinds in old databases. */
  readonly password: string
  readonly created: number
  readonly last_used: number | null
  readonly last_ip: string | null
}

/** The key of the user metadata that holds the list. */
export const applicationPasswordsKey = '_application_passwords'

/** The option that is `1` once a user has had an application password. Before that, credentials are ignored. */
const inUseOption = 'using_application_passwords'

const passwordLength = 24

/** In characters. WordPress has no longest name; all names of a user lie in one row that each use of a password reads. */
export const maxApplicationNameLength = 255

/** Of one user: each change writes all of them, and each use after a change reads all of them. */
export const maxPasswords = 200

/**
 * The reason why an application password cannot be created or renamed. Unless a handler catches it, the caller gets its
 * message with the status 400.
 */
export class ApplicationPasswordRejectedError extends RejectedError {
  override readonly name = 'ApplicationPasswordRejectedError'

  constructor(readonly code: keyof typeof rejections) {
    super(rejections[code])
  }
}

/** The result of a promise, or its rejection as a value. */
export function orRejection<T>(made: Promise<T>): Promise<T | ApplicationPasswordRejectedError> {
  return made.catch((error: unknown) => {
    if (error instanceof ApplicationPasswordRejectedError) return error
    throw error
  })
}

const rejections = {
  application_password_not_text:
    'The name of an application password, and the id of its application, must be valid text.',
  application_password_name_too_long: `The name of an application password has at most ${maxApplicationNameLength} characters.`,
  invalid_user_id: 'Invalid user ID.',
  too_many_application_passwords: `A user has at most ${maxPasswords} application passwords. Revoke one that is no longer used.`,
} satisfies Partial<Record<ResponseErrorCode, string>>

/** Seconds between two notes of a password's last use: one write a day. */
const notedEvery = 86_400

/** How long a request waits for such a write, in milliseconds. The write itself may wait longer for a lock. */
const notePatience = 100

/** The letters and digits of a sent password. Other characters are for readability. */
export function normalizedApplicationPassword(password: string): string {
  return password.replaceAll(/[^A-Za-z0-9]/g, '')
}

/** For people to read: groups of four with spaces between. */
export function inGroupsOfFour(password: string): string {
  return (normalizedApplicationPassword(password).match(/.{1,4}/g) ?? []).join(' ')
}

/** The list in the text of a metadata row; empty for a damaged text. */
export function parseApplicationPasswords(stored: string | null): readonly ApplicationPassword[] {
  const list = stored === null ? undefined : unserialize(stored)
  if (typeof list !== 'object' || list === null) return []
  // Deleting leaves gaps in the keys of WordPress's list, so it may be a map.
  return Object.values(list).flatMap((entry: unknown) => applicationPasswordIn(entry) ?? [])
}

/**
 * The one of these that a password belongs to, letter for letter; at once, without a promise, when its hash is of today's
 * kind.
 *
 * @param hasher for the slow hashes of old databases. @throws HasherBusyError when it is overloaded.
 */
export function matchingApplicationPassword(
  passwords: readonly ApplicationPassword[],
  given: string,
  hasher: PasswordHasher,
): ApplicationPassword | Promise<ApplicationPassword | null> {
  const hash = hashOfApplicationPassword(given)
  const found = passwords.find(({ password }) => equalInConstantTime(password, hash))
  return found ?? matchingOldPassword(passwords, given, hasher)
}

async function matchingOldPassword(
  passwords: readonly ApplicationPassword[],
  given: string,
  hasher: PasswordHasher,
): Promise<ApplicationPassword | null> {
  for (const item of passwords) {
    if (item.password.startsWith(hashPrefix)) continue
    if (await hasher.verify(given, item.password)) return item
  }
  return null
}

/** Checks the name, or the id of the application. @throws ApplicationPasswordRejectedError */
function checkTexts(name: string, appId = ''): void {
  // The list is stored with the length of each text. A text that the database changed would make it unreadable.
  if (!isUtf8(name) || !isUtf8(appId)) throw new ApplicationPasswordRejectedError('application_password_not_text')
  if (isLonger(name, maxApplicationNameLength))
    throw new ApplicationPasswordRejectedError('application_password_name_too_long')
}

/** The application passwords of users. Concurrent changes, also of several processes, do not overwrite each other. */
export class ApplicationPasswords {
  readonly #storage: Storage
  readonly #now: () => number
  readonly #onLostNote: (error: unknown) => void
  #known = false
  /** The passwords whose last use is being written, by UUID. */
  readonly #noting = new Set<string>()
  #losesNotes = false

  /**
   * @param clock milliseconds since 1970.
   * @param onLostNote called when the last use cannot be written, and again only after it could be written.
   */
  constructor(storage: Storage, clock: () => number, onLostNote: (error: unknown) => void = () => {}) {
    this.#storage = storage
    this.#onLostNote = onLostNote
    this.#now = () => Math.floor(clock() / 1000)
  }

  /** Whether any user has ever had one. Once true, it is not read again. */
  inUse(): true | Promise<boolean> {
    return this.#known || this.#askWhetherInUse()
  }

  /**
   * @returns the new password, 24 letters and digits that are stored nowhere, and its entry.
   * @throws ApplicationPasswordRejectedError
   */
  async create(
    userId: number,
    { name, appId = '' }: { name: string; appId?: string },
  ): Promise<{ readonly password: string; readonly item: ApplicationPassword }> {
    checkTexts(name, appId)
    const password = randomText(passwordLength)
    const item: ApplicationPassword = {
      uuid: randomUUID(),
      app_id: appId,
      name,
      password: hashOfApplicationPassword(password),
      created: this.#now(),
      last_used: null,
      last_ip: null,
    }
    const isMarked = await this.inUse()
    await this.#storage.write(async (storage) => {
      // The user may be deleted meanwhile, and a new user may get the id. The password must not belong to that user.
      if ((await storage.users.find({ id: userId })) === null)
        throw new ApplicationPasswordRejectedError('invalid_user_id')
      await changeList(storage, userId, (list) => {
        if (list.length >= maxPasswords) throw new ApplicationPasswordRejectedError('too_many_application_passwords')
        return { list: [...list, item], result: undefined }
      })
      if (!isMarked) await storage.options.write(inUseOption, '1')
    })
    return { password, item }
  }

  /** Oldest first. */
  async list(userId: number): Promise<readonly ApplicationPassword[]> {
    const [stored = null] = await this.#storage.users.meta.read(userId, applicationPasswordsKey)
    return parseApplicationPasswords(stored)
  }

  async find(userId: number, uuid: string): Promise<ApplicationPassword | null> {
    return (await this.list(userId)).find((item) => item.uuid === uuid) ?? null
  }

  /** @returns the entry as it is now; null when there is none. @throws ApplicationPasswordRejectedError */
  async rename(userId: number, uuid: string, name: string): Promise<ApplicationPassword | null> {
    checkTexts(name)
    return this.#changeOne(userId, uuid, (item) => ({ ...item, name }))
  }

  /** @returns the entry that was; null when there was none. */
  revoke(userId: number, uuid: string): Promise<ApplicationPassword | null> {
    return this.#change(userId, (list) => ({
      list: list.filter((item) => item.uuid !== uuid),
      result: list.find((item) => item.uuid === uuid) ?? null,
    }))
  }

  /** @returns the number of deleted passwords. */
  revokeAll(userId: number): Promise<number> {
    return this.#change(userId, (list) => ({ list: [], result: list.length }))
  }

  /**
   * Writes the last use of a password, once a day. A failure is ignored: it must not fail a request, which may only read.
   * @returns null when it is written already, or is being written.
   */
  recordUse(userId: number, item: ApplicationPassword, address: string): Promise<unknown> | null {
    const now = this.#now()
    const isDue = ({ last_used }: ApplicationPassword) => last_used === null || last_used + notedEvery <= now
    if (!isDue(item) || this.#noting.has(item.uuid)) return null
    this.#noting.add(item.uuid)
    const note = this.#changeOne(userId, item.uuid, (current) =>
      isDue(current) ? { ...current, last_used: now, last_ip: address } : current,
    )
    return Promise.race([this.#noted(note, item.uuid), sleep(notePatience, null, { ref: false })])
  }

  async #noted(note: Promise<unknown>, uuid: string): Promise<void> {
    try {
      await note
      this.#losesNotes = false
    } catch (error) {
      if (!this.#losesNotes) this.#onLostNote(error)
      this.#losesNotes = true
    } finally {
      this.#noting.delete(uuid)
    }
  }

  async #askWhetherInUse(): Promise<boolean> {
    const isInUse = (await this.#storage.options.read(inUseOption)) === '1'
    this.#known ||= isInUse
    return isInUse
  }

  #changeOne(
    userId: number,
    uuid: string,
    change: (item: ApplicationPassword) => ApplicationPassword,
  ): Promise<ApplicationPassword | null> {
    return this.#change(userId, (list) => {
      const changed = list.map((item) => (item.uuid === uuid ? change(item) : item))
      return { list: changed, result: changed.find((item) => item.uuid === uuid) ?? null }
    })
  }

  #change<Result>(userId: number, change: ListChange<Result>): Promise<Result> {
    return changeList(this.#storage, userId, change)
  }
}

type ListChange<Result> = (list: readonly ApplicationPassword[]) => {
  readonly list: readonly ApplicationPassword[]
  readonly result: Result
}

function changeList<Result>({ users }: Storage, userId: number, change: ListChange<Result>): Promise<Result> {
  return changeMetadata(users.meta, userId, applicationPasswordsKey, (stored): Change<Result> => {
    const before = parseApplicationPasswords(stored)
    const { list, result } = change(before)
    const unchanged = list.length === before.length && list.every((item, index) => item === before[index])
    return unchanged ? { result } : { value: serialize(list), result }
  })
}

function applicationPasswordIn(entry: unknown): ApplicationPassword | null {
  if (typeof entry !== 'object' || entry === null) return null
  const { uuid, app_id, name, password, created, last_used, last_ip, ...others } = entry as Record<string, unknown>
  if (typeof uuid !== 'string' || typeof password !== 'string') return null
  return {
    uuid,
    app_id: typeof app_id === 'string' ? app_id : '',
    name: typeof name === 'string' ? name : '',
    password,
    created: typeof created === 'number' ? created : 0,
    last_used: typeof last_used === 'number' ? last_used : null,
    last_ip: typeof last_ip === 'string' ? last_ip : null,
    // Members that plugins have added stay.
    ...others,
  }
}
