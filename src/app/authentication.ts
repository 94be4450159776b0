import { adminAddress } from '../http/site-addresses.js'
import { logError } from '../log/log-error.js'
import { AccountNotices } from '../auth/account-notices.js'
import { Accounts } from '../auth/accounts.js'
import { ApplicationPasswordLogin } from '../auth/application-password-login.js'
import { ApplicationPasswords, type OtherPrograms } from '../auth/application-passwords.js'
import { Authenticator } from '../auth/authenticator.js'
import { storedLookup } from '../auth/capability-lookup.js'
import type { CallerContext } from '../auth/current-user.js'
import { LoginCookies } from '../auth/login-cookies.js'
import { userCan } from '../auth/meta-capabilities.js'
import { BackgroundWork } from '../auth/background-work.js'
import { passwordFragment, passwordFragmentBefore68 } from '../auth/password-fragment.js'
import { PasswordLogin } from '../auth/password-login.js'
import { PasswordReset } from '../auth/password-reset.js'
import { RecordPasswords } from '../auth/record-passwords.js'
import type { AttemptLimiter, LockOut } from '../auth/attempt-limiter.js'
import { RateLimiter } from '../auth/rate-limiter.js'
import { rateLimits, type LimitName } from '../auth/rate-limits.js'
import { loadSecrets, loadSiteSecrets, type Secrets } from '../auth/secrets.js'
import { Sessions } from '../auth/sessions.js'
import { SignIn } from '../auth/sign-in.js'
import type { Caller } from '../http/caller.js'
import type { Log } from '../log/log.js'
import type { Mailer } from '../mail/mailer.js'
import { durationClock } from './duration-clock.js'
import type { Content } from './content.js'
import type { ResolvedOptions } from './options.js'
import { cookieSettingsOf } from './wordpress-site.js'
import { computedPerAddress } from './computed-per-address.js'
import { UnknownCapabilities } from './unknown-capabilities.js'

/** The objects that identify and authorise callers. */
export interface Authentication {
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly applicationPasswords: ApplicationPasswords
  /** Whether the database is that of a WordPress site, which has the same users. */
  readonly sharesTables: boolean
  readonly recordPasswords: RecordPasswords
  /** Null when no mail can be sent. */
  readonly passwordReset: PasswordReset | null
  readonly accountNotices: AccountNotices
  /** Mails that are being sent in the background. */
  readonly messages: BackgroundWork
  readonly secrets: Secrets
  /** Computed again when the address of the site changes, as are `authenticator` and `signIn`. */
  readonly cookies: () => LoginCookies
  readonly authenticator: () => Authenticator
  readonly signIn: () => SignIn
  /** What the code of a request knows of its caller, with the check of capabilities. */
  readonly contextOf: (caller: Caller) => CallerContext
}

/** Maximum number of mails that are sent at the same time. */
const maxMessages = 50

/** PHP on a site without the companion plugin. It obeys neither scopes nor expiry of application passwords. */
export const phpWithoutCompanion: OtherPrograms = { obeyLimits: false, askForLimits: () => Promise.resolve(false) }

/** @param onLockOut called when a limit begins to refuse attempts. */
export type CreateLimiter = (name: LimitName, onLockOut: (lockOut: LockOut) => void) => AttemptLimiter

/** Limiters that count the attempts in this process alone. */
const localLimiters =
  (clock: () => number): CreateLimiter =>
  (name, onLockOut) =>
    new RateLimiter(rateLimits[name], clock, onLockOut)

function secretsOf({ storage, hasher }: Content, { secrets, wordpressConfig }: ResolvedOptions): Promise<Secrets> {
  if (wordpressConfig === null) return loadSecrets(storage, secrets ?? process.env)
  return loadSiteSecrets(storage, wordpressConfig.secrets, (hash) =>
    hasher.isPortable ? passwordFragmentBefore68(hash) : passwordFragment(hash),
  )
}

/** Capabilities that the constants of a site deny to everybody. */
const deniedTo = (config: ResolvedOptions['wordpressConfig']): readonly string[] =>
  config?.disallowUnfilteredHtml === true ? ['unfiltered_html'] : []

export interface AuthenticationDependencies {
  readonly log: Log
  /** Null when no mail can be sent. */
  readonly mailer: Mailer | null
  /** Default: limiters that count the attempts in this process alone. */
  readonly createLimiter?: CreateLimiter | undefined
  /** The companion plugin of a WordPress site. Default: it has none. */
  readonly companion?: OtherPrograms | undefined
}

