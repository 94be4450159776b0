import { existsSync } from 'node:fs'
import { Forwarding } from '../adapters/forwarding.js'
import { sqliteLocation } from '../adapters/sqlite/sqlite-location.js'
import { openRehearsal, type Rehearsal } from '../boot.js'
import { inspect, type Plan } from '../plan.js'
import { explain } from '../explain/explain.js'
import type { Explanation } from '../explain/explanation.js'
import { explanationText } from '../explain/explanation-text.js'
import { rehearsedHeaders, type Way } from '../explain/rehearsed-login.js'
import { encodeText } from '../php/text.js'
import type { IncomingRequest } from '../request/exchange.js'
import { summaryOf } from '../service/route-summary.js'
import { defaultCapabilityOf, type BootOptions } from '../service/settings.js'
import { handlersAt, databaseOption } from './application.js'
import { CommandFailed } from './fail.js'
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
  const data = dataOf({ ...configuration.options, ...databaseOption(given.database) })
  const plan = await inspect(handlers, data.options, configuration)
  if (plan.faults.length > 0)
    throw new CommandFailed(`This application does not start. See: as-rest-route check ${folder}`)
  const rehearsal = await openRehearsal(plan)
  try {
    const incoming = await incomingRequest(method, address, given, { way, plan, rehearsal })
    const explanation = await explain(incoming, {
      core: rehearsal.core,
      routes: plan.routes.map((route) => summaryOf(route, defaultCapabilityOf(plan.options))),
    })
    print(explanation, data.missing, given, output)
  } finally {
    await rehearsal.close()
  }
}

function print(explanation: Explanation, missing: string | null, { json }: ExplainOptions, output: Output): void {
  if (json) return output.json(explanation)
  output.line(explanationText(explanation))
  if (missing !== null) output.line(`\nThere is no database ${missing} yet: this was decided on an empty one.`)
}

/** An explanation makes no database either: without one, an empty one in memory takes its place. */
function dataOf(options: BootOptions): { readonly options: BootOptions; readonly missing: string | null } {
  const path = sqliteLocation(options.database ?? 'sqlite:data/site.sqlite')
  const isThere = path === ':memory:' || existsSync(path)
  if (isThere) return { options: options.database === undefined ? {} : { database: options.database }, missing: null }
  return { options: { database: 'sqlite::memory:' }, missing: path }
}

/** @throws CommandFailed for options that contradict each other. */
function wayOf({ user, cookie, basic, nonce }: ExplainOptions): Way | null {
  const ways = [
    cookie === true ? 'cookie' : [],
    basic === true ? 'basic' : [],
    nonce === false ? 'no-nonce' : [],
  ].flat()
  const [way = 'basic', second] = ways
  if (second !== undefined) throw new CommandFailed('Give one of --cookie, --basic and --no-nonce.', 2)
  if (user === undefined && ways.length > 0) throw new CommandFailed(`--${way} needs --user: whose?`, 2)
  return user === undefined ? null : (way as Way)
}

async function incomingRequest(
  method: string,
  address: string,
  given: ExplainOptions,
  { way, plan, rehearsal }: { readonly way: Way | null; readonly plan: Plan; readonly rehearsal: Rehearsal },
): Promise<IncomingRequest> {
  const { encrypted, path, query } = placeOf(address)
  const headers = headersOf(given)
  const forwarding = new Forwarding(plan.options.trusted_proxies ?? [])
  const origin = forwarding.originOf(forwarding.peerOf(given.from ?? '127.0.0.1'), encrypted, headers)
  if (way !== null && given.user !== undefined) {
    const login = await rehearsedHeaders(given.user, way, origin.secure, rehearsal)
    if (login === null) throw new CommandFailed(`'${given.user}' is neither a role nor a user.`)
    Object.assign(headers, login)
  }
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

/** @throws CommandFailed for a header without a colon. */
function headersOf({ header = [], data }: ExplainOptions): Record<string, string | undefined> {
  const headers = Object.create(null) as Record<string, string | undefined>
  if (data !== undefined)
    headers['content-type'] = /^\s*[[{]/.test(data) ? 'application/json' : 'application/x-www-form-urlencoded'
  for (const line of header) {
    const colon = line.indexOf(':')
    if (colon < 1) throw new CommandFailed(`'${line}' is not a header. Write: 'Name: value'`, 2)
    headers[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim()
  }
  return headers
}
