import { inspect, type Plan } from '../app/plan.js'
import { serviceRoutes } from '../app/service-routes.js'
import { openApiDocument } from '../documents/openapi-document.js'
import { summaryOf, type RouteSummary } from '../routing/route-summary.js'
import { handlersAt } from './application.js'
import { CommandError } from './command-error.js'
import type { Output } from './output.js'

/** Prints the routes of an application as an OpenAPI 3.1 document. */
export async function printOpenApi(
  folder: string,
  options: { readonly baseUrl?: string; readonly all?: boolean },
  output: Output,
): Promise<void> {
  const plan = await validPlan(folder)
  const { rest_prefix, site } = plan.options
  const facts = {
    title: site?.name ?? 'REST API',
    baseUrl: siteAddress(options.baseUrl, plan),
    restPrefix: rest_prefix,
  }
  const routes = publishedRoutes(plan)
  output.json(openApiDocument(routes, facts, options.all === true ? serviceRoutes(routes) : []))
}

/**
 * The address of the site without a trailing slash.
 * @param baseUrl the option of the command line. Default: the configuration, else `http://localhost:8080`.
 * @throws CommandError when it is not an http or https URL.
 */
export function siteAddress(baseUrl: string | undefined, { options }: Plan): string {
  const address = (baseUrl ?? options.base_url ?? 'http://localhost:8080').replace(/\/+$/, '')
  if (/^https?:\/\/./.test(address) && URL.canParse(address)) return address
  throw new CommandError(
    'site-address-unusable',
    `'${address}' is not the address of a site. Give one such as https://shop.example`,
  )
}

/** The plan of an application. @throws CommandError when the application does not start. */
export async function validPlan(folder: string): Promise<Plan> {
  const { handlers, configuration } = await handlersAt(folder)
  const plan = await inspect(handlers, {}, configuration, { builds: false })
  if (plan.diagnostics.length > 0)
    throw new CommandError('application-faulty', `This application does not start. See: as-rest-route check ${folder}`)
  return plan
}

/** All routes except those with `show_in_index: false`. */
export function publishedRoutes({ application, options }: Plan): readonly RouteSummary[] {
  return application.routes
    .filter(({ declaration }) => declaration.show_in_index !== false)
    .map((route) => summaryOf(route, options.rest_default_capability))
}
