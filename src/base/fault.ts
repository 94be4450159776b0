import type { DiagnosticCode } from './startup-errors.js'

/** A mistake in a declaration or an option. */
export interface Fault {
  readonly code: DiagnosticCode
  /** The fault and its remedy, as sentences. */
  readonly message: string
}

export const fault = (code: DiagnosticCode, message: string): Fault => ({ code, message })
