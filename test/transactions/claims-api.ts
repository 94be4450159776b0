import { silent } from '../../src/log/log.js'
import { AsRestRoute, type BootOptions } from '../../src/index.js'

export interface Claim {
  /** Null: the next free id. */
  readonly id: number | null
  /** Whether the claim follows another insert of the same transaction. */
  readonly inTransaction: boolean
}

/** The id that was inserted, or the code of the `RecordRejectedError`. Any other error is its stack. */
export type ClaimOutcome = { readonly id: number } | { readonly refusal: string }

export class ClaimsApi {
  @AsRestRoute({ namespace: 'claims/v1', route: '/state', permission: 'public' })
  state() {
    return null
  }
}

/** Options of every process on this database. Four processes have 52 connections that write. */
export const claimOptions = (database: string): BootOptions => ({
  database,
  database_pool: 13,
  secrets: {},
  synchronous: 'NORMAL',
  record_types: { claim: { meta: { process: { type: 'integer' } } }, attempt: {} },
  log: silent,
})
