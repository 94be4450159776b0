// `npm run fuzz:serialized`: values in PHP's serialisation, as WordPress sites store them, changed in few places. They are
// read here and, where php is installed, by PHP.
import { Random } from '../support/random.js'
import { numericOptions } from '../support/numeric-options.js'
import { findingsIn, hasPhp } from './compare.js'

const { seed, count, first, findings: maxFindings } = numericOptions({ seed: 1, count: 20_000, first: 0, findings: 10 })
const print = (line: string): void => void process.stdout.write(`${line}\n`)

if (!hasPhp() && process.env['CI'] === 'true') throw new Error("There is no php here: install Debian's php-cli.")
const started = performance.now()
const { findings, read, slowest } = await findingsIn(
  { first, count, maxFindings },
  (stream) => new Random(seed, stream),
)
for (const { index, shape, text, fault } of findings) {
  print(`\nFINDING a value like ${shape} ${fault}`)
  print(`  text: ${JSON.stringify(text.slice(0, 2000))}`)
  print(`  again: npm run fuzz:serialized -- --seed ${seed} --first ${index} --count 1`)
}
const seconds = ((performance.now() - started) / 1000).toFixed(1)
print(
  `\n${count} values in ${seconds} s, ${read} of them readable; the slowest took ${slowest.toFixed(1)} ms; seed ${seed}`,
)
print(hasPhp() ? 'Compared with PHP.' : 'Not compared with PHP, which is not installed.')
print(`${findings.length === 0 ? 'No findings' : `${findings.length} findings`}.`)
process.exitCode = findings.length === 0 ? 0 : 1
