import { inspect } from 'node:util'
import type { RestError } from '../http/rest-error.js'
import { nearest } from '../base/nearest.js'
import type { HttpRequest } from '../http/http-request.js'
import { ReceivedFile } from '../http/uploaded-file.js'
import type { ParameterMap } from '../http/variables.js'
import type { Pipeline } from '../pipeline/pipeline.js'
import type { Endpoint } from '../routing/endpoint.js'
import type { HandlerMatch } from '../routing/table.js'
import { fileArguments, takeFiles } from '../validation/file-arguments.js'
import type { ExplainedArgument, Step } from './explanation.js'

export interface ExplainedArguments {
  readonly step: Step
  readonly arguments: readonly ExplainedArgument[]
  readonly problem: RestError | null
}

/** Explains each argument: the source of its value, why the value is refused, and what the handler would read. */
export async function explainArguments(
  request: HttpRequest,
  match: HandlerMatch<Endpoint>,
  pipeline: Pipeline,
): Promise<ExplainedArguments> {
  const endpoint = match.handler
  const declared = Object.keys(endpoint.args)
  // A file that was cut off is reported by the validation.
  const files = fileArguments(endpoint.args)
  if (files && request.problem === null) takeFiles(files, request)
  const names = [...new Set([...declared, ...Object.keys(request.parameters.all())])]
  const sentArguments = names.map((name) => {
    const value = request.get_param(name)
    const source = sourceOf(name, value, request)
    return { name, declared: Object.hasOwn(endpoint.args, name), source, sent: described(value) }
  })
  const problem = await pipeline.validate(request, match)
  const explained = sentArguments.map((argument) => ({
    ...argument,
    ...(problem === null && { value: described(request.get_param(argument.name)) }),
    fault: faultOf(argument.name, problem),
  }))
  const outcome = problem === null ? 'passed' : 'refused'
  const lines = [...explained.map((argument) => lineOf(argument, declared)), ...(problem ? [problem.message] : [])]
  if (lines.length === 0) lines.push('None declared, none sent.')
  return { step: { name: 'arguments', outcome, lines }, arguments: explained, problem }
}

/** A value, with the name, type and size of each file in place of it. */
function described(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(described)
  return value instanceof ReceivedFile ? { name: value.name, type: value.type, size: value.size } : value
}

/** The source of highest precedence that has the value; null when the argument is absent. */
function sourceOf(name: string, value: unknown, request: HttpRequest): ExplainedArgument['source'] {
  if (value === null) return null
  const winner = request.parameters.sources().find((source) => source[name] === value)
  if (winner === undefined) return null
  return sourceNames(request).find(([source]) => source === winner)?.[1] ?? null
}

function sourceNames(request: HttpRequest): readonly (readonly [ParameterMap | null, ExplainedArgument['source']])[] {
  const { json, query, form } = request.parsed
  return [
    [request.get_url_params(), 'path'],
    [json, 'JSON body'],
    [form, 'form'],
    [query, 'query'],
    [request.get_default_params(), 'default'],
  ]
}

/** The message of the error about one argument; null when the argument is valid. */
function faultOf(name: string, problem: RestError | null): string | null {
  const { params } = (problem?.data ?? {}) as { readonly params?: unknown }
  if (Array.isArray(params)) return params.includes(name) ? 'It is required and missing.' : null
  if (typeof params !== 'object' || params === null || !Object.hasOwn(params, name)) return null
  return String((params as Record<string, unknown>)[name])
}

function lineOf(
  { name, declared, source, sent, fault, ...rest }: ExplainedArgument,
  declaredNames: readonly string[],
): string {
  const origin = source === null ? 'absent' : `${valueText(sent)} (${source})`
  if (fault !== null) return `${name}: ${origin}. Refused: ${fault}`
  const change =
    'value' in rest && valueText(rest.value) !== valueText(sent) ? `, read as ${valueText(rest.value)}` : ''
  if (declared || source === 'path') return `${name}: ${origin}${change}`
  const nearestName = nearest(name, declaredNames)
  const suggestion = nearestName === null ? '' : ` Did you mean '${nearestName}'?`
  return `${name}: ${origin}. Not declared, so it is not validated.${suggestion}`
}

/** The value as JSON, at most 80 characters long. */
export function valueText(value: unknown): string {
  const text = completeText(value)
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}

/** `util.inspect` for values without a JSON form. */
function completeText(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'function') return 'a function'
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    // A callback may return any value, such as a bigint or an object that contains itself.
    return inspect(value, { depth: 1, breakLength: Infinity })
  }
}
