// `npm run test:floods`: floods of connections and requests, while a healthy client is measured and the memory of the
// service is watched. `--long` also compares the response times of the client with those without a flood.
import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { numericOptions } from '../support/numeric-options.js'
import { Random } from '../support/random.js'
import { ServiceProcess } from '../support/service-process.js'
import { connectionFloods } from './connection-floods.js'
import type { FloodKind, Target } from './flood.js'
import type { Health, Memory, Usage } from './protocol.js'
import { requestFloods, rightLogin } from './request-floods.js'

const args = process.argv.slice(2)
const isLong = args.includes('--long')
const { seed, seconds, runs } = numericOptions(
  {
    seed: 1,
    /** Of each measurement. */
    seconds: isLong ? 5 : 2,
    /** Of each flood. The ratios of response times are compared by their median. */
    runs: isLong ? 3 : 1,
  },
  args.filter((arg) => arg !== '--long'),
)
/** How much the p99 of the healthy client may grow. */
const maxRatio = 10
/** Growth of the heap that stays after a flood, in MiB: caches, counters of failures, compiled code. */
const maxLeft = 40
/** In milliseconds: how long the service may take to accept connections, and to see that they have ended. */
const settling = 30_000

// Node raises its own limit of open files to the highest that is allowed, and its children inherit that.
const openFiles = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' })) || 20_000
const maxConnections = Math.max(100, openFiles - 200)
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const inMiB = (bytes: number): string => (bytes / 1_048_576).toFixed(0)
const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

const begin = performance.now()
const service = new ServiceProcess(new URL('./service.ts', import.meta.url), () => {}, ['--expose-gc'])
const client = new ServiceProcess(new URL('./healthy-client.ts', import.meta.url))
const port = await service.call<number>('start')
await client.call('connect', port)
print(`seed ${seed}, ${openFiles} open files allowed`)

const faults: string[] = []
const ratios = new Map<string, number[]>()

async function run(kind: FloodKind, target: Target): Promise<void> {
  const check = (holds: boolean, statement: string): void => {
    if (!holds) faults.push(`${kind.name}: ${statement}`)
  }
  const quiet = await client.call<Health>('measure', seconds)
  const before = await service.call<Memory>('collected')
  await service.call('beginWatch')
  const flood = await kind.begin(target)
  const during = await client.call<Health>('measure', seconds)
  const expected = kind.connections(target)
  // A busy service accepts one connection in each turn of its event loop.
  await connectionsBecome((count) => count > expected / 2)
  const { peak, connections, processorWait } = await service.call<Usage>('endWatch')
  const end = await flood.end()
  const left = (await connectionsBecome((count) => count <= 1)) - 1
  const after = await service.call<Memory>('collected')

  for (const fault of new Set([...quiet.faults, ...during.faults])) check(false, `the healthy client: ${fault}`)
  for (const fault of new Set(end.faults)) check(false, fault)
  check(during.answered > 0, 'the healthy client has no response')
  check(connections > expected / 2, `the service had ${connections} of ${expected} connections: this was no flood`)
  check(left === 0, `${left} connections are left`)
  const growth = (peak.rss - before.rss) / 1_048_576
  check(growth <= kind.maxGrowth, `RSS grew by ${growth.toFixed(0)} MiB, more than ${kind.maxGrowth}`)
  const stays = (after.heapUsed - before.heapUsed) / 1_048_576
  check(stays <= maxLeft, `the heap is ${stays.toFixed(0)} MiB larger afterwards, more than ${maxLeft}`)

  const ratio = during.p99 / quiet.p99
  ratios.set(kind.name, [...(ratios.get(kind.name) ?? []), ratio])
  const path = (what: keyof Memory): string => [before, peak, after].map((memory) => inMiB(memory[what])).join(' → ')
  print(
    `${kind.name}: ${end.figures}; at most ${connections} open; ${during.answered} healthy requests, ` +
      `p99 ${quiet.p99.toFixed(1)} → ${during.p99.toFixed(1)} ms (× ${ratio.toFixed(1)}), median ` +
      `${quiet.median.toFixed(1)} → ${during.median.toFixed(1)} ms; without a processor: service ${processorWait.toFixed(0)} ms, client ` +
      `${during.processorWait.toFixed(0)} ms; RSS ${path('rss')} MiB, heap ${path('heapUsed')} MiB`,
  )
}

/** Waits until the service has so many connections, but not for ever. @returns their number. */
async function connectionsBecome(isReached: (count: number) => boolean): Promise<number> {
  let count = 0
  for (const end = performance.now() + settling; performance.now() < end; await pause(50)) {
    count = await service.call<number>('connections')
    if (isReached(count)) break
  }
  return count
}

if ((await rightLogin(port)) !== '302') throw new Error('The first login failed.')
// Code is compiled and caches are filled before anything is measured.
await client.call('measure', 1)
for (const [index, kind] of [...connectionFloods, ...requestFloods].entries())
  for (let count = 0; count < runs; count += 1)
    await run(kind, { port, random: new Random(seed, index * 100 + count), maxConnections })

if (isLong)
  for (const [name, values] of ratios)
    if (median(values) >= maxRatio)
      faults.push(`${name}: the p99 is ${median(values).toFixed(1)} times the quiet one (median of ${values.length})`)
const last = await client.call<Health>('measure', 0.2)
if (last.faults.length > 0 || last.answered === 0) faults.push('the service does not answer after the floods')
await client.end()
await service.end()
for (const fault of faults) print(`FAILED ${fault}`)
print(`${((performance.now() - begin) / 1000).toFixed(0)} s, ${faults.length} failed`)
process.exitCode = faults.length > 0 ? 1 : 0
