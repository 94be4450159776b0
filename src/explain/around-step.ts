import { restErrorOf } from '../http/rejected-error.js'
import type { HttpRequest } from '../http/http-request.js'
import type { RestResponse } from '../http/rest-response.js'
import type { AroundFunction } from '../pipeline/around.js'
import { boundAround, hasConditional } from '../routing/conditional.js'
import type { Endpoint } from '../routing/endpoint.js'
import type { DeclaredAround } from '../routing/handler-class.js'
import { sourceLocationText, type SourceLocation } from '../routing/source-location.js'
import type { EarlyResponse } from './draft.js'
import type { ExplainedService } from './explained-service.js'
import type { ExplainedAround, Step } from './explanation.js'
import { summaryOfEndpoint } from './route-step.js'

export interface AroundStep {
  readonly step: Step
  readonly functions: readonly ExplainedAround[]
  readonly earlyResponse: EarlyResponse | null
}

/**
 * Explains the functions around the handler in the order in which they run. Results of `conditional` are run up to their call
 * of `next()`. From the first function of another kind on, no function is run, because its effects are unknown.
 * @throws an error of a callback that is neither a `RestError` nor a `RejectedError`.
 */
export async function explainAround(
  request: HttpRequest,
  endpoint: Endpoint,
  service: ExplainedService,
): Promise<AroundStep> {
  const summary = summaryOfEndpoint(endpoint, request.method, service.routes)
  const functions: ExplainedAround[] = []
  const lines: string[] = []
  let earlyResponse: EarlyResponse | null = null
  let isRunning = true
  for (const declared of summary?.around ?? []) {
    const isConditional = hasConditional([declared.around as object])
    isRunning &&= isConditional && earlyResponse === null
    const result: Result = isRunning ? await run(declared.around as AroundFunction, request, service) : notRun
    earlyResponse ??= result.earlyResponse
    const each = explainedAround(declared, result.outcome)
    functions.push(each)
    lines.push(`${functions.length}. ${aroundText(each, summary?.place ?? null)} ${result.line}`)
    if (result === notRun && isConditional && earlyResponse === null) lines.push(...preconditionLines(request))
  }
  if (lines.length === 0) lines.push('No function is declared around the handler.')
  else if (earlyResponse === null && functions.some(({ outcome }) => outcome === 'not run')) lines.push(mayAnswer)
  const outcome = earlyResponse === null ? 'passed' : 'error' in earlyResponse ? 'refused' : 'answered'
  return { step: { name: 'around', outcome, lines }, functions, earlyResponse }
}

const mayAnswer =
  'A function that was not run may refuse the request, or answer it without the functions after it and the handler.'

interface Result {
  readonly outcome: ExplainedAround['outcome']
  readonly line: string
  readonly earlyResponse: EarlyResponse | null
}

const notRun: Result = { outcome: 'not run', line: 'Not run.', earlyResponse: null }

async function run(conditional: AroundFunction, request: HttpRequest, service: ExplainedService): Promise<Result> {
  try {
    const response = await responseBeforeNext(conditional, request, service)
    if (response === null)
      return { outcome: 'passed', line: 'It was run, and calls the next function.', earlyResponse: null }
    const source = 'a function of conditional answers, because the client has this version.'
    return { outcome: 'answered', line: `It answers with ${response.status}.`, earlyResponse: { response, source } }
  } catch (thrown) {
    const error = restErrorOf(thrown)
    if (error === null) throw thrown
    return {
      outcome: 'refused',
      line: `Refused with ${error.code}: ${error.message}`,
      earlyResponse: { step: 'around', error },
    }
  }
}

/** The response of a function around the handler; null when it calls `next()`, which ends the run. @throws its errors. */
async function responseBeforeNext(
  conditional: AroundFunction,
  request: HttpRequest,
  { bind }: ExplainedService,
): Promise<RestResponse | null> {
  const end = new Error('next() was called in an explanation.')
  try {
    return (await boundAround(conditional, bind)(request, () => Promise.reject(end))) as RestResponse
  } catch (thrown) {
    if (thrown === end) return null
    throw thrown
  }
}

/** What a function of `conditional` that was not run may answer. */
function preconditionLines(request: HttpRequest): readonly string[] {
  const isReading = request.method === 'GET' || request.method === 'HEAD'
  const responses = { 'If-Match': precondition, 'If-None-Match': isReading ? '304' : precondition }
  return Object.entries(responses)
    .filter(([header]) => request.get_header(header) !== null)
    .map(
      ([header, response]) =>
        `The response may be ${response}: ${header} is compared with the version of the resource, which this function reads.`,
    )
}

const precondition = '412 rest_precondition_failed'

function explainedAround(
  { around, declaredIn, owner }: DeclaredAround,
  outcome: ExplainedAround['outcome'],
): ExplainedAround {
  const call = around as AroundFunction
  return { name: hasConditional([call]) ? 'conditional' : call.name || null, declaredIn, owner, outcome }
}

function aroundText({ name, declaredIn, owner }: ExplainedAround, place: SourceLocation | null): string {
  return `${name ?? 'A function without a name'}, ${listText(declaredIn, owner, place)}.`
}

function listText(
  declaredIn: ExplainedAround['declaredIn'],
  owner: string | null,
  place: SourceLocation | null,
): string {
  switch (declaredIn) {
    case 'configuration':
      return 'in around of the configuration'
    case 'class':
      return `in the static around of ${owner}`
    case 'declaration':
      return `in around of the declaration of ${owner}${place ? ` at ${sourceLocationText(place)}` : ''}`
  }
}
