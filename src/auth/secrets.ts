import { createHmac, createSecretKey, type KeyObject, type Hmac } from 'node:crypto'
import { encodeText } from '../php/text.js'
import type { Storage } from '../database/storage.js'
import { StorageError } from '../database/storage-error.js'
import { passwordFragment as fragmentSince68, type PasswordFragment } from './password-fragment.js'
import { randomText } from './random-text.js'

/** The use of a secret: to sign the cookies on plain HTTP, the cookies on TLS, the cookie that REST reads, or nonces. */
export type Scheme = 'auth' | 'secure_auth' | 'logged_in' | 'nonce'

export const schemes: readonly Scheme[] = ['auth', 'secure_auth', 'logged_in', 'nonce']

/** The names of the options that store the secrets. WordPress's constants have the same names in capitals. */
export const secretNames: readonly string[] = schemes.flatMap((scheme) => [`${scheme}_key`, `${scheme}_salt`])

/** The text in WordPress's sample configuration in place of each secret. */
const placeholder = 'put your unique phrase here'

/** Length of a generated secret, in characters. */
const generatedLength = 64

/** The direction of a message between the service and its companion plugin, which is signed with it. */
export interface CompanionMessage {
  /** `notices`: from the service. `changes`: from the plugin. */
  readonly direction: 'notices' | 'changes'
  /** Sixteen hexadecimal digits. */
  readonly sender: string
  /** Microseconds since 1970. */
  readonly time: string
  readonly body: string | Uint8Array
}

/** What signs cookies and nonces: the keys of the schemes. An instance holds no secret as text. */
export class Secrets {
  readonly #keys: Readonly<Record<Scheme, KeyObject>>

  /**
   * @param salts by scheme: its KEY directly followed by its SALT.
   * @param passwordFragment the part of a stored hash that signatures of login cookies depend on. Default: that of
   *   WordPress 6.8 and later.
   */
  constructor(
    salts: Readonly<Record<Scheme, string>>,
    readonly passwordFragment: PasswordFragment = fragmentSince68,
  ) {
    // A KeyObject makes an HMAC take 2.5 µs; the same key as text or bytes takes 17 µs.
    const keyOf = (scheme: Scheme) => createSecretKey(encodeText(salts[scheme]))
    this.#keys = {
      auth: keyOf('auth'),
      secure_auth: keyOf('secure_auth'),
      logged_in: keyOf('logged_in'),
      nonce: keyOf('nonce'),
    }
  }

  /** WordPress's `wp_hash`: the HMAC-MD5 of the data, as 32 lower-case hexadecimal characters. */
  wpHash(data: string, scheme: Scheme): string {
    return createHmac('md5', this.#keys[scheme]).update(encodeText(data)).digest('hex')
  }

  /** The signature of a message between the service and its companion plugin, as 64 hexadecimal characters. */
  companionSignature({ direction, sender, time, body }: CompanionMessage): string {
    return this.#companionHmac()
      .update(encodeText(`${direction}\n${sender}\n${time}\n`))
      .update(body)
      .digest('hex')
  }

  /**
   * What the companion plugin answers to a message if PHP obeys the limits of application passwords, as 64 hexadecimal
   * characters.
   * @param signed the header of the message.
   */
  companionProof(signed: string): string {
    return this.#companionHmac()
      .update(encodeText(`limits\n${signed}`))
      .digest('hex')
  }

  #companionHmac(): Hmac {
    const key = createHmac('sha256', this.#keys.auth).update('as-rest-route companion').digest('hex')
    return createHmac('sha256', key)
  }
}

/**
 * Loads the secrets of a service. Each key and each salt is a constant (`AUTH_KEY`, `AUTH_SALT` and so on), unless that
 * is missing, empty, WordPress's placeholder, or equal to another one. Otherwise it is an option row (`auth_key`,
 * `auth_salt` and so on): 64 random characters that are created once, so that all processes of one database use the
 * same secrets.
 *
 * @param constants by name, as in the environment.
 */
