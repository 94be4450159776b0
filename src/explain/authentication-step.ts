import { parseBasic } from '../auth/basic.js'
import { nonceIn, type Identity } from '../auth/authenticator.js'
import type { Caller } from '../http/caller.js'
import type { IncomingRequest } from '../http/exchange.js'
import { parseCookies } from '../http/headers.js'
import type { ParsedRequest } from '../http/rest-request.js'
import type { ExplainedService } from './explained-service.js'
import type { Step } from './explanation.js'

interface Evidence {
  readonly incoming: IncomingRequest
  readonly parsed: ParsedRequest
  readonly identity: Identity
  readonly service: ExplainedService
}

/** What of the request could identify its caller, and whom it does identify. */
export async function explainAuthentication(evidence: Evidence): Promise<Step> {
  const { identity } = evidence
  const lines = [...headerLines(evidence), ...(await cookieLines(evidence)), outcomeOf(identity)]
  return { name: 'authentication', outcome: identity.problem ? 'refused' : 'passed', lines }
}

function headerLines({ incoming: { headers, secure, local }, identity }: Evidence): string[] {
  const header = headers['authorization']
  if (header === undefined) return []
  const basic = parseBasic(header)
  if (basic === null) return ['The header Authorization is not Basic with a name and a password, so it says nothing.']
  const way = secure ? 'over HTTPS' : local ? 'over HTTP from this machine' : 'over plain HTTP'
  const sent = `Basic credentials of '${basic.username}', ${way}.`
  if (identity.problem || identity.via === 'application-password') return [sent]
  return identity.via === 'cookie'
    ? [sent, 'They are not looked at: a valid login cookie comes first.']
    : [sent, 'They are not looked at: nobody has an application password yet.']
}

async function cookieLines({ incoming, parsed, service }: Evidence): Promise<string[]> {
  const { headers } = incoming
  const nonce = nonceIn({ headers, query: parsed.query, form: parsed.posted })
  const nonceLine = nonce === undefined ? [] : ['A nonce came along.']
  if (headers['cookie'] === undefined) return nonceLine
  const cookies = parseCookies(headers['cookie'])
  const owner = await service.authenticator().signedIn({ ...incoming, cookies })
  const cookieLine = owner
    ? `A valid login cookie of ${named(owner.account.caller)}.`
    : 'Cookies, but none of them is a valid login cookie.'
  if (nonce !== undefined || owner === null) return [cookieLine, ...nonceLine]
  return [
    cookieLine,
    'It does not count without a nonce: a page of somebody else could have sent it. Send X-WP-Nonce, or _wpnonce in the URL.',
  ]
}

function outcomeOf({ problem, caller, via }: Identity): string {
  if (problem) return `Refused: ${problem.message}`
  if (caller.id === 0) return 'The caller is anonymous.'
  return `The caller is ${named(caller)}, by ${via === 'cookie' ? 'cookie and nonce' : 'application password'}.`
}

function named({ id, login, roles }: Caller): string {
  const role = roles.length === 0 ? 'no role' : roles.join(', ')
  return id < 0 ? `somebody who is ${role}` : `${login} (id ${id}, ${role})`
}
