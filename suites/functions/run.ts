// `npm run fuzz:functions`: values, schemas, patterns, texts, addresses, styles and HTML, given to the functions of an installed
// WordPress and to those here that do the same.
import { wordpressFolder } from '../../test/support/wordpress/wordpress-programs.js'
import { numericOptions } from '../support/numeric-options.js'
import { compareCalls } from './compare.js'
import { installedWordpress } from './peer.js'

const { seed, count, first, findings: most } = numericOptions({ seed: 1, count: 10_000, first: 0, findings: 10 })
const print = (line: string): void => void process.stdout.write(`${line}\n`)

const wordpress = installedWordpress()
if (wordpress === null) {
  const missing = `There is no WordPress in ${wordpressFolder}: install Debian's wordpress and php-cli, or set WORDPRESS_SOURCE.`
  if (process.env['CI'] === 'true') throw new Error(missing)
  print(missing)
} else {
  const started = performance.now()
  const { findings, compared, failed, documented } = await compareCalls(wordpress, { seed, first, count })
  for (const { index, call, ours, theirs } of findings.slice(0, most)) {
    print(`\nFINDING ${call.slice(0, 2000)}`)
    print(`  here:      ${ours.slice(0, 1000)}`)
    print(`  WordPress: ${theirs.slice(0, 1000)}`)
    print(`  again: npm run fuzz:functions -- --seed ${seed} --first ${index} --count 1`)
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const sumOf = (counts: ReadonlyMap<string, number>): number =>
    [...counts.values()].reduce((sum, next) => sum + next, 0)
  const listOf = (counts: ReadonlyMap<string, number>): string =>
    Array.from(counts)
      .sort(([, a], [, b]) => b - a)
      .map(([name, calls]) => `${name} ${calls}`)
      .join(', ')
  print(`\n${listOf(compared)}`)
  print(
    `${count} calls in ${seconds} s, ${sumOf(compared)} of them compared with WordPress ${wordpress.version}; seed ${seed}`,
  )
  if (documented > 0) print(`${documented} differences that docs/wordpress.md lists.`)
  print(`${findings.length === 0 ? 'No findings' : `${findings.length} findings`}.`)
  // PHP fails at a few values of an unusual kind. When it fails at more, the comparison says nothing.
  const isBroken = sumOf(failed) > Math.max(1, count / 1000)
  if (failed.size > 0) print(`PHP failed at ${sumOf(failed)} of ${count} calls: ${listOf(failed)}.`)
  process.exitCode = findings.length === 0 && !isBroken ? 0 : 1
}
