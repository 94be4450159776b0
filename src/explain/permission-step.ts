import { answerableError } from '../http/rejected-error.js'
import { RestError } from '../http/rest-error.js'
import { decide, isVerdict } from '../auth/decision.js'
import type { Requirement } from '../auth/requirement.js'
import type { HttpRequest } from '../http/rest-request.js'
import { permissionOf, type Decisions } from '../pipeline/decisions.js'
import type { Endpoint } from '../routing/endpoint.js'
import { shown } from './arguments-step.js'
import type { ExplainedPermission, Step } from './explanation.js'

export interface PermissionStep {
  readonly step: Step
  readonly permission: ExplainedPermission
  readonly refusal: RestError | null
}

/**
 * Whether this caller may; a permission callback is really run, on his behalf and on data that it cannot change.
 * @throws whatever the callback throws that is neither a RestError nor a rejection.
 */
export async function explainPermission(
  request: HttpRequest,
  endpoint: Endpoint,
  decisions: Decisions,
): Promise<PermissionStep> {
  const { requirement } = endpoint
  const asked = requirementLine(requirement)
  const verdict = await verdictOf(request, endpoint, decisions)
  const refusal = decide(verdict, request.user)
  const lines = [asked, ...verdictLines(requirement, verdict), refusal ? refusalLine(refusal) : 'Admitted.']
  return {
    step: { name: 'permission', outcome: refusal ? 'refused' : 'passed', lines },
    permission: { requirement, verdict: refusal ? 'denied' : 'admitted' },
    refusal,
  }
}

/** @throws whatever the callback throws that is neither a RestError nor a rejection. */
async function verdictOf(request: HttpRequest, endpoint: Endpoint, decisions: Decisions): Promise<unknown> {
  try {
    return await permissionOf(request, endpoint, decisions)
  } catch (error) {
    const answerable = answerableError(error)
    if (answerable) return answerable
    throw error
  }
}

function requirementLine(requirement: Requirement): string {
  switch (requirement.kind) {
    case 'anyone':
      return `permission: 'public' admits everybody.`
    case 'logged-in':
      return 'No permission is declared: any logged-in user may (rest_default_capability is null).'
    case 'capability':
      return `No permission is declared: the capability ${requirement.name} is asked for (rest_default_capability).`
    case 'callback':
      return `${requirement.method}() was asked, as this caller and with this request; it could read the data, not change them.`
  }
}

function verdictLines({ kind }: Requirement, verdict: unknown): string[] {
  if (kind !== 'callback' || verdict instanceof RestError) return []
  return isVerdict(verdict)
    ? [`It returned ${String(verdict)}.`]
    : [`It returned ${shown(verdict)}, which is no boolean: only true admits.`]
}

function refusalLine(refusal: RestError): string {
  return `Refused with ${refusal.code}: ${refusal.message}`
}
