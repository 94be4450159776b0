import { roleCallerId } from '../auth/capabilities.js'
import { parseBasic } from '../auth/basic.js'
import { nonceIn, type Identity } from '../auth/authenticator.js'
import type { Caller } from '../http/caller.js'
import type { IncomingRequest } from '../http/exchange.js'
import { parseCookies } from '../http/headers.js'
import type { ParsedRequest } from '../http/parsed-request.js'
import type { ExplainedService } from './explained-service.js'
import type { Step } from './explanation.js'

interface AuthenticationInput {
  readonly incoming: IncomingRequest
  readonly parsed: ParsedRequest
  readonly identity: Identity
  readonly service: ExplainedService
}

/** Explains the credentials in a request, and the caller that they identify. */
export async function explainAuthentication(input: AuthenticationInput): Promise<Step> {
  const { identity } = input
  const lines = [...headerLines(input), ...(await cookieLines(input)), outcomeOf(identity)]
  return { name: 'authentication', outcome: identity.problem ? 'refused' : 'passed', lines }
}

function headerLines({ incoming: { headers, secure, local }, identity }: AuthenticationInput): string[] {
  const header = headers['authorization']
  if (header === undefined) return []
  const basic = parseBasic(header)
  if (basic === null) return ['The header Authorization is not Basic with a user name and a password. It is ignored.']
  const transport = secure ? 'over HTTPS' : local ? 'over HTTP from this machine' : 'over plain HTTP'
  const credentials = `Basic credentials of '${basic.username}', ${transport}.`
  if (identity.problem || identity.via === 'application-password') return [credentials]
  return identity.via === 'cookie'
    ? [credentials, 'They are ignored: a valid login cookie takes precedence.']
    : [credentials, 'They are ignored: no user has an application password yet.']
}

async function cookieLines({ incoming, parsed, service }: AuthenticationInput): Promise<string[]> {
  const { headers } = incoming
  const nonce = nonceIn({ headers, query: parsed.query, form: parsed.posted })
  const nonceLine = nonce === undefined ? [] : ['The request has a nonce.']
  if (headers['cookie'] === undefined) return nonceLine
  const cookies = parseCookies(headers['cookie'])
  const session = await service.authenticator().signedIn({ ...incoming, cookies })
  const cookieLine = session
    ? `A valid login cookie of ${callerText(session.account.caller)}.`
    : 'Cookies, but no valid login cookie.'
  if (nonce !== undefined || session === null) return [cookieLine, ...nonceLine]
  return [
    cookieLine,
    'It is ignored without a nonce: a page of another site could have caused the request. Send X-WP-Nonce, or _wpnonce in the URL.',
  ]
}

function outcomeOf({ problem, caller, via }: Identity): string {
  if (problem) return `Refused: ${problem.message}`
  if (caller.id === 0) return 'The caller is anonymous.'
  return `The caller is ${callerText(caller)}, by ${via === 'cookie' ? 'cookie and nonce' : 'application password'}.`
}

function callerText({ id, login, roles }: Caller): string {
  const role = roles.length === 0 ? 'no role' : roles.join(', ')
  return id === roleCallerId ? `a user with the role ${role}` : `${login} (id ${id}, ${role})`
}
