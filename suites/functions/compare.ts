import { Random } from '../support/random.js'
import { callOf, type Call, notCompared } from './calls.js'
import { askPhp, comparable, type Wordpress, withTexts } from './peer.js'
import { decoded } from './texts.js'

export interface Finding {
  readonly index: number
  readonly call: string
  readonly ours: string
  readonly theirs: string
}

export interface Comparison {
  readonly findings: readonly Finding[]
  /** The number of compared calls, by the name of the function. */
  readonly compared: ReadonlyMap<string, number>
  /** The number of calls at which PHP itself failed, by the name of the function. They count for nothing. */
  readonly failed: ReadonlyMap<string, number>
  /** The number of differences that the documentation lists. */
  readonly documented: number
}

/** Calls for one process of PHP. */
const batchSize = 20_000

/** Compares the calls `first` to `first + count - 1` of a seed. */
export async function compareCalls(
  wordpress: Wordpress,
  { seed, first, count }: { seed: number; first: number; count: number },
): Promise<Comparison> {
  const findings: Finding[] = []
  const compared = new Map<string, number>()
  const failed = new Map<string, number>()
  let documented = 0
  for (let start = first; start < first + count; start += batchSize) {
    const length = Math.min(batchSize, first + count - start)
    const calls = Array.from({ length }, (_, index) => callOf(new Random(seed, start + index), wordpress))
    const results = await askPhp(calls.map(({ line }) => line))
    for (const [index, call] of calls.entries()) {
      const result = results[index]
      if (result === undefined) {
        failed.set(call.name, (failed.get(call.name) ?? 0) + 1)
        continue
      }
      const own = resultOf(call)
      if (own === notCompared) continue
      const [ours, theirs] = [comparable(withTexts(own, decoded)), comparable(call.read?.(result) ?? result)]
      if (ours !== theirs && call.isKnown?.(own, result) === true) {
        documented += 1
        continue
      }
      compared.set(call.name, (compared.get(call.name) ?? 0) + 1)
      if (ours !== theirs) findings.push({ index: start + index, call: call.line, ours, theirs })
    }
  }
  return { findings, compared, failed, documented }
}

function resultOf({ ours }: Call): unknown {
  try {
    return ours()
  } catch (error) {
    return { thrown: String(error) }
  }
}
