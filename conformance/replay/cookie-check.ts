import { makeCookie } from '../../src/auth/cookie.js'
import { createNonce } from '../../src/auth/nonce.js'
import {
  basicHeader,
  openSite,
  recordedSite,
  requestWith,
  type GivenRequest,
  type Site,
} from '../../test/authentication-site.js'
import type { VectorCase } from '../vectors.js'
import { errorOf } from './recorded-form.js'
import { replayCases, type Outcome, type ReplayFile } from './replay-cases.js'

/** How the nonce is sent, by the recording's words for it. */
const sentNonces: Readonly<Record<string, (good: string) => GivenRequest>> = {
  none: () => ({}),
  'header-good': (good) => ({ headers: { 'x-wp-nonce': good } }),
  'header-bad': () => ({ headers: { 'x-wp-nonce': bad } }),
  'header-empty': () => ({ headers: { 'x-wp-nonce': '' } }),
  'header-zero': () => ({ headers: { 'x-wp-nonce': '0' } }),
  'param-good': (good) => ({ query: { _wpnonce: good } }),
  'param-bad': () => ({ query: { _wpnonce: bad } }),
  'param-empty': () => ({ query: { _wpnonce: '' } }),
  'param-zero': () => ({ query: { _wpnonce: '0' } }),
  'param-good-header-bad': (good) => ({ query: { _wpnonce: good }, headers: { 'x-wp-nonce': bad } }),
  'param-bad-header-good': (good) => ({ query: { _wpnonce: bad }, headers: { 'x-wp-nonce': good } }),
  'param-empty-header-good': (good) => ({ query: { _wpnonce: '' }, headers: { 'x-wp-nonce': good } }),
}
const bad = 'ffffffffff'
const login = 'user_wp'

/** `auth-cookie-check`: whether a cookie counts, by the nonce that comes with it. */
export const replayCookieChecks: ReplayFile = async (file) => {
  const site = await openSite()
  try {
    const { password } = await site.applicationPasswords.create(recordedSite.users[login]?.id ?? 0, { name: 'program' })
    return await replayCases(file, (recorded) => outcomeOf(recorded, site, password))
  } finally {
    await site.close()
  }
}

async function outcomeOf(recorded: VectorCase, site: Site, password: string): Promise<Outcome> {
  const { now, users, sessionTokens } = recordedSite
  const loggedIn = recorded['loggedIn'] === true
  const { id = 0, user_pass = '' } = users[login] ?? {}
  const owner = loggedIn ? { userId: id, sessionToken: sessionTokens.live } : { userId: 0, sessionToken: '' }
  const sent = sentNonces[String(recorded['nonce'])]?.(createNonce(site.secrets, { action: 'wp_rest', ...owner }, now))
  if (!sent) throw new Error(`no way to send a nonce is called ${String(recorded['nonce'])}`)
  const prior = recorded['priorResult']
  if (prior === 'error' || prior === true)
    return priorOutcome(site, sent, basicHeader(login, prior === true ? password : bad), recorded)
  const user = { user_login: login, user_pass }
  const cookie = makeCookie(site.secrets, 'logged_in', user, now + 60, sessionTokens.live)
  const cookies = loggedIn ? { [site.cookies.loggedIn]: cookie } : {}
  const identity = await site.authenticator.identify(requestWith({ ...sent, cookies }))
  const result = identity.problem === null ? true : { $error: errorOf(identity.problem) }
  return { actual: { expect: { result, userAfter: identity.loggedInCookie ? id : 0 } } }
}

/**
 * What an earlier check has found stands, whatever the nonce. Here the check before is the one of application
 * passwords; its refusal is what the recording calls the error `prior`. Who the current user is after it is not asked:
 * WordPress keeps one for a refused request, and its filters can accept a request for nobody.
 */
async function priorOutcome(
  site: Site,
  sent: GivenRequest,
  authorization: string,
  { priorResult, expect }: VectorCase,
): Promise<Outcome> {
  const identity = await site.authenticator.identify(
    requestWith({ ...sent, headers: { ...sent.headers, authorization } }),
  )
  const { problem } = identity
  const stands = priorResult === 'error' && problem?.code === 'incorrect_password'
  const error = stands ? { code: 'prior', message: 'Prior.', data: null } : problem && errorOf(problem)
  const userAfter = identity.caller.id
  return {
    actual: { expect: { result: error === null ? true : { $error: error }, userAfter } },
    expected: { expect: { ...(expect as object), userAfter } },
  }
}
