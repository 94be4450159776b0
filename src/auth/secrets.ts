import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { encodeText } from '../php/text.js'
import type { Storage } from '../database/storage.js'
import { randomText } from './random-text.js'

/** What a secret protects: the cookies on plain HTTP, on TLS, the cookie that REST reads, and nonces. */
export type Scheme = 'auth' | 'secure_auth' | 'logged_in' | 'nonce'

export const schemes: readonly Scheme[] = ['auth', 'secure_auth', 'logged_in', 'nonce']

/** The names of the options with the secrets. WordPress's constants are the same in capitals. */
export const secretNames: readonly string[] = schemes.flatMap((scheme) => [`${scheme}_key`, `${scheme}_salt`])

/** The text that WordPress's sample configuration has in place of each secret. */
const placeholder = 'put your unique phrase here'

const generatedLength = 64

/** The key of each scheme, ready for signing. Holds no secret as text. */
export class Secrets {
  readonly #keys: Readonly<Record<Scheme, KeyObject>>

  /** @param salts by scheme: its KEY directly followed by its SALT. */
  constructor(salts: Readonly<Record<Scheme, string>>) {
    // A KeyObject makes an HMAC take 2.5 µs; the same key as text or bytes takes 17 µs.
    const keyOf = (scheme: Scheme) => createSecretKey(encodeText(salts[scheme]))
    this.#keys = {
      auth: keyOf('auth'),
      secure_auth: keyOf('secure_auth'),
      logged_in: keyOf('logged_in'),
      nonce: keyOf('nonce'),
    }
  }

  /** WordPress's `wp_hash`: 32 lower-case hexadecimal characters, HMAC-MD5 of the data. */
  wpHash(data: string, scheme: Scheme): string {
    return createHmac('md5', this.#keys[scheme]).update(encodeText(data)).digest('hex')
  }
}

/**
 * The secrets of a service. Each half is the given constant (`AUTH_KEY`, `AUTH_SALT`, …) unless that is missing, empty,
 * WordPress's placeholder, or the same as another one; then it is the option row `auth_key`, `auth_salt`, …, made once
 * of 64 random characters and kept with the data, so that all processes on one database agree.
 *
 * @param given by constant name, as in the environment.
 */
// Rules: docs/wire.md#secrets.
export async function loadSecrets(
  storage: Storage,
  given: Readonly<Record<string, string | undefined>>,
): Promise<Secrets> {
  const halves = givenHalves(given)
  const missing = secretNames.filter((name) => !halves.has(name))
  const stored = missing.length > 0 ? await storage.options.readMany(missing) : new Map<string, string>()
  for (const name of missing) halves.set(name, stored.get(name) || (await makeOnce(storage, name)))
  const saltOf = (scheme: Scheme) => `${halves.get(`${scheme}_key`) ?? ''}${halves.get(`${scheme}_salt`) ?? ''}`
  return new Secrets({
    auth: saltOf('auth'),
    secure_auth: saltOf('secure_auth'),
    logged_in: saltOf('logged_in'),
    nonce: saltOf('nonce'),
  })
}

/** Those of the constants that may be used, by option name. */
function givenHalves(given: Readonly<Record<string, string | undefined>>): Map<string, string> {
  const texts = secretNames.map((name) => [name, given[name.toUpperCase()] ?? ''] as const)
  const uses = new Map<string, number>()
  for (const [, text] of texts) uses.set(text, (uses.get(text) ?? 0) + 1)
  return new Map(texts.filter(([, text]) => text !== '' && text !== placeholder && uses.get(text) === 1))
}

async function makeOnce(storage: Storage, name: string): Promise<string> {
  const made = randomText(generatedLength)
  const stored = await storage.options.writeOnce(name, made)
  if (stored !== '') return stored
  // An empty row would be a known secret.
  await storage.options.write(name, made)
  return made
}
