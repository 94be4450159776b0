import type { ThrownErrorCode } from '../base/thrown-errors.js'
import type { Fault } from '../base/fault.js'
import { sourceLocationText, type SourceLocation } from '../routing/source-location.js'

/** One reason not to start. `code` does not change and has a heading in docs/errors.md; the message may be reworded. */
export interface Diagnostic extends Fault {
  readonly location: SourceLocation | null
  /** `ProductsApi.show (GET shop/v1/products/(?P<id>\d+))`, or another faulty thing. */
  readonly subject: string
}

/** The service does not start; every diagnostic is listed. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
  readonly code = 'startup-refused' satisfies ThrownErrorCode
  /** Not enumerable: a runtime that prints the error would print each of them a second time, after the message. */
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
