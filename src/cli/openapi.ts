import { inspect, type Plan } from '../app/plan.js'
import { openApiDocument } from '../documents/openapi-document.js'
import { summaryOf, type RouteSummary } from '../routing/route-summary.js'
import { handlersAt } from './application.js'
import { CommandError } from './fail.js'
import type { Output } from './output.js'

/** Prints an application's routes as OpenAPI 3.1. */
export async function printOpenApi(
  folder: string,
  given: { readonly baseUrl?: string },
  output: Output,
): Promise<void> {
  const plan = await soundPlan(folder)
  const { rest_prefix, site } = plan.options
  output.json(
    openApiDocument(shownRoutes(plan), {
      title: site?.name ?? 'REST API',
      baseUrl: siteAddress(given.baseUrl, plan),
      restPrefix: rest_prefix,
    }),
  )
}

/** Without a trailing slash. @throws CommandError for what is no address. */
export function siteAddress(given: string | undefined, { options }: Plan): string {
  const address = (given ?? options.base_url ?? 'http://localhost:8080').replace(/\/+$/, '')
  if (/^https?:\/\/./.test(address) && URL.canParse(address)) return address
  throw new CommandError(`'${address}' is not the address of a site. Give one such as https://shop.example`, 2)
}

/** @throws CommandError for an application that does not start. */
export async function soundPlan(folder: string): Promise<Plan> {
  const { handlers, configuration } = await handlersAt(folder)
  const plan = await inspect(handlers, {}, configuration)
  if (plan.diagnostics.length > 0)
    throw new CommandError(`This application does not start. See: as-rest-route check ${folder}`)
  return plan
}

/** Routes that hide from the index hide here too. */
export function shownRoutes({ application, options }: Plan): readonly RouteSummary[] {
  return application.routes
    .filter(({ declaration }) => declaration.show_in_index !== false)
    .map((route) => summaryOf(route, options.rest_default_capability))
}
