import { createHash } from 'node:crypto'
import { ThreadedPasswordHasher } from '../../src/auth/threaded-password-hasher.js'
import { hashOfApplicationPassword } from '../../src/auth/application-password-hash.js'
import { makeCookie, type CookieScheme } from '../../src/auth/cookie.js'
import { createNonce, verifyNonce } from '../../src/auth/nonce.js'
import { needsRehash, prehash } from '../../src/auth/password-hash.js'
import type { Scheme } from '../../src/auth/secrets.js'
import { liveSession, parseSessions } from '../../src/auth/sessions.js'
import { verifyCookie } from '../../src/auth/verify-cookie.js'
import { serialize } from '../../src/php/serialize.js'
import { decodeBytes, encodeText } from '../../src/php/text.js'
import { phpTrim } from '../../src/php/trim.js'
import {
  openSite,
  recordedSecrets,
  recordedSite,
  type RecordedSite,
  type Site,
} from '../../test/authentication-site.js'
import type { VectorCase, VectorFile } from '../vectors.js'
import { replayCases, resultOf, type ReplayFile } from './replay-cases.js'

/** The site that a file was recorded on. */
export function setupOf(file: VectorFile): RecordedSite {
  return { ...recordedSite, ...(file['setup'] as Partial<RecordedSite> | undefined) }
}

/** `auth-cookies`: the text of a login cookie, and whom it identifies. */
export const replayCookies: ReplayFile = (file) =>
  onSite(file, async (recorded, site, setup) => {
    const { login, expiration, token, scheme, method } = recorded as unknown as {
      readonly login: string
      readonly expiration: number
      readonly token: string
      readonly scheme: CookieScheme
      readonly method: string
    }
    const user = { user_login: login, user_pass: setup.users[login]?.user_pass ?? '' }
    const cookie = makeCookie(site.secrets, scheme, user, expiration, token)
    const { userId, reason } = await verdictOn(cookie, site, { now: setup.now, method })
    return { cookie, validateAsLoggedIn: userId, reason }
  })

/** `auth-cookies-tampered`: whom a changed cookie identifies, or why nobody. */
export const replayTamperedCookies: ReplayFile = (file) =>
  onSite(file, (recorded, site, { now }) => verdictOn(String(recorded['cookie']), site, { now, method: 'GET' }))

type Replay = (recorded: VectorCase, site: Site, setup: RecordedSite) => Promise<unknown>

async function onSite(file: VectorFile, actual: Replay) {
  const setup = setupOf(file)
  const site = await openSite({ setup })
  try {
    return await replayCases(file, async (recorded) => ({ actual: { expect: await actual(recorded, site, setup) } }))
  } finally {
    await site.close()
  }
}

async function verdictOn(text: string, site: Site, at: { readonly now: number; readonly method: string }) {
  const verified = await verifyCookie(text, 'logged_in', site, at)
  return typeof verified === 'string'
    ? { userId: false, reason: `auth_cookie_${verified}` }
    : { userId: verified.user.ID, reason: 'auth_cookie_valid' }
}

/** `auth-nonces`: nonces at their times, and for how long they are good. */
export const replayNonces: ReplayFile = (file) => {
  const secrets = recordedSecrets(setupOf(file))
  return replayCases(file, (recorded) => {
    const { action, userId, token, madeAt, checkedAt } = recorded as unknown as {
      readonly action: string | number
      readonly userId: number
      readonly token: string
      readonly madeAt: number
      readonly checkedAt: number
    }
    const purpose = { action: String(action), userId, sessionToken: token }
    const nonce = createNonce(secrets, purpose, madeAt)
    const verify = verifyNonce(secrets, nonce, purpose, checkedAt)
    return { actual: { expect: { tick: Math.ceil(madeAt / 43_200), nonce, verify } } }
  })
}

/** `auth-nonces-wrong`: nonces that are spelled wrong or made for something else. */
export const replayWrongNonces: ReplayFile = (file) => {
  const setup = setupOf(file)
  const secrets = recordedSecrets(setup)
  return replayCases(file, ({ login, token, at, nonce }) => {
    const purpose = { action: 'wp_rest', userId: setup.users[String(login)]?.id ?? 0, sessionToken: String(token) }
    return { actual: { expect: verifyNonce(secrets, String(nonce), purpose, Number(at)) } }
  })
}

/** `auth-sessions`: stored session tokens over time. */
export const replaySessions: ReplayFile = (file) => {
  const sessions = parseSessions(serialize(setupOf(file).sessionTokensMeta))
  return replayCases(file, ({ token, at }) => {
    const session = liveSession(sessions, String(token), Number(at))
    const live = [...sessions.values()].filter(({ expiration }) => expiration >= Number(at)).length
    return { actual: { expect: { verify: session !== null, session, live } } }
  })
}

/** `auth-hashes`: the building blocks. */
export const replayHashes: ReplayFile = (file) => {
  const secrets = recordedSecrets({
    ...recordedSite,
    keys: (file['keys'] as RecordedSite['keys'] | undefined) ?? recordedSite.keys,
  })
  const hashes: Readonly<Record<string, (input: string) => string>> = {
    fast: hashOfApplicationPassword,
    prehash: (input) => decodeBytes(prehash(encodeText(phpTrim(input)))),
    'session-token': (input) => createHash('sha256').update(encodeText(input)).digest('hex'),
  }
  return replayCases(file, ({ rule = '', input, scheme }) => {
    const hash = hashes[rule] ?? ((text: string) => secrets.wpHash(text, scheme as Scheme))
    return { actual: { expect: hash(String(input)) } }
  })
}

/** `auth-passwords`: which password a stored hash belongs to. The hashes are worked on by two threads at once. */
export const replayPasswords: ReplayFile = async (file) => {
  const hasher = new ThreadedPasswordHasher({ threads: 2, maxWaiting: file.cases.length })
  try {
    return await Promise.all(
      file.cases.map((recorded) =>
        resultOf(recorded, async ({ password, hash }) => ({
          actual: {
            expect: await hasher.verify(String(password), String(hash)),
            needsRehash: needsRehash(String(hash)),
          },
        })),
      ),
    )
  } finally {
    await hasher.close()
  }
}
