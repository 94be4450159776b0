import { hasConditional } from '../routing/conditional.js'
import type { Endpoint } from '../routing/endpoint.js'
import type { DeclaredAround } from '../routing/handler-class.js'
import { sourceLocationText, type SourceLocation } from '../routing/source-location.js'
import type { ExplainedService } from './explained-service.js'
import type { ExplainedAround, Step } from './explanation.js'
import { summaryOfEndpoint } from './route-step.js'

/** Names the functions around the handler in the order in which they run. They are not run. */
export function explainAround(
  endpoint: Endpoint,
  method: string,
  { routes }: ExplainedService,
): { readonly step: Step; readonly functions: readonly ExplainedAround[] } {
  const summary = summaryOfEndpoint(endpoint, method, routes)
  const functions = (summary?.around ?? []).map(explainedAround)
  const lines = functions.map((each, index) => `${index + 1}. ${aroundText(each, summary?.place ?? null)}`)
  lines.push(lines.length === 0 ? 'No function is declared around the handler.' : notRun)
  return { step: { name: 'around', outcome: 'passed', lines }, functions }
}

const notRun = 'They were not run. Each of them may refuse the request, or answer it without the handler.'

function explainedAround({ around, declaredIn, owner }: DeclaredAround): ExplainedAround {
  const call = around as (...parameters: never[]) => unknown
  return { name: hasConditional([call]) ? 'conditional' : call.name || null, declaredIn, owner }
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