/** Reads the secrets of the site, or creates them. The storage must be open. @throws StorageError */
export async function createAuthentication(
  content: Content,
  options: ResolvedOptions,
  { log, mailer, createLimiter, companion }: AuthenticationDependencies,
): Promise<Authentication> {
  const { storage, ambientStorage, site, types, roles, hasher } = content
  const { table_prefix: prefix, environment, clock, wordpressConfig } = options
  const secrets = await secretsOf(content, options)
  const cookieSettings = wordpressConfig === null ? {} : cookieSettingsOf(wordpressConfig)
  const accounts = new Accounts(storage, roles, prefix, deniedTo(wordpressConfig))
  const sessions = new Sessions(storage, clock)
  const applicationPasswords = new ApplicationPasswords(ambientStorage, clock, {
    isInTransaction: () => ambientStorage.isInTransaction,
    onUnrecordedUse: (err) => logError(log, 'last-use-not-stored', { err }),
    hashOf: (password) => hasher.hashOfRandomText(password),
    otherPrograms: wordpressConfig === null ? null : (companion ?? phpWithoutCompanion),
  })
  const limiter = createLimiter ?? localLimiters(durationClock(clock))
  const passwordLimiter = limiter('logins', (lockOut) => logError(log, 'logins-locked', lockOut))
  const applicationPasswordLogin = new ApplicationPasswordLogin(
    accounts,
    applicationPasswords,
    hasher,
    limiter('applicationPasswords', (lockOut) => logError(log, 'application-passwords-locked', lockOut)),
    durationClock(clock),
  )
  const cookies = computedPerAddress(site, () => new LoginCookies(secrets, site.siteurl, site.home, cookieSettings))
  const authenticator = computedPerAddress(
    site,
    () =>
      new Authenticator({
        accounts,
        secrets,
        cookies: cookies(),
        applicationPasswords: applicationPasswordLogin,
        environment,
        clock,
      }),
  )
  const signIn = computedPerAddress(site, () => {
    const login = new PasswordLogin({
      accounts,
      storage,
      hasher,
      rateLimiter: passwordLimiter,
      siteUrl: adminAddress(site),
    })
    return new SignIn(login, sessions, cookies(), clock)
  })
  const recordPasswords = createRecordPasswords(hasher, limiter, log)
  const messages = new BackgroundWork(maxMessages, (err) => logError(log, 'mail-not-sent', { err }))
  const accountNotices = new AccountNotices(mailer, messages, site)
  const passwordReset =
    mailer &&
    new PasswordReset({
      accounts,
      storage,
      hasher,
      mailer,
      site,
      rateLimiter: limiter('resets', (lockOut) => logError(log, 'resets-locked', lockOut)),
      background: messages,
      clock,
      sharesTables: wordpressConfig !== null,
    })
  // A check inside a transaction sees its writes, and needs no connection besides that of the transaction.
  const lookup = storedLookup(ambientStorage, types)
  const plainContextOf = (caller: Caller): CallerContext => ({
    caller,
    can: (capability, target, metaKey) => userCan(caller, capability, target, lookup, metaKey),
  })
  const contextOf =
    environment === 'development'
      ? reportingUnknown(new UnknownCapabilities(roles, types, log), plainContextOf)
      : plainContextOf
  return {
    accounts,
    sessions,
    applicationPasswords,
    sharesTables: wordpressConfig !== null,
    recordPasswords,
    passwordReset,
    accountNotices,
    messages,
    secrets,
    cookies,
    authenticator,
    signIn,
    contextOf,
  }
}

function createRecordPasswords(hasher: Content['hasher'], limiter: CreateLimiter, log: Log): RecordPasswords {
  const onLockOut = (lockOut: LockOut): void => logError(log, 'record-passwords-locked', lockOut)
  return new RecordPasswords(hasher, limiter('recordPasswords', onLockOut), limiter('enteredPasswords', onLockOut))
}

const reportingUnknown =
  (unknown: UnknownCapabilities, contextOf: (caller: Caller) => CallerContext) =>
  (caller: Caller): CallerContext => ({
    ...contextOf(caller),
    onCheck: (capability) => unknown.check(capability),
  })