// Rules: docs/wire.md#secrets.
export async function loadSecrets(
  storage: Storage,
  constants: Readonly<Record<string, string | undefined>>,
): Promise<Secrets> {
  const keysAndSalts = usableConstants(constants, secretNames)
  const missing = secretNames.filter((name) => !keysAndSalts.has(name))
  const stored = missing.length > 0 ? await storage.options.readMany(missing) : new Map<string, string>()
  for (const name of missing) keysAndSalts.set(name, stored.get(name) || (await createSecret(storage, name)))
  return secretsOf(keysAndSalts)
}

/** WordPress's old names, which it still reads: of all keys, and of the salt of the scheme `auth`. */
const oldNames = ['secret_key', 'secret_salt']

/**
 * Loads the secrets of a WordPress site, as `loadSecrets`, but makes none.
 * @param constants of its wp-config.php.
 * @param passwordFragment of the installed WordPress, whose version may change at any time.
 * @throws StorageError `incompatible` when some are missing.
 */
export async function loadSiteSecrets(
  storage: Storage,
  constants: Readonly<Record<string, string | undefined>>,
  passwordFragment?: PasswordFragment,
): Promise<Secrets> {
  const keysAndSalts = secretsInConstants(constants)
  const unset = secretNames.filter((name) => !keysAndSalts.has(name))
  const stored = unset.length > 0 ? await storage.options.readMany(unset) : new Map<string, string>()
  const missing = unset.filter((name) => !stored.get(name))
  if (missing.length > 0) throw new StorageError('incompatible', missingSecretsText(missing))
  const texts = secretNames.map((name) => [name, keysAndSalts.get(name) ?? stored.get(name) ?? ''] as const)
  return secretsOf(new Map(texts), passwordFragment)
}

/** The secrets that the constants of a WordPress site give, by the name of their option. */
export function secretsInConstants(
  constants: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, string> {
  const usable = usableConstants(constants, [...secretNames, ...oldNames])
  const oldOf = (name: string): string | undefined =>
    name.endsWith('_key') ? usable.get('secret_key') : name === 'auth_salt' ? usable.get('secret_salt') : undefined
  const all = secretNames.map((name) => [name, usable.get(name) ?? oldOf(name)] as const)
  return new Map(all.filter((entry): entry is readonly [string, string] => entry[1] !== undefined))
}

/** Why a site without these secrets cannot be served. */
export const missingSecretsText = (missing: readonly string[]): string =>
  `${missing.map((name) => name.toUpperCase()).join(', ')} are neither in wp-config.php nor in the options of the site. WordPress makes them at a login: log in there once.`

function secretsOf(keysAndSalts: ReadonlyMap<string, string>, passwordFragment?: PasswordFragment): Secrets {
  const saltOf = (scheme: Scheme) =>
    `${keysAndSalts.get(`${scheme}_key`) ?? ''}${keysAndSalts.get(`${scheme}_salt`) ?? ''}`
  const salts = {
    auth: saltOf('auth'),
    secure_auth: saltOf('secure_auth'),
    logged_in: saltOf('logged_in'),
    nonce: saltOf('nonce'),
  }
  return new Secrets(salts, passwordFragment)
}

/** The constants that may be used, by the name of their option. */
function usableConstants(
  constants: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): Map<string, string> {
  const texts = names.map((name) => [name, constants[name.toUpperCase()] ?? ''] as const)
  const uses = new Map<string, number>()
  for (const [, text] of texts) uses.set(text, (uses.get(text) ?? 0) + 1)
  return new Map(texts.filter(([, text]) => text !== '' && text !== placeholder && uses.get(text) === 1))
}

/** Writes a new secret, unless another process was first. @returns the secret in the database. */
async function createSecret(storage: Storage, name: string): Promise<string> {
  const secret = randomText(generatedLength)
  const stored = await storage.options.writeOnce(name, secret)
  if (stored !== '') return stored
  // An empty secret would let anyone compute signatures.
  await storage.options.write(name, secret)
  return secret
}
