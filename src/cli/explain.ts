import { TrustedProxies } from '../http/trusted-proxies.js'
import { temporaryDatabase } from '../app/database-addresses.js'
import { openDryRun, type DryRun } from '../app/dry-run.js'
import { inspect, type Plan } from '../app/plan.js'
import { explain } from '../explain/explain.js'
import type { Explanation } from '../explain/explanation.js'
import { explanationText } from '../explain/explanation-text.js'
import { printable } from '../log/printable.js'
import { dryRunHeaders, type AuthenticationMethod } from '../explain/dry-run-login.js'
import type { IncomingRequest } from '../http/exchange.js'
import { declaredAround } from '../routing/handler-class.js'
import { summaryOf } from '../routing/route-summary.js'
import { databaseOption, handlersAt, missingDatabaseText } from './application.js'
import { CommandError } from './command-error.js'
import type { Output } from './output.js'

export interface ExplainOptions {
  readonly user?: string
  readonly cookie?: boolean
  readonly basic?: boolean
  /** False with `--no-nonce`: commander names the option so. */
  readonly nonce?: boolean
  readonly data?: string
  readonly header?: readonly string[]
  readonly from?: string
  readonly database?: string
  readonly json?: boolean
}

/** Prints how an application would answer a request, and why. The handler is not run. */
export async function explainRequest(
  method: string,
  address: string,
  folder: string,
  options: ExplainOptions,
  output: Output,
): Promise<void> {
  const authentication = authenticationOf(options)
  const { handlers, configuration } = await handlersAt(folder)
  const plan = await inspect(handlers, databaseOption(options.database), configuration)
  if (plan.diagnostics.length > 0) {
    await plan.lifecycle.end()
    throw new CommandError('application-faulty', `This application does not start. See: as-rest-route check ${folder}`)
  }
  const missingDatabase = await missingDatabaseText(plan.options)
  // An explanation creates no database. Without one, it uses an empty database in memory.
  const substitute = missingDatabase === null ? {} : { database: temporaryDatabase }
  const dryRun = await openDryRun({ ...plan, options: { ...plan.options, ...substitute } })
  try {
    const incoming = await incomingRequest(method, address, options, { authentication, plan, dryRun })
    const explanation = await explain(incoming, {
      ...dryRun,
      bind: plan.application.container.bindFunction,
      routes: plan.application.routes.map((route) => ({
        ...summaryOf(route, plan.options.rest_default_capability),
        around: declaredAround(route, plan.options.around),
      })),
    })
    print(explanation, missingDatabase, options, output)
  } finally {
    await dryRun.close()
  }
}

function print(
  explanation: Explanation,
  missingDatabase: string | null,
  { json }: ExplainOptions,
  output: Output,
): void {
  if (json) return output.json(explanation)
  output.line(printable(explanationText(explanation), '\n'))
  if (missingDatabase !== null) output.line(`\n${missingDatabase} An empty one was used for this explanation.`)
}

/**
 * How the request authenticates; null for an anonymous request.
 * @throws CommandError for options that contradict each other.
 */
function authenticationOf({ user, cookie, basic, nonce }: ExplainOptions): AuthenticationMethod | null {
  const methods = [
    cookie === true ? 'cookie' : [],
    basic === true ? 'basic' : [],
    nonce === false ? 'no-nonce' : [],
  ].flat()
  const [method = 'basic', second] = methods
  if (second !== undefined)
    throw new CommandError('credentials-contradictory', 'Give one of --cookie, --basic and --no-nonce.')
  if (user === undefined && methods.length > 0)
    throw new CommandError('credentials-without-user', `--${method} needs --user.`)
  return user === undefined ? null : (method as AuthenticationMethod)
}

async function incomingRequest(
  method: string,
  address: string,
  options: ExplainOptions,
  {
    authentication,
    plan,
    dryRun,
  }: { readonly authentication: AuthenticationMethod | null; readonly plan: Plan; readonly dryRun: DryRun },
): Promise<IncomingRequest> {
  const { encrypted, path, query } = partsOf(address)
  const headers = headersOf(options)
  const proxies = new TrustedProxies(plan.options.trusted_proxies)
  const peer = proxies.peerOf(options.from ?? '127.0.0.1')
  if (authentication !== null && options.user !== undefined) {
    const { secure } = proxies.originOf(peer, encrypted, headers)
    const loginHeaders = await dryRunHeaders(options.user, authentication, secure, dryRun)
    if (loginHeaders === null)
      throw new CommandError('caller-missing', `'${options.user}' is neither a role nor a user.`)
    Object.assign(headers, loginHeaders)
  }
  // Read again: a request with credentials is searched for more forwarding headers, so `local` may be different.
  const origin = proxies.originOf(peer, encrypted, headers)
  return {
    method: method.toUpperCase(),
    path,
    query,
    headers,
    body: new TextEncoder().encode(options.data ?? ''),
    ...origin,
  }
}

/** The parts of a URL or a path. Path and query are percent-encoded where a client would encode them. */
function partsOf(address: string): { readonly encrypted: boolean; readonly path: string; readonly query: string } {
  const [, scheme = '', rest = address] = /^(https?):\/\/[^/?#]*(.*)$/is.exec(address) ?? []
  const [path = '', ...query] = (rest.split('#', 1)[0] ?? '').split('?')
  return {
    encrypted: scheme.toLowerCase() === 'https',
    path: percentEncoded(path.startsWith('/') ? path : `/${path}`),
    query: percentEncoded(query.join('?')),
  }
}

function percentEncoded(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent)
}

/** The headers by lower-case name, without a prototype. @throws CommandError for a header without a colon. */
function headersOf({ header = [], data }: ExplainOptions): Record<string, string | undefined> {
  const headers = Object.create(null) as Record<string, string | undefined>
  if (data !== undefined)
    headers['content-type'] = /^\s*[[{]/.test(data) ? 'application/json' : 'application/x-www-form-urlencoded'
  for (const line of header) {
    const colon = line.indexOf(':')
    if (colon < 1) throw new CommandError('header-invalid', `'${line}' is not a header. Write: 'Name: value'`)
    headers[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim()
  }
  return headers
}
