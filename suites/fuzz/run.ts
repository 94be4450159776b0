// `npm run fuzz`: requests grown from the routes of the reference shop and of a test application, over real sockets.
import { numericOptions } from '../support/numeric-options.js'
import { ExchangeError, headerOf, HttpConnection, type WireResponse } from '../support/http-connection.js'
import { Random } from '../support/random.js'
import { ServiceProcess } from '../support/service-process.js'
import { ResponseCheck } from './check.js'
import { curlLine } from './curl.js'
import { growthFault } from './growth.js'
import type { Measurement, Member, Started } from './protocol.js'
import { growRequest, wireBytes, type FuzzRequest, type Ground } from './requests.js'
import { operationsOf } from './route-table.js'

const {
  seed,
  count,
  first,
  connections,
  findings: maxFindings,
} = numericOptions({
  seed: 1,
  count: 20_000,
  /** The number of the first request: with `--count 1` a finding is sent again. */
  first: 0,
  connections: 16,
  findings: 10,
})
/** Requests between two measurements. */
const windowSize = Math.min(2_500, Math.max(250, Math.floor(count / 12)))
/** Milliseconds. A machine of CI may pause a process for seconds. */
const deadline = 30_000

const print = (line: string): void => void process.stdout.write(`${line}\n`)

interface Finding {
  readonly index: number
  readonly fault: string
  readonly request: FuzzRequest
  readonly response: WireResponse | null
}

const findings: Finding[] = []
const kinds = new Map<string, number>()
/** Errors that the service has logged, by request id. Those without a request are kept under their text. */
const logged = new Map<string, string>()
/** The numbers of the requests since the last look at the log, by the id of their response; null for findings. */
const numbers = new Map<string, number | null>()
const statuses = new Map<number, number>()
const failures: string[] = []

const service = new ServiceProcess(
  new URL('./service.ts', import.meta.url),
  (event) => {
    const { requestId, stack, message = '' } = event as { requestId?: string; stack?: string; message?: string }
    // A few of them are enough to find the cause.
    if (logged.size < 1_000) logged.set(requestId ?? message, `${message}${stack === undefined ? '' : `: ${stack}`}`)
  },
  ['--expose-gc', '--max-semi-space-size=4'],
)

function report(finding: Finding): void {
  const kind = finding.fault.replaceAll(/"[^"]*"|\d+/g, '…')
  const seen = kinds.get(kind) ?? 0
  kinds.set(kind, seen + 1)
  // A few of each kind are enough to find the cause.
  if (seen >= 3 || findings.length >= maxFindings) return
  findings.push(finding)
  const { index, fault, request, response } = finding
  print(`\nFINDING ${fault}`)
  print(`  request ${index}: ${curlLine(request, url)}`)
  if (response) {
    print(`  response ${response.status}: ${response.body.toString('utf8').slice(0, 500)}`)
    const cause = logged.get(headerOf(response, 'x-request-id') ?? '')
    if (cause !== undefined) print(`  cause: ${cause}`)
  }
  print(`  again: npm run fuzz -- --seed ${seed} --first ${index} --count 1`)
}

const started = performance.now()
const { port, url, document } = await service.call<Started>('start')
const index = (await (await fetch(`${url}/wp-json/`, { headers: { connection: 'close' } })).json()) as Parameters<
  typeof operationsOf
>[0]
const operations = operationsOf(index)
const check = new ResponseCheck(document, operations)
print(`${operations.length} operations, ${check.describedCount} of them in the OpenAPI document; seed ${seed}`)

const progress = { next: first, end: first + count }

