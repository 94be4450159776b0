import { basename } from 'node:path'
import type { DiagnosticCode } from '../base/startup-errors.js'

export const nestedBootCode = 'boot-in-handlers-folder' satisfies DiagnosticCode

/** A module in the folder of the handlers starts a service while it is loaded for another one. */
export class NestedBootError extends Error {
  override readonly name = 'NestedBootError'
  readonly code = nestedBootCode

  /** @param file the module. */
  constructor(file: string) {
    super(
      "boot() was called by a module in the handlers' folder. Every module there is loaded to find the handler classes, " +
        `and must start nothing: move ${basename(file)} out, beside the folder.`,
    )
  }
}
