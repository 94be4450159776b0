import type { IncomingRequest } from '../http/exchange.js'
import type { ParsedRequest } from '../http/parsed-request.js'
import type { RouteTarget } from '../routing/path.js'
import type { ExplainedService } from './explained-service.js'
import type { Step } from './explanation.js'

/** Explains whether the request reaches the API, by its path or by the parameter `rest_route`. */
export function explainPath(
  incoming: IncomingRequest,
  parsed: ParsedRequest,
  { core, restPrefix }: ExplainedService,
): { readonly target: RouteTarget; readonly step: Step } {
  const { path } = incoming
  const target = isProbe(path) ? ({ kind: 'site', path } as const) : core.targetOf(incoming, parsed)
  const lines = [targetLine(target, incoming, parsed, restPrefix), ...methodLines(incoming, parsed)]
  return { target, step: { name: 'path', outcome: target.kind === 'rest' ? 'passed' : 'refused', lines } }
}

const isProbe = (path: string): boolean => path === '/healthz' || path === '/readyz'

function targetLine(target: RouteTarget, { path }: IncomingRequest, { query }: ParsedRequest, prefix: string): string {
  switch (target.kind) {
    case 'rest':
      return Object.hasOwn(query, 'rest_route')
        ? `The parameter rest_route contains ${target.path}.`
        : `${path} is ${target.path} below /${prefix}.`
    case 'refused':
      return target.error.message
    case 'site':
      if (target.path !== path) return 'A parameter rest_route that is empty or 0 selects the front page.'
      return isProbe(path)
        ? `${path} is for load balancers. It is answered before any other step.`
        : `${path} does not begin with /${prefix}/, and there is no parameter rest_route.`
  }
}

function methodLines({ method: sent }: IncomingRequest, { method, overridden }: ParsedRequest): string[] {
  if (method === sent) return []
  const cause = overridden ? 'the header X-HTTP-Method-Override' : 'the parameter _method'
  return [`${sent} is served as ${method === '' ? '(no method)' : method}, because of ${cause}.`]
}
