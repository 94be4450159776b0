import { hashOfApplicationPassword } from '../../src/auth/application-password-hash.js'
import { inGroupsOfFour, normalizedApplicationPassword } from '../../src/auth/application-passwords.js'
import { matchingApplicationPassword } from '../../src/auth/match-application-password.js'
import { applicationPasswordsKey, type ApplicationPassword } from '../../src/auth/stored-application-passwords.js'
import { whyUnavailable } from '../../src/auth/availability.js'
import { VerifiedPasswords } from '../../src/auth/verified-passwords.js'
import { serialize } from '../../src/php/serialize.js'
import { openSite, recordedSite, type RecordedSite, type Site } from '../../test/authentication-site.js'
import type { VectorCase, VectorFile } from '../vectors.js'
import { errorOf } from './recorded-form.js'
import { replayCases, type Outcome, type ReplayFile } from './replay-cases.js'

/** Each case comes from a machine and at an hour of its own, so that the throttle has no part in it. */
function machineOf(index: number): string {
  return `10.0.${index >> 8}.${index & 255}`
}

/** `auth-login`: whole logins, and the kind of the hash that is stored after them. */
export const replayLogins: ReplayFile = async (file) => {
  const users = (file['users'] as RecordedSite['users'] | undefined) ?? recordedSite.users
  const site = await openSite({ setup: { ...recordedSite, users } })
  let count = 0
  try {
    return await replayCases(file, async ({ username, password }) => {
      count += 1
      site.time.now += 3600
      const result = await site.login.authenticate(String(username), String(password), machineOf(count))
      if (!('problems' in result))
        return { actual: { expect: { login: result.user_login, hashPrefixAfter: result.user_pass.slice(0, 7) } } }
      const [problem] = result.problems
      return { actual: { expect: problem ? { $error: errorOf(problem) } : null } }
    })
  } finally {
    await site.close()
  }
}

/** `auth-application-passwords`: stored hashes, how passwords are shown, whole authentications, and availability. */
export const replayApplicationPasswords: ReplayFile = async (file) => {
  const [inUse, unused] = [await siteWithPasswords(file, true), await siteWithPasswords(file, false)]
  let count = 0
  try {
    return await replayCases(file, (recorded) => {
      const rule = recorded.rule ?? ''
      count += 1
      if (rule.startsWith('check.')) return checked(recorded, inUse)
      if (rule === 'chunk') return { actual: { expect: chunked(String(recorded['password'])) } }
      if (rule === 'available') return { actual: { expect: isAvailable(recorded['environment'], isTls(recorded)) } }
      if (rule === 'supported') return { actual: { expect: supported(recorded) } }
      const site = rule.startsWith('authenticate.in-use.') ? inUse : unused
      return authenticated(recorded, site, machineOf(count))
    })
  } finally {
    await inUse.close()
    await unused.close()
  }
}

/** The recorded site; the recorded user has the recorded passwords, not used yet. */
async function siteWithPasswords(file: VectorFile, inUse: boolean): Promise<Site> {
  const { user, storedAfterTheRun } = file['setup'] as {
    readonly user: { readonly id: number }
    readonly storedAfterTheRun: readonly object[]
  }
  const site = await openSite()
  const items = storedAfterTheRun.map((item) => ({ ...item, last_used: null, last_ip: null }))
  await site.storage.users.meta.add(user.id, applicationPasswordsKey, serialize(items))
  if (inUse) await site.storage.options.write('using_application_passwords', '1')
  return site
}

async function checked({ password, hash }: VectorCase, { hasher }: Site): Promise<Outcome> {
  const item = { password: hash } as ApplicationPassword
  const match = await matchingApplicationPassword([item], String(password), hasher, new VerifiedPasswords())
  return { actual: { expect: match !== null } }
}

function chunked(password: string): object {
  const normalised = normalizedApplicationPassword(password)
  return { chunked: inGroupsOfFour(password), normalised, hash: hashOfApplicationPassword(normalised) }
}

async function authenticated(
  { rule = '', username, password }: VectorCase,
  site: Site,
  address: string,
): Promise<Outcome> {
  const place = rule.slice(rule.lastIndexOf('.') + 1)
  const unavailableReason = whyUnavailable(place === 'local' ? 'local' : 'production', {
    secure: place === 'https',
    local: false,
  })
  const credentials = { username: String(username), password: String(password) }
  const result = await site.applicationLogin.authenticate(credentials, { address, unavailableReason })
  if (result === null) return { actual: { expect: null } }
  if (!('problem' in result)) return { actual: { expect: { userId: result.account.user.ID } } }
  // The product gives the status with the error, and says why application passwords are not available.
  const { code, message } = result.problem
  const shown = code === 'application_passwords_disabled' ? message.replace(` ${unavailableReason}`, '') : message
  return { actual: { expect: { $error: { code, message: shown, data: null } } } }
}

function isAvailable(environment: unknown, secure: boolean): boolean {
  return whyUnavailable(String(environment), { secure, local: false }) === null
}

/** Whether the variables of a CGI request tell of TLS. The product asks its socket, or a trusted proxy. */
function isTls({ HTTPS: https, SERVER_PORT: port }: VectorCase): boolean {
  return https === null || https === undefined ? port === '443' : ['on', '1'].includes(String(https).toLowerCase())
}

/** An environment that does not exist stops the start; what is said of it here is said of the default. */
function supported({ WP_ENVIRONMENT_TYPE: type, https }: VectorCase): object {
  const environments = ['local', 'development', 'staging', 'production']
  const environment = environments.includes(String(type)) ? String(type) : 'production'
  return { environment, supported: isAvailable(environment, https === true) }
}