/** Sends the requests up to `limit` on one connection, which is replaced when it ends. */
async function client(ground: Ground, limit: number): Promise<void> {
  let connection = new HttpConnection(port)
  while (progress.next < limit && service.isRunning) {
    const batch = [take(ground)]
    // Some of the requests are sent before their predecessors are answered.
    if (new Random(seed, progress.next).chance(0.1))
      while (progress.next < limit && batch.length < 6 && batch.every(([, { mayBePipelined }]) => mayBePipelined))
        batch.push(take(ground))
    if (!connection.isOpen) connection = new HttpConnection(port)
    const results = await Promise.allSettled(
      batch.map(([, request]) => connection.exchange(wireBytes(request), request.method === 'HEAD', deadline)),
    )
    for (const [position, result] of results.entries()) {
      const [number, request] = batch[position] as (typeof batch)[number]
      checkResult(number, request, result, results.slice(0, position))
    }
    if (connection.hasUnsolicitedBytes) failures.push('A connection carried bytes that belong to no response.')
    if (results.some(isClosing)) connection.close()
  }
  connection.close()
}

function take(ground: Ground): readonly [number, FuzzRequest] {
  const number = progress.next
  progress.next += 1
  return [number, growRequest(new Random(seed, number), ground)]
}

type Result = PromiseSettledResult<WireResponse>

function isClosing(result: Result): boolean {
  return result.status === 'rejected' || headerOf(result.value, 'connection') === 'close'
}

function checkResult(number: number, request: FuzzRequest, result: Result, earlier: readonly Result[]): void {
  if (result.status === 'fulfilled') {
    const { status } = result.value
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const id = headerOf(result.value, 'x-request-id')
    const fault = check.faultOf(request, result.value)
    // A finding has its cause already.
    if (id !== null) numbers.set(id, fault ? null : number)
    if (fault) report({ index: number, fault, request, response: result.value })
    return
  }
  // What followed a response that ends the connection was not read.
  if (earlier.some(isClosing)) return
  const reason = result.reason instanceof ExchangeError ? result.reason.message : String(result.reason)
  report({ index: number, fault: `There is no response. ${reason}`, request, response: null })
}

/** An error in the log is a fault of the service, whatever it has answered. All that was logged before has arrived. */
function checkLog(ground: Ground): void {
  for (const [id, text] of logged) {
    const number = numbers.get(id)
    const fault = `The log has an error: ${text.split('\n')[0]}`
    if (number === undefined) failures.push(fault)
    else if (number !== null)
      report({ index: number, fault, request: growRequest(new Random(seed, number), ground), response: null })
  }
  logged.clear()
  numbers.clear()
}

const measurements: Measurement[] = []
try {
  while (progress.next < progress.end && service.isRunning) {
    const members = await service.call<readonly Member[]>('renew')
    const ground: Ground = { operations, members, host: `127.0.0.1:${port}` }
    const limit = Math.min(progress.next + windowSize, progress.end)
    await Promise.all(Array.from({ length: connections }, () => client(ground, limit)))
    if (count > 1_000) measurements.push(await service.call<Measurement>('measure'))
    else await service.call('renew')
    checkLog(ground)
  }
} catch (error) {
  failures.push(error instanceof Error ? error.message : String(error))
}
if (!service.isRunning) failures.push('The service ended.')
await service.end()

const seconds = (performance.now() - started) / 1000
const sent = progress.next - first
const growth = growthFault(measurements)
if (growth) failures.push(growth)
const total = [...kinds.values()].reduce((sum, times) => sum + times, 0)
print(`\n${sent} requests in ${seconds.toFixed(0)} s (${Math.round(sent / seconds)} a second)`)
print(
  `statuses: ${[...statuses]
    .sort(([one], [other]) => one - other)
    .map(([status, times]) => `${status} × ${times}`)
    .join(', ')}`,
)
print(`bodies of successes compared with a schema: ${check.comparedBodies}`)
const heaps = measurements.map(({ heapUsed }) => (heapUsed / 1_048_576).toFixed(1))
print(`heap after collection, in MiB: ${heaps.filter((_, at) => at % Math.ceil(heaps.length / 12) === 0).join(' ')}`)
print(`handles at the end: ${JSON.stringify(measurements.at(-1)?.handles ?? {})}`)
print(`findings: ${total}`)
for (const [kind, times] of kinds) print(`  ${times} × ${kind}`)
for (const failure of failures) print(`FAILED ${failure}`)
process.exitCode = total + failures.length > 0 ? 1 : 0
