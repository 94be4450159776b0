// `npm run test:security`: attacks on who may do what, on credentials, caches, redirects, pages and sizes.
import { numericOptions } from '../support/numeric-options.js'
import { Random } from '../support/random.js'
import { ServiceProcess } from '../support/service-process.js'
import { attackWithSize } from './abuse.js'
import { attackCaches } from './caches.js'
import { attackCredentials } from './forgery.js'
import { attackWithInjection } from './injection.js'
import { attackMatrix } from './matrix.js'
import { attackPageCredentials } from './page-credentials.js'
import type { Member, Site } from './protocol.js'
import { attackRedirects } from './redirects.js'
import { Target } from './target.js'

const { seed, scale } = numericOptions({
  seed: 1,
  /** How much is tried: 1 in CI, 10 in the long form. */
  scale: 1,
})

const attacks: readonly (readonly [name: string, attack: (target: Target) => Promise<void>])[] = [
  ['authorisation', attackMatrix],
  ['forged credentials', attackCredentials],
  ['credentials of pages', attackPageCredentials],
  ['caches', attackCaches],
  ['redirects', attackRedirects],
  ['injection', attackWithInjection],
  ['size', attackWithSize],
]

const print = (line: string): void => void process.stdout.write(`${line}\n`)
/**
 * In MiB. The young generation grows with an input until it has its usual maximum, and what does not fit is copied. Times of
 * different sizes compare when all of them fit.
 */
const youngGeneration = 128
const service = new ServiceProcess(new URL('./service.ts', import.meta.url), undefined, [
  `--max-semi-space-size=${youngGeneration}`,
  `--min-semi-space-size=${youngGeneration}`,
])
const site = await service.call<Site>('start')
print(`seed ${seed}, scale ${scale}`)
let failed = 0
for (const [position, [name, attack]] of attacks.entries()) {
  const members = await service.call<readonly Member[]>('refreshed')
  const target = new Target(service, { ...site, members }, new Random(seed, position), scale)
  const started = performance.now()
  try {
    await attack(target)
  } catch (error) {
    target.check(`The attack stopped: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  }
  target.close()
  failed += target.findings.length
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  print(`${name}: ${target.checks} checks in ${seconds} s, ${target.findings.length} findings`)
  for (const note of target.notes) print(`  ${note}`)
  for (const finding of target.findings.slice(0, 20)) print(`  FINDING ${finding}`)
}
await service.end()
process.exitCode = failed > 0 ? 1 : 0
