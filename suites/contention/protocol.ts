import type { Acknowledged } from '../../test/contracts/contention/client.js'

export interface Contention {
  readonly url: string
  readonly keeper: number
  readonly seed: number
  readonly seconds: number
  readonly clients: number
}

export interface Contended {
  readonly acknowledged: Acknowledged
}
