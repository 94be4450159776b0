import { restErrorOf } from '../http/rejected-error.js'
import { RestError } from '../http/rest-error.js'
import { authorize, isOutOfScope } from '../pipeline/authorize.js'
import { decide, isVerdict } from '../auth/decision.js'
import type { Requirement } from '../auth/requirement.js'
import type { HttpRequest } from '../http/http-request.js'
import type { Endpoint } from '../routing/endpoint.js'
import type { Decisions } from '../routing/permission.js'
import { valueText } from './arguments-step.js'
import type { ExplainedPermission, Step } from './explanation.js'

export interface PermissionStep {
  readonly step: Step
  readonly permission: ExplainedPermission
  readonly refusal: RestError | null
}

/**
 * Explains whether the caller of the request may call the endpoint. A permission callback is run with this caller as the
 * current user, and with read-only storage.
 * @throws an error of the callback that is neither a `RestError` nor a `RejectedError`.
 */
export async function explainPermission(
  request: HttpRequest,
  endpoint: Endpoint,
  decisions: Decisions,
): Promise<PermissionStep> {
  const { requirement } = endpoint.permission
  const isLimited = isOutOfScope(request, request.method)
  const verdict = await verdictOf(request, endpoint, decisions)
  const refusal = decide(verdict, request.user)
  const reasons = isLimited
    ? ['The application password of this request is limited to other routes or methods. No permission was asked.']
    : [requirementLine(requirement), ...verdictLines(requirement, verdict)]
  const lines = [...reasons, refusal ? refusalLine(refusal) : 'Admitted.']
  return {
    step: { name: 'permission', outcome: refusal ? 'refused' : 'passed', lines },
    permission: { requirement, verdict: refusal ? 'denied' : 'admitted' },
    refusal,
  }
}

/** The value that the callback returns, or the error for the response that it throws. */
async function verdictOf(request: HttpRequest, endpoint: Endpoint, decisions: Decisions): Promise<unknown> {
  try {
    return await authorize(request, endpoint, decisions)
  } catch (error) {
    const answerable = restErrorOf(error)
    if (answerable) return answerable
    throw error
  }
}

function requirementLine(requirement: Requirement): string {
  switch (requirement.kind) {
    case 'anyone':
      return `permission: 'public' admits every caller.`
    case 'logged-in':
      return 'No permission is declared: any logged-in user is admitted (rest_default_capability is null).'
    case 'capability':
      return `No permission is declared: the capability ${requirement.name} is required (rest_default_capability).`
    case 'callback':
      return `${requirement.method}() was called with this request and this caller. It could read data, but not change data.`
  }
}

function verdictLines({ kind }: Requirement, verdict: unknown): string[] {
  if (kind !== 'callback' || verdict instanceof RestError) return []
  return isVerdict(verdict)
    ? [`It returned ${String(verdict)}.`]
    : [`It returned ${valueText(verdict)}, which is not a boolean. Only true admits.`]
}

function refusalLine(refusal: RestError): string {
  return `Refused with ${refusal.code}: ${refusal.message}`
}
