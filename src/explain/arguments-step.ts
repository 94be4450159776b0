import { inspect } from 'node:util'
import type { RestError } from '../http/rest-error.js'
import { nearest } from '../base/nearest.js'
import type { HttpRequest } from '../http/rest-request.js'
import type { Bag } from '../http/variables.js'
import type { Pipeline } from '../pipeline/pipeline.js'
import type { Endpoint } from '../routing/endpoint.js'
import type { HandlerMatch } from '../routing/table.js'
import type { ExplainedArgument, Step } from './explanation.js'

export interface ExplainedArguments {
  readonly step: Step
  readonly arguments: readonly ExplainedArgument[]
  readonly problem: RestError | null
}

/** Where each value comes from, what the rules say of it, and what the handler would read. */
export function explainArguments(
  request: HttpRequest,
  match: HandlerMatch<Endpoint>,
  pipeline: Pipeline,
): ExplainedArguments {
  const endpoint = match.handler
  const declared = Object.keys(endpoint.args)
  const names = [...new Set([...declared, ...Object.keys(request.parameters.all())])]
  const sent = names.map((name) => {
    const value = request.get_param(name)
    return { name, declared: Object.hasOwn(endpoint.args, name), source: sourceOf(name, value, request), sent: value }
  })
  const problem = pipeline.validate(request, match)
  const explained = sent.map((argument) => ({
    ...argument,
    ...(problem === null && { value: request.get_param(argument.name) }),
    fault: faultOf(argument.name, problem),
  }))
  const outcome = problem === null ? 'passed' : 'refused'
  const lines = [...explained.map((argument) => lineOf(argument, declared)), ...(problem ? [problem.message] : [])]
  if (lines.length === 0) lines.push('None declared, none sent.')
  return { step: { name: 'arguments', outcome, lines }, arguments: explained, problem }
}

/** The strongest source that holds the value that counts. */
function sourceOf(name: string, value: unknown, request: HttpRequest): ExplainedArgument['source'] {
  if (value === null) return null
  const bag = request.parameters.sources().find((source) => source[name] === value)
  if (bag === undefined) return null
  return labels(request).find(([labelled]) => labelled === bag)?.[1] ?? null
}

function labels(request: HttpRequest): readonly (readonly [Bag | null, ExplainedArgument['source']])[] {
  const { json, query, form } = request.parsed
  return [
    [request.get_url_params(), 'path'],
    [json, 'JSON body'],
    [form, 'form'],
    [query, 'query'],
    [request.get_default_params(), 'default'],
  ]
}

/** What the error says of one argument. */
function faultOf(name: string, problem: RestError | null): string | null {
  const { params } = (problem?.data ?? {}) as { readonly params?: unknown }
  if (Array.isArray(params)) return params.includes(name) ? 'It is required and missing.' : null
  if (typeof params !== 'object' || params === null || !Object.hasOwn(params, name)) return null
  return String((params as Record<string, unknown>)[name])
}

function lineOf({ name, declared, source, sent, fault, ...rest }: ExplainedArgument, known: readonly string[]): string {
  const from = source === null ? 'absent' : `${shown(sent)} (${source})`
  if (fault !== null) return `${name}: ${from}. Refused: ${fault}`
  const read = 'value' in rest && shown(rest.value) !== shown(sent) ? `, read as ${shown(rest.value)}` : ''
  if (declared || source === 'path') return `${name}: ${from}${read}`
  const meant = nearest(name, known)
  return `${name}: ${from}. Not declared, so no rule looks at it.${meant === null ? '' : ` Did you mean '${meant}'?`}`
}

/** As JSON, short enough for a line. */
export function shown(value: unknown): string {
  const text = worded(value)
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}

function worded(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'function') return 'a function'
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    // Callbacks return what they like: a `bigint`, an object that holds itself.
    return inspect(value, { depth: 1, breakLength: Infinity })
  }
}
