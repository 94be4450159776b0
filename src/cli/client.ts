import { clientSource } from '../documents/client-source.js'
import { siteAddress, shownRoutes, soundPlan } from './openapi.js'
import type { Output } from './output.js'

/** Prints a typed client of an application's routes. */
export async function printClient(folder: string, given: { readonly baseUrl?: string }, output: Output): Promise<void> {
  const plan = await soundPlan(folder)
  const root = `${siteAddress(given.baseUrl, plan)}/${plan.options.rest_prefix}`
  output.write(clientSource(shownRoutes(plan), root))
}
