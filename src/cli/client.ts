import { clientSource } from '../documents/client-source.js'
import { siteAddress, publishedRoutes, validPlan } from './openapi.js'
import type { Output } from './output.js'

/** Prints a typed client for the routes of an application. */
export async function printClient(
  folder: string,
  options: { readonly baseUrl?: string },
  output: Output,
): Promise<void> {
  const plan = await validPlan(folder)
  const root = `${siteAddress(options.baseUrl, plan)}/${plan.options.rest_prefix}`
  output.write(clientSource(publishedRoutes(plan), root))
}
