import { inspect } from '../app/plan.js'
import { configurationFault } from '../app/configuration.js'
import { diagnosticText, referenceText, type Diagnostic } from '../app/startup-error.js'
import { handlersAt } from './application.js'
import { CommandError } from './command-error.js'
import { counted, type Output } from './output.js'

export interface CheckOptions {
  readonly json?: boolean
  /** Whether the classes are built, and their dependencies checked. Default false. */
  readonly build?: boolean
}

/** Prints every diagnostic that a start would have, without starting. @throws CommandError when there is one. */
export async function check(folder: string, { json, build = false }: CheckOptions, output: Output): Promise<void> {
  const { faults, routes } = await diagnose(folder, build)
  if (json) {
    output.json(
      faults.map(({ code, location, subject, message }) => ({
        code,
        file: location?.file ?? null,
        line: location?.line ?? null,
        subject,
        message,
      })),
    )
  } else {
    for (const fault of faults) output.line(diagnosticText(fault))
    if (faults.length === 0) output.line(`${counted(routes, 'route')}, no fault.`)
  }
  if (faults.length > 0)
    throw new CommandError(
      'application-faulty',
      `${faults.length === 1 ? 'One fault' : `${faults.length} faults`}. ${referenceText(faults)}`,
    )
}

/** The only diagnostic for a configuration that cannot be loaded: the rest depends on the configuration. */
async function diagnose(
  folder: string,
  build: boolean,
): Promise<{ readonly faults: readonly Diagnostic[]; readonly routes: number }> {
  try {
    const { handlers, configuration } = await handlersAt(folder)
    const { diagnostics, application, lifecycle } = await inspect(handlers, {}, configuration, { builds: build })
    await lifecycle.end()
    return { faults: diagnostics, routes: application.routes.length }
  } catch (error) {
    if (!(error instanceof CommandError) || error.exitCode === 2) throw error
    const { code } = configurationFault(error.cause)
    return { faults: [{ code, location: null, subject: 'configuration', message: error.message }], routes: 0 }
  }
}
