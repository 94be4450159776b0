import { unixTime } from './unix-time.js'
import { hash } from 'node:crypto'
import { encodeText } from '../php/text.js'
import { numberIn, serialize, unserializeForChange } from '../php/serialize.js'
import type { Storage } from '../database/storage.js'
import { changeMetadata } from './change-metadata.js'
import { randomText } from './random-text.js'

/** A login session as it is stored. Times are unix seconds. */
export interface Session {
  readonly expiration: number
  readonly ip?: string
  readonly ua?: string
  readonly login?: number
}

/**
 * Sessions by verifier. The verifier is the SHA-256 of the session token in hexadecimal, so that a copy of the database
 * does not contain tokens for cookies.
 */
export type StoredSessions = ReadonlyMap<string, Session>

/** The key of the user metadata that holds the sessions. */
export const sessionsKey = 'session_tokens'

/** Length of a session token, in characters, as in WordPress. */
const tokenLength = 43

/** Maximum number for each user. With more logins, the sessions that end first are removed, so that logins cannot fill the database. */
const maxSessions = 200

/** Length to which a stored `User-Agent` is cut, in UTF-16 code units. */
const maxUserAgentLength = 512

/** The key under which the session of a token is stored. */
export function verifierOf(token: string): string {
  return hash('sha256', encodeText(token))
}

/** The sessions in the text of a metadata row, expired ones included. Empty for a damaged text. */
// Rules: docs/wire.md#sessions.
export function parseSessions(text: string | null): StoredSessions {
  const map = text === null ? undefined : unserializeForChange(text)
  if (typeof map !== 'object' || map === null) return new Map()
  return new Map(
    Object.entries(map).flatMap(([verifier, entry]) => {
      const session = sessionIn(entry)
      return session === null ? [] : [[verifier, session]]
    }),
  )
}

/** The session of a token; null when it is unknown or has expired. @param now unix seconds. */
export function liveSession(sessions: StoredSessions, token: string, now: number): Session | null {
  const session = sessions.get(verifierOf(token))
  return session !== undefined && session.expiration >= now ? session : null
}

/** The login sessions of users. Concurrent changes, also of several processes, do not overwrite each other. */
export class Sessions {
  readonly #storage: Storage
  readonly #now: () => number

  /** @param clock milliseconds since 1970. */
  constructor(storage: Storage, clock: () => number) {
    this.#storage = storage
    this.#now = () => unixTime(clock)
  }

  /** Starts a session. @returns its token for the cookies. The database does not store it. */
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
    await this.#change(
      userId,
      (live) => new Map([...longestLived(live, maxSessions - 1), [verifierOf(token), session]]),
    )
    return token
  }

  /** Changes the end of the session of this token, unless it has ended. @param expiration unix seconds. */
  async extend(userId: number, token: string, expiration: number): Promise<void> {
    const verifier = verifierOf(token)
    await this.#change(
      userId,
      (live) =>
        new Map([...live].map(([key, session]) => [key, key === verifier ? { ...session, expiration } : session])),
    )
  }

  /** The sessions that have not expired, by verifier. */
  async list(userId: number): Promise<StoredSessions> {
    const [text = null] = await this.#storage.users.meta.read(userId, sessionsKey)
    return this.#liveIn(text)
  }

  end(userId: number, token: string): Promise<void> {
    return this.endByVerifier(userId, verifierOf(token))
  }

  /** Ends the session with this verifier, for a list of sessions, which does not contain their tokens. */
  async endByVerifier(userId: number, verifier: string): Promise<void> {
    await this.#change(userId, (live) => new Map([...live].filter(([key]) => key !== verifier)))
  }

  /** Ends all sessions except the one of this token. */
  async endOthers(userId: number, token: string): Promise<void> {
    const verifier = verifierOf(token)
    await this.#change(userId, (live) => new Map([...live].filter(([key]) => key === verifier)))
  }

  async endAll(userId: number): Promise<void> {
    await this.#change(userId, () => new Map())
  }

  #change(userId: number, change: (live: StoredSessions) => StoredSessions): Promise<void> {
    return changeMetadata(this.#storage.users.meta, userId, sessionsKey, (text) => ({
      value: textOf(change(this.#liveIn(text))),
      result: undefined,
    }))
  }

  #liveIn(text: string | null): StoredSessions {
    const now = this.#now()
    return new Map([...parseSessions(text)].filter(([, session]) => session.expiration >= now))
  }
}

/** The sessions that end last, up to `count`. They stay in the order of their logins, as in WordPress. */
function longestLived(sessions: StoredSessions, count: number): StoredSessions {
  if (sessions.size <= count) return sessions
  const longestFirst = [...sessions].sort(([, left], [, right]) => right.expiration - left.expiration)
  const removed = new Set(longestFirst.slice(count).map(([verifier]) => verifier))
  return new Map([...sessions].filter(([verifier]) => !removed.has(verifier)))
}

/**
 * The session in an entry of the map; null for a damaged entry. Old versions of WordPress stored only the expiration.
 * Fields of plugins are preserved.
 */
function sessionIn(entry: unknown): Session | null {
  const bare = numberIn(entry)
  if (bare !== null) return { expiration: bare }
  if (typeof entry !== 'object' || entry === null) return null
  const { expiration, ip, ua, login, ...others } = entry as Record<string, unknown>
  const isDigits = typeof expiration === 'string' && /^\d{1,15}$/.test(expiration)
  const end = isDigits ? Number(expiration) : numberIn(expiration)
  const start = numberIn(login)
  if (end === null) return null
  return {
    expiration: end,
    ...(typeof ip === 'string' ? { ip } : {}),
    ...(typeof ua === 'string' ? { ua } : {}),
    ...(start === null ? {} : { login: start }),
    ...others,
  }
}

/** The text of the metadata row; null, which removes the row, when no session is left. */
function textOf(sessions: StoredSessions): string | null {
  if (sessions.size === 0) return null
  const map: Record<string, Session> = Object.create(null) as Record<string, Session>
  for (const [verifier, session] of sessions) map[verifier] = session
  return serialize(map)
}
