import { wordpressFunctions } from '../../src/sanitizers/wordpress-functions.js'
import { allFailed, replayCases, type ReplayFile } from './replay-cases.js'

/** `functions/*`: direct calls of a function by its name in WordPress. */
export const replayFunctions: ReplayFile = async (file) => {
  const name = String(file.function)
  const call = wordpressFunctions.get(name)
  if (!call) return allFailed(file, `${name} is not a function of ours`)
  return replayCases(file, ({ args }) => {
    const [value, ...more] = args as unknown[]
    return { actual: { expect: call(value, ...more) } }
  })
}
