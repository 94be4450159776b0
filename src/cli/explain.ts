import { TrustedProxies } from '../http/trusted-proxies.js'
import { temporaryDatabase } from '../app/database-addresses.js'
import { openDryRun, type DryRun } from '../app/dry-run.js'
import { inspect, type Plan } from '../app/plan.js'
import { explain } from '../explain/explain.js'
import type { Explanation } from '../explain/explanation.js'
import { explanationText } from '../explain/explanation-text.js'
import { dryRunHeaders, type Way } from '../explain/dry-run-login.js'
import { encodeText } from '../php/text.js'
import type { IncomingRequest } from '../http/exchange.js'
import { summaryOf } from '../routing/route-summary.js'
import { databaseOption, handlersAt, lackOf } from './application.js'
import { CommandError } from './fail.js'
import type { Output } from './output.js'

export interface ExplainOptions {
  readonly user?: string
  readonly cookie?: boolean
  readonly basic?: boolean
  /** False for `--no-nonce`: commander's way of saying so. */
  readonly nonce?: boolean
  readonly data?: string
  readonly header?: readonly string[]
  readonly from?: string
  readonly database?: string
  readonly json?: boolean
}

/** Prints how an application would answer a request and why, without running the handler. */
export async function explainRequest(
  method: string,
  address: string,
  folder: string,
  given: ExplainOptions,
  output: Output,
): Promise<void> {
  const way = wayOf(given)
  const { handlers, configuration } = await handlersAt(folder)
  const plan = await inspect(handlers, databaseOption(given.database), configuration)
  if (plan.diagnostics.length > 0)
    throw new CommandError(`This application does not start. See: as-rest-route check ${folder}`)
  const lacking = await lackOf(plan.options)
  // An explanation makes no database either: without one, an empty one in memory takes its place.
  const standIn = lacking === null ? {} : { database: temporaryDatabase }
  const rehearsal = await openDryRun({ ...plan, options: { ...plan.options, ...standIn } })
  try {
    const incoming = await incomingRequest(method, address, given, { way, plan, rehearsal })
    const explanation = await explain(incoming, {
      ...rehearsal,
      routes: plan.application.routes.map((route) => summaryOf(route, plan.options.rest_default_capability)),
    })
    print(explanation, lacking, given, output)
  } finally {
    await rehearsal.close()
  }
}

function print(explanation: Explanation, lacking: string | null, { json }: ExplainOptions, output: Output): void {
  if (json) return output.json(explanation)
  output.line(explanationText(explanation))
  if (lacking !== null) output.line(`\n${lacking} This was decided on an empty one.`)
}

/** @throws CommandError for options that contradict each other. */
function wayOf({ user, cookie, basic, nonce }: ExplainOptions): Way | null {
  const ways = [
    cookie === true ? 'cookie' : [],
    basic === true ? 'basic' : [],
    nonce === false ? 'no-nonce' : [],
  ].flat()
  const [way = 'basic', second] = ways
  if (second !== undefined) throw new CommandError('Give one of --cookie, --basic and --no-nonce.', 2)
  if (user === undefined && ways.length > 0) throw new CommandError(`--${way} needs --user: whose?`, 2)
  return user === undefined ? null : (way as Way)
}

async function incomingRequest(
  method: string,
  address: string,
  given: ExplainOptions,
  { way, plan, rehearsal }: { readonly way: Way | null; readonly plan: Plan; readonly rehearsal: DryRun },
): Promise<IncomingRequest> {
  const { encrypted, path, query } = placeOf(address)
  const headers = headersOf(given)
  const forwarding = new TrustedProxies(plan.options.trusted_proxies)
  const peer = forwarding.peerOf(given.from ?? '127.0.0.1')
  if (way !== null && given.user !== undefined) {
    const { secure } = forwarding.originOf(peer, encrypted, headers)
    const login = await dryRunHeaders(given.user, way, secure, rehearsal)
    if (login === null) throw new CommandError(`'${given.user}' is neither a role nor a user.`)
    Object.assign(headers, login)
  }
  // Read again: a request with credentials is searched for more forwarding headers, so `local` may be different.
  const origin = forwarding.originOf(peer, encrypted, headers)
  return { method: method.toUpperCase(), path, query, headers, body: encodeText(given.data ?? ''), ...origin }
}

/** A path or a whole address, percent-encoded where a client would do that. */
function placeOf(address: string): { readonly encrypted: boolean; readonly path: string; readonly query: string } {
  const [, scheme = '', rest = address] = /^(https?):\/\/[^/?#]*(.*)$/is.exec(address) ?? []
  const [path = '', ...query] = (rest.split('#', 1)[0] ?? '').split('?')
  return {
    encrypted: scheme.toLowerCase() === 'https',
    path: asSent(path.startsWith('/') ? path : `/${path}`),
    query: asSent(query.join('?')),
  }
}

function asSent(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent)
}

/** @throws CommandError for a header without a colon. */
function headersOf({ header = [], data }: ExplainOptions): Record<string, string | undefined> {
  const headers = Object.create(null) as Record<string, string | undefined>
  if (data !== undefined)
    headers['content-type'] = /^\s*[[{]/.test(data) ? 'application/json' : 'application/x-www-form-urlencoded'
  for (const line of header) {
    const colon = line.indexOf(':')
    if (colon < 1) throw new CommandError(`'${line}' is not a header. Write: 'Name: value'`, 2)
    headers[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim()
  }
  return headers
}
