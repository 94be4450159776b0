import type { ThrownErrorCode } from '../base/thrown-errors.js'
import type { Fault } from '../base/fault.js'
import { sourceLocationText, type SourceLocation } from '../routing/source-location.js'

/** A fault that prevents the start. `code` does not change, and is a heading of docs/errors.md; the message may be reworded. */
export interface Diagnostic extends Fault {
  /** Null when the fault has no place in a source file. */
  readonly location: SourceLocation | null
  /** What is faulty: a route as `ProductsApi.show (GET shop/v1/products/(?P<id>\d+))`, or such as `option cors`. */
  readonly subject: string
}

/** The service does not start; every diagnostic is listed. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
  readonly code = 'startup-refused' satisfies ThrownErrorCode
  /** Not enumerable: Node prints enumerable members of an error after its message, which already lists the diagnostics. */
  declare readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: readonly Diagnostic[], options?: ErrorOptions) {
    const count = diagnostics.length === 1 ? 'one fault' : `${diagnostics.length} faults`
    const lines = diagnostics.map((each) => `  ${diagnosticText(each)}`)
    super([`The service does not start: ${count}.`, ...lines, referenceText(diagnostics)].join('\n'), options)
    Object.defineProperty(this, 'diagnostics', { value: diagnostics })
  }
}

/** `app/products.ts:12  ProductsApi.show (GET …): permission 'canEditt' is not a method … [permission-unknown]` */
export function diagnosticText({ code, location, subject, message }: Diagnostic): string {
  return `${location ? `${sourceLocationText(location)}  ` : ''}${subject}: ${message} [${code}]`
}

/** Where the codes of these diagnostics are documented, as the last line of a report. */
export function referenceText(diagnostics: readonly Diagnostic[]): string {
  const codes = new Set(diagnostics.map(({ code }) => code))
  const [code = ''] = codes
  return `See docs/errors.md#${codes.size === 1 ? code : '<code>'} in the package as-rest-route`
}
