// `npm run test:http`: the same bytes to both ways from the socket, which have to answer alike.
import { numericOptions } from '../support/numeric-options.js'
import { Random } from '../support/random.js'
import { growCase, type Case } from './cases.js'
import { corpus } from './corpus.js'
import { listedDifferences } from './differences.js'
import { Way, type Outcome } from './exchange.js'

const { seed, count, first, clients, findings } = numericOptions({
  seed: 1,
  /** Cases, those of the corpus included. */
  count: 10_000,
  /** The number of the first case: with `--count 1` a finding is sent again. */
  first: 0,
  /** Cases at a time. */
  clients: 32,
  findings: 5,
})

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Each request of the corpus in every division into two segments, and byte by byte. */
const divisions: readonly Case[] = corpus.flatMap((bytes) => {
  const places = Array.from({ length: bytes.length - 1 }, (_, index) => index + 1)
  const cuts = [...places.map((place) => [place]), places]
  return cuts.map((each, index): Case => ({ bytes, cuts: each, ending: index % 2 === 0 ? 'request' : 'close' }))
})

function caseOf(index: number): Case {
  return divisions[index] ?? growCase(new Random(seed, index))
}

function segmentsOf({ bytes, cuts }: Case): Buffer[] {
  const places = [0, ...cuts.filter((cut) => cut < bytes.length), bytes.length]
  return places.slice(1).map((end, index) => Buffer.from(bytes.slice(places[index], end), 'latin1'))
}

const [direct, node] = await Promise.all([new Way(true).listen(), new Way(false).listen()])
const listed = new Map<string, number>()
const fates = new Map<string, number>()
const statuses = new Map<string, number>()
let exchanges = 0
let findingCount = 0

/** Whole and in segments: both ways have the same outcome. */
async function attack(index: number): Promise<void> {
  const { bytes, ending } = caseOf(index)
  const segments = segmentsOf(caseOf(index))
  const whole = [Buffer.from(bytes, 'latin1')]
  const sendings: [name: string, way: Way, segments: readonly Buffer[]][] = [
    ['node:http, in one segment', node, whole],
    ['direct, in one segment', direct, whole],
  ]
  if (segments.length > 1) {
    sendings.push([`node:http, in ${segments.length} segments`, node, segments])
    sendings.push([`direct, in ${segments.length} segments`, direct, segments])
  }
  const outcomes = await Promise.all(sendings.map(([, way, parts]) => way.exchange(parts, ending)))
  exchanges += outcomes.length
  const [expected] = outcomes
  if (expected === undefined) return
  increase(fates, expected.fate)
  for (const [, status = ''] of expected.received.matchAll(/^HTTP\/1\.1 (\d+) /gm)) increase(statuses, status)
  const texts = outcomes.map((outcome) => JSON.stringify(outcome))
  // Which of two faults is met first may depend on the segments, but not on the way.
  const isAlike = texts.every((text, place) => text === texts[place - (place % 2)])
  if (isAlike && outcomes.every(({ fate }) => fate !== 'no end')) return
  const cause = listedDifferences.find(({ explains }) => explains(bytes, outcomes))
  if (cause !== undefined) {
    increase(listed, cause.name)
    return
  }
  findingCount += 1
  if (findingCount > findings) return
  print(`\nFINDING in case ${index} of seed ${seed}, then the client ${ending === 'close' ? 'closes' : 'goes on'}`)
  print(`  bytes, by segment: ${segments.map((segment) => JSON.stringify(segment.toString('latin1'))).join(' ')}`)
  for (const [place, outcome] of outcomes.entries()) print(`  ${sendings[place]?.[0]}: ${shortened(outcome)}`)
  print(`  again: npm run test:http -- --seed ${seed} --first ${index} --count 1`)
}

function increase(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

function shortened({ received, fate, requests }: Outcome): string {
  const text = JSON.stringify(received)
  return `${fate}; ${text.length > 1_500 ? `${text.slice(0, 1_500)}…` : text}; carried out: ${requests.join(' ').slice(0, 500)}`
}

const started = performance.now()
const end = first + count
let next = first
await Promise.all(
  Array.from({ length: clients }, async () => {
    while (next < end) {
      next += 1
      await attack(next - 1)
    }
  }),
)
await Promise.all([direct.close(), node.close()])

const sorted = (counts: Map<string, number>): string =>
  [...counts.entries()]
    .sort()
    .map(([name, times]) => `${name}: ${times}`)
    .join(', ')
const seconds = ((performance.now() - started) / 1_000).toFixed(1)
print(
  `\n${count} cases (${Math.max(0, Math.min(end, divisions.length) - first)} divisions of the corpus), seed ${seed}: ${exchanges} exchanges in ${seconds} s`,
)
print(`statuses: ${sorted(statuses)}`)
print(`connections: ${sorted(fates)}`)
for (const { name, reason } of listedDifferences)
  if (listed.has(name)) print(`listed difference ${name}: ${listed.get(name)} cases; ${reason}`)
print(`${findingCount} findings`)
process.exitCode = findingCount > 0 ? 1 : 0
