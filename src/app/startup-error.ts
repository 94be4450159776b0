import { placeText, type Place } from '../routing/source-location.js'

/** One reason not to start: where, and a sentence that says what is wrong and what to do. */
export interface StartFault {
  readonly place: Place | null
  /** `ProductsApi.show (GET shop/v1/products/(?P<id>\d+))`, or what else is at fault. */
  readonly subject: string
  readonly sentence: string
}

/** The service does not start; every fault that was found is listed. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused'
  constructor(readonly faults: readonly StartFault[]) {
    super(
      `The service does not start: ${faults.length === 1 ? 'one fault' : `${faults.length} faults`}.\n` +
        faults.map((fault) => `  ${faultText(fault)}`).join('\n'),
    )
  }
}

/** `app/products.ts:12  ProductsApi.show (GET …): permission 'canEditt' is not a method …` */
export function faultText({ place, subject, sentence }: StartFault): string {
  return `${place ? `${placeText(place)}  ` : ''}${subject}: ${sentence}`
}
