import { inspect } from '../app/plan.js'
import { faultText, type StartFault } from '../app/startup-error.js'
import { handlersAt } from './application.js'
import { CommandFailed } from './fail.js'
import { counted, type Output } from './output.js'

/** Looks for every fault that would stop a start, without starting. @throws CommandFailed when there is one. */
export async function check(folder: string, { json }: { readonly json?: boolean }, output: Output): Promise<void> {
  const { faults, routes } = await found(folder)
  if (json) {
    output.json(
      faults.map(({ place, subject, sentence }) => ({
        file: place?.file ?? null,
        line: place?.line ?? null,
        subject,
        sentence,
      })),
    )
  } else {
    for (const fault of faults) output.line(faultText(fault))
    if (faults.length === 0) output.line(`${counted(routes, 'route')}, no fault.`)
  }
  if (faults.length > 0) throw new CommandFailed(faults.length === 1 ? 'One fault.' : `${faults.length} faults.`)
}

/** A configuration that cannot be loaded is a fault like others: without it the rest is not to be found. */
async function found(folder: string): Promise<{ readonly faults: readonly StartFault[]; readonly routes: number }> {
  try {
    const { handlers, configuration } = await handlersAt(folder)
    const { faults, routes } = await inspect(handlers, {}, configuration)
    return { faults, routes: routes.length }
  } catch (error) {
    if (!(error instanceof CommandFailed) || error.exitCode === 2) throw error
    return { faults: [{ place: null, subject: 'configuration', sentence: error.message }], routes: 0 }
  }
}
