import { createHash } from 'node:crypto'
import { encodeText } from '../php/text.js'
import { serialize, unserialize } from '../php/serialize.js'
import type { Storage } from '../database/storage.js'
import { changeMetadata } from './change-metadata.js'
import { randomText } from './random-text.js'

/** One login that may still be in use, as it is stored. Times are unix seconds. */
export interface Session {
  readonly expiration: number
  readonly ip?: string
  readonly ua?: string
  readonly login?: number
}

/** By verifier: SHA-256 of the session's token, in hexadecimal. No cookie can be made from the content of the database. */
export type StoredSessions = ReadonlyMap<string, Session>

/** The key of the user metadata that holds the sessions. */
export const sessionsKey = 'session_tokens'

const tokenLength = 43

/** Maximum number of sessions of one user. Those that end first are dropped, so that logins cannot fill the database. */
const maxSessions = 200

const maxUserAgentLength = 512

/** Under which a token is stored. */
export function verifierOf(token: string): string {
  return createHash('sha256').update(encodeText(token)).digest('hex')
}

/** The sessions in the text of a metadata row, expired ones included; none in a damaged text. */
// Rules: docs/wire.md#sessions.
export function parseSessions(stored: string | null): StoredSessions {
  const map = stored === null ? undefined : unserialize(stored)
  if (typeof map !== 'object' || map === null) return new Map()
  return new Map(
    Object.entries(map).flatMap(([verifier, entry]) => {
      const session = sessionIn(entry)
      return session === null ? [] : [[verifier, session]]
    }),
  )
}

/** The session of a token, unless it is unknown or has expired. @param now unix seconds. */
export function liveSession(sessions: StoredSessions, token: string, now: number): Session | null {
  const session = sessions.get(verifierOf(token))
  return session !== undefined && session.expiration >= now ? session : null
}

/** The login sessions of users. Concurrent logins, also of several processes, do not overwrite each other's sessions. */
export class Sessions {
  readonly #storage: Storage
  readonly #now: () => number

  /** @param clock milliseconds since 1970. */
  constructor(storage: Storage, clock: () => number) {
    this.#storage = storage
    this.#now = () => Math.floor(clock() / 1000)
  }

  /** Starts a session. @returns its token, which goes into the cookies and is stored nowhere. */
  async create(
    userId: number,
    { expiration, address, userAgent }: { expiration: number; address: string; userAgent: string },
  ): Promise<string> {
    const token = randomText(tokenLength)
    const session: Session = {
      expiration,
      ...(address === '' ? {} : { ip: address }),
      ...(userAgent === '' ? {} : { ua: userAgent.slice(0, maxUserAgentLength).toWellFormed() }),
      login: this.#now(),
    }
    await this.#change(userId, (live) => {
      const latest = [...live].sort(([, one], [, other]) => other.expiration - one.expiration)
      return new Map([...latest.slice(0, maxSessions - 1), [verifierOf(token), session]])
    })
    return token
  }

  /** The sessions that have not expired, by verifier. */
  async list(userId: number): Promise<StoredSessions> {
    const [stored = null] = await this.#storage.users.meta.read(userId, sessionsKey)
    return this.#liveIn(stored)
  }

  end(userId: number, token: string): Promise<void> {
    return this.endVerified(userId, verifierOf(token))
  }

  /** Ends the session that is stored under this verifier: for a list of sessions, which knows no tokens. */
  async endVerified(userId: number, ended: string): Promise<void> {
    await this.#change(userId, (live) => new Map([...live].filter(([verifier]) => verifier !== ended)))
  }

  /** Ends all sessions but the one of this token; all of them when it has none. */
  async endOthers(userId: number, token: string): Promise<void> {
    const kept = verifierOf(token)
    await this.#change(userId, (live) => new Map([...live].filter(([verifier]) => verifier === kept)))
  }

  async endAll(userId: number): Promise<void> {
    await this.#change(userId, () => new Map())
  }

  #change(userId: number, change: (live: StoredSessions) => StoredSessions): Promise<void> {
    return changeMetadata(this.#storage.users.meta, userId, sessionsKey, (stored) => ({
      value: storedText(change(this.#liveIn(stored))),
      result: undefined,
    }))
  }

  #liveIn(stored: string | null): StoredSessions {
    const now = this.#now()
    return new Map([...parseSessions(stored)].filter(([, session]) => session.expiration >= now))
  }
}

/**
 * Older versions of WordPress stored only the end of the session. Plugins store more members, which stay.
 */
function sessionIn(entry: unknown): Session | null {
  if (typeof entry === 'number') return { expiration: entry }
  if (typeof entry !== 'object' || entry === null) return null
  const { expiration, ip, ua, login, ...others } = entry as Record<string, unknown>
  const end = typeof expiration === 'string' && /^\d{1,15}$/.test(expiration) ? Number(expiration) : expiration
  if (typeof end !== 'number') return null
  return {
    expiration: end,
    ...(typeof ip === 'string' ? { ip } : {}),
    ...(typeof ua === 'string' ? { ua } : {}),
    ...(typeof login === 'number' ? { login } : {}),
    ...others,
  }
}

/** The row is removed when no session is left. */
function storedText(sessions: StoredSessions): string | null {
  if (sessions.size === 0) return null
  const map: Record<string, Session> = Object.create(null) as Record<string, Session>
  for (const [verifier, session] of sessions) map[verifier] = session
  return serialize(map)
}
