import { sourceLocationText, type SourceLocation } from '../routing/source-location.js'

/** One reason not to start: where, and a sentence that says what is wrong and what to do. */
export interface Diagnostic {
  readonly location: SourceLocation | null
  /** `ProductsApi.show (GET shop/v1/products/(?P<id>\d+))`, or what else is at fault. */
  readonly subject: string
  readonly message: string
}

/** The service does not start; every diagnostic is listed. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: readonly Diagnostic[]) {
    const count = diagnostics.length === 1 ? 'one fault' : `${diagnostics.length} faults`
    super(`The service does not start: ${count}.\n${diagnostics.map((each) => `  ${diagnosticText(each)}`).join('\n')}`)
    this.diagnostics = diagnostics
  }
}

/** `app/products.ts:12  ProductsApi.show (GET …): permission 'canEditt' is not a method …` */
export function diagnosticText({ location, subject, message }: Diagnostic): string {
  return `${location ? `${sourceLocationText(location)}  ` : ''}${subject}: ${message}`
}
