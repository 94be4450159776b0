import assert from 'node:assert/strict'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { boot, type Service } from '../../src/index.js'
import { skipWithoutGalera, startGalera } from '../support/servers/start-galera.js'
import { storeKinds } from '../support/store-kinds.js'
import { typescriptArguments } from '../support/typescript.js'
import { claimOptions, ClaimsApi, type Claim, type ClaimOutcome } from './claims-api.js'

const program = fileURLToPath(new URL('./claimant.ts', import.meta.url))
const processes = 4
const claimsOfProcess = 13
const rounds = 12

interface ClaimedStore {
  readonly name: string
  readonly skip: string | false
  /** @returns one address for each process. */
  create(): Promise<{ readonly urls: readonly string[]; drop(): Promise<void> | void }>
}

const stores: readonly ClaimedStore[] = [
  ...storeKinds.map((kind) => ({
    ...kind,
    async create() {
      const { url, drop } = await kind.create()
      return { urls: Array<string>(processes).fill(url), drop }
    },
  })),
  {
    name: 'a Galera cluster of three nodes',
    skip: skipWithoutGalera(),
    async create() {
      const nodes = await startGalera(3)
      const urls = Array.from({ length: processes }, (_, index) => nodes[index % nodes.length]?.url ?? '')
      return { urls, drop: async () => void (await Promise.all(nodes.map((node) => node.drop()))) }
    },
  },
]

async function openClaimant(url: string): Promise<ChildProcess> {
  const child = fork(program, [url], { execArgv: typescriptArguments })
  await once(child, 'message')
  return child
}

async function outcomesOf(child: ChildProcess, claims: readonly Claim[]): Promise<readonly ClaimOutcome[]> {
  const message = once(child, 'message')
  child.send(claims)
  return ((await message) as [readonly ClaimOutcome[]])[0]
}

for (const store of stores)
  describe(`claims of an id in ${processes} processes on ${store.name}`, { skip: store.skip, timeout: 600_000 }, () => {
    let service: Service
    let claimants: readonly ChildProcess[] = []
    let drop: () => Promise<void> | void = () => undefined
    before(async () => {
      const database = await store.create()
      drop = database.drop
      service = await boot([ClaimsApi], claimOptions(database.urls[0] ?? ''))
      claimants = await Promise.all(database.urls.map(openClaimant))
    })
    after(async () => {
      for (const child of claimants) child.kill('SIGKILL')
      await service.close()
      await drop()
    })

    /** All processes claim at once. */
    const claimed = async (claimOf: (index: number) => Claim): Promise<readonly ClaimOutcome[]> => {
      const outcomes = await Promise.all(
        claimants.map((child, process) =>
          outcomesOf(
            child,
            Array.from({ length: claimsOfProcess }, (_, index) => claimOf(process * claimsOfProcess + index)),
          ),
        ),
      )
      return outcomes.flat()
    }
    const idsOf = (outcomes: readonly ClaimOutcome[]): number[] =>
      outcomes.flatMap((outcome) => ('id' in outcome ? [outcome.id] : []))
    /** With more than one, the message tells which claims were told that they succeeded, and whose record there is. */
    const assertOneSucceeded = async (outcomes: readonly ClaimOutcome[], id: number): Promise<void> => {
      assert.deepEqual([...refusalsOf(outcomes)], ['invalid_post_id'])
      const ids = idsOf(outcomes)
      if (ids.length === 1) return assert.equal(ids[0], id)
      const claims = outcomes.flatMap((outcome, index) => ('id' in outcome ? [`claim ${index}`] : []))
      const record = await service.records.get(id, { type: 'claim' })
      assert.fail(`${id}: ${claims.join(', ')} succeeded. The record is that of ${record?.title}.`)
    }
    const refusalsOf = (outcomes: readonly ClaimOutcome[]): Set<string> =>
      new Set(outcomes.flatMap((outcome) => ('refusal' in outcome ? [outcome.refusal] : [])))

    for (const inTransaction of [false, true])
      it(`exactly one of ${processes * claimsOfProcess} succeeds, ${inTransaction ? 'in a transaction' : 'each by itself'}`, async () => {
        for (let round = 0; round < rounds; round += 1) {
          // Descending: the records of `attempt` get the ids after the greatest one.
          const id = 1_000_000 * (inTransaction ? 2 : 1) - round
          const outcomes = await claimed(() => ({ id, inTransaction }))
          await assertOneSucceeded(outcomes, id)
          const record = await service.records.get(id, { type: 'claim' })
          assert.equal(record?.title, `process ${Number(record?.meta['process'])}`)
        }
        const attempts = await service.records.count({ type: 'attempt' })
        assert.equal(attempts, inTransaction ? rounds : 0, 'the other writes of a refused claim are undone')
      })

    it('a claim of the next ids is refused or succeeds, and every insert without an id gets one of its own', async () => {
      const all = new Set<number>()
      for (let round = 0; round < rounds; round += 1) {
        const { id: last } = await service.records.insert({ type: 'claim', status: 'publish', title: 'last' })
        all.add(last)
        const outcomes = await claimed((index) => ({
          id: index % 2 === 0 ? null : last + 1 + (index % 9),
          inTransaction: index % 3 === 0,
        }))
        const refusals = refusalsOf(outcomes)
        refusals.delete('invalid_post_id')
        assert.deepEqual([...refusals], [])
        const ids = idsOf(outcomes)
        assert.ok(ids.length >= (processes * claimsOfProcess) / 2, `${ids.length} were inserted`)
        for (const id of ids) {
          assert.ok(!all.has(id), `the id ${id} was given twice`)
          all.add(id)
        }
      }
    })

    it('an id whose record was deleted can be claimed again, by one', async () => {
      const id = 3_000_000
      for (let round = 0; round < rounds; round += 1) {
        const outcomes = await claimed(() => ({ id, inTransaction: false }))
        await assertOneSucceeded(outcomes, id)
        assert.equal(await service.records.delete(id), true)
      }
    })
  })
