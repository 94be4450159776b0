import { boot, RecordRejectedError, type RecordStore } from '../../src/index.js'
import { claimOptions, ClaimsApi, type Claim, type ClaimOutcome } from './claims-api.js'

// The program of one process that claims ids. It sends `null` when it is ready, and for each list of claims their outcomes.

const [, , database = ''] = process.argv
const { records } = await boot([ClaimsApi], claimOptions(database))

const claimant = { type: 'claim', status: 'publish', title: `process ${process.pid}` }

async function insert(store: RecordStore, { id, inTransaction }: Claim): Promise<number> {
  const record = { ...claimant, ...(id !== null && { id }), meta: { process: process.pid } }
  if (!inTransaction) return (await store.insert(record)).id
  return store.transaction(async (inside) => {
    const { id: parent } = await inside.insert({ type: 'attempt', status: 'publish', title: 'Attempt' })
    return (await inside.insert({ ...record, parent })).id
  })
}

const outcomeOf = (claim: Claim): Promise<ClaimOutcome> =>
  insert(records, claim).then(
    (id) => ({ id }),
    (error: unknown) => ({
      refusal: error instanceof RecordRejectedError ? error.code : String((error as Error).stack),
    }),
  )

process.on('message', (claims: readonly Claim[]) => {
  void Promise.all(claims.map(outcomeOf)).then((outcomes) => process.send?.(outcomes))
})
process.on('disconnect', () => process.exit())
process.send?.(null)
