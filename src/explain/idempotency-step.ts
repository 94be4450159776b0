import { restErrorOf } from '../http/rejected-error.js'
import type { HttpRequest } from '../http/http-request.js'
import type { Pipeline } from '../pipeline/pipeline.js'
import type { Endpoint } from '../routing/endpoint.js'
import type { HandlerMatch } from '../routing/table.js'
import type { EarlyResponse } from './draft.js'
import type { Step } from './explanation.js'

/** A step, and what it decides; null when the next step follows. */
export interface ExplainedStep {
  readonly step: Step
  readonly earlyResponse: EarlyResponse | null
}

/**
 * Explains whether the header `Idempotency-Key` decides the response: it is missing or invalid, or an earlier request had it.
 * Nothing is stored under the key. @throws StorageError
 */
export async function explainIdempotencyKey(
  request: HttpRequest,
  match: HandlerMatch<Endpoint>,
  pipeline: Pipeline,
): Promise<ExplainedStep> {
  const name = 'idempotency key'
  const { idempotencyKey, name: handler } = match.handler
  if (!idempotencyKey)
    return { step: { name, outcome: 'passed', lines: ['The route declares no idempotency_key.'] }, earlyResponse: null }
  try {
    const response = await pipeline.findRepeated(request, match)
    if (response === null)
      return { step: { name, outcome: 'passed', lines: [passedLine(request)] }, earlyResponse: null }
    const source = `the stored response to the first request with this Idempotency-Key. ${handler} is not called.`
    const line = 'An earlier request of this caller to this route had the same key. Its stored response is sent again.'
    return { step: { name, outcome: 'answered', lines: [line] }, earlyResponse: { response, source } }
  } catch (thrown) {
    const error = restErrorOf(thrown)
    if (error === null) throw thrown
    const lines = [`Refused with ${error.code}: ${error.message}`]
    return { step: { name, outcome: 'refused', lines }, earlyResponse: { step: name, error } }
  }
}

function passedLine(request: HttpRequest): string {
  return request.get_header('Idempotency-Key') === null
    ? 'The header Idempotency-Key is optional and was not sent.'
    : 'No earlier request of this caller to this route had this key. This one is not stored under it.'
}
