import { inspect } from '../boot.js'
import { faultText } from '../discovery/fault.js'
import { applicationAt } from './application.js'
import { CommandFailed } from './fail.js'
import type { Output } from './output.js'

/** Looks for every fault that would stop a start, without starting. @throws CommandFailed when there is one. */
export async function check(folder: string, { json }: { readonly json?: boolean }, output: Output): Promise<void> {
  const { handlers } = await applicationAt(folder)
  const { faults, routes } = await inspect(handlers)
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
    if (faults.length === 0) output.line(`${routes.length} routes, no fault.`)
  }
  if (faults.length > 0) throw new CommandFailed(faults.length === 1 ? 'One fault.' : `${faults.length} faults.`)
}
