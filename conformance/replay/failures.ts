import { fileURLToPath } from 'node:url'
import { readExceptions } from '../report.js'
import type { CaseResult } from '../result.js'
import { readVectors } from '../vectors.js'
import { replayVectors } from './replay-vectors.js'

const exceptions = readExceptions(fileURLToPath(new URL('../', import.meta.url)))

/**
 * The cases of a recorded file that fail and are not excused, by a rule or in `exceptions.json`. For tests beside the
 * sources: `assert.deepEqual(await failuresIn('routes'), [])`.
 */
export async function failuresIn(name: string): Promise<Pick<CaseResult, 'id' | 'differences'>[]> {
  const results = await replayVectors(readVectors(name))
  return results
    .filter(({ id, passed, quirk }) => !passed && !quirk && !exceptions.has(`vectors/${name} ${id}`))
    .map(({ id, differences }) => ({ id, differences }))
}
