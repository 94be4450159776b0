// `npm run test:fresh`: four processes serve one database, another program writes to it, and no read that began after an
// acknowledged write may miss it, also while the database fails over.
import { setTimeout as sleep } from 'node:timers/promises'
import { HttpConnection } from '../support/http-connection.js'
import { numericOptions } from '../support/numeric-options.js'
import { Random } from '../support/random.js'
import { ServiceProcess } from '../support/service-process.js'
import {
  maxRefusals,
  newCredential,
  type Credential,
  type CredentialKind,
  type LivingCredential,
} from './credentials.js'
import { openDatabase } from './database.js'
import { Outages } from './outages.js'
import { ForeignProgram } from './program.js'
import type { Change, Started } from './protocol.js'
import { Tally } from './tally.js'
import { views, type Subject } from './values.js'

/** `--database postgres|mariadb|galera|URL`; default: a file of SQLite. The suite's own servers also fail over. */
const words = process.argv.slice(2)
const at = words.indexOf('--database')
const [, server = null] = at === -1 ? [] : words.splice(at, 2)
const { seed, seconds, connections, failovers } = numericOptions(
  {
    seed: 1,
    /**
     * A part of them with one connection to each process, a part with `connections` to the first and a few to the others, and
     * a part with failovers.
     */
    seconds: 10,
    /** More than 1,024: libuv then polls several times in one turn of the event loop. */
    connections: 1_100,
    /** Of a server that the suite has started. */
    failovers: 1,
  },
  words,
)
/** Two groups of two, which address the hosts of the database in different orders. */
const processes = 4
/** Connections to each process that is not crowded. */
const few = 4
/** Milliseconds. A machine of CI may pause a process for seconds. */
const deadline = 60_000

const print = (line: string): void => void process.stdout.write(`${line}\n`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
const database = await openDatabase(server)
print(database.name)

const services = Array.from({ length: processes }, () => new ServiceProcess(new URL('./service.ts', import.meta.url)))
const ports: number[] = []
for (const [index, service] of services.entries()) {
  const url = database.urls[index < processes / 2 ? 0 : 1]
  ports.push((await service.call<Started>('start', url)).port)
}
const program = await ForeignProgram.open(database.foreignUrl ?? database.urls[0])
const subjects: Subject[] = []
for (let count = 0; count < 6; count += 1) {
  const what = count < 4 ? 'record' : 'user'
  const id = what === 'record' ? await program.insertPost('0') : await program.insertUser(`user-${count}`)
  subjects.push({ what, id, acknowledged: 0, written: 0 })
}
const kinds: readonly CredentialKind[] = ['application password', 'session']
/** The credentials that are in use now: two of each kind. */
const credentials: Credential[] = []
const tally = new Tally(print)
const outages = new Outages()
const run = { isOver: false }
let users = 0

/** A request that was not answered as it should be. */
function failed(what: string, mark: number): void {
  if (outages.explains(mark)) tally.unavailable()
  else tally.failed(what)
}

/** A request in a network of its own, so that no limit of failures of a network refuses it. */
function requestBytes(random: Random, path: string, headers = '', body: string | null = null): Buffer {
  const address = [10, random.integer(0, 255), random.integer(0, 255), random.integer(1, 254)].join('.')
  const method = body === null ? 'GET' : 'POST'
  const content =
    body === null ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: fresh.example\r\nX-Forwarded-For: ${address}\r\nX-Forwarded-Proto: https\r\n` +
      `${headers}${content}\r\n${body ?? ''}`,
  )
}

async function readValue(connection: HttpConnection, random: Random): Promise<void> {
  const subject = random.pick(subjects)
  const view = random.pick(views[subject.what])
  const { acknowledged } = subject
  const bytes = requestBytes(random, view.path(subject))
  const mark = outages.mark()
  const response = await connection.exchange(bytes, false, deadline)
  if (response.status !== 200) failed(`${view.kind}: ${response.status} ${response.body.toString()}`, mark)
  else {
    const value = view.valueIn(JSON.parse(response.body.toString()), subject)
    const isFresh = value >= acknowledged
    tally.read(
      view.kind,
      isFresh ? null : `${view.kind} ${subject.id} is ${value} after ${acknowledged} was acknowledged`,
    )
  }
}

async function useCredential(connection: HttpConnection, random: Random): Promise<void> {
  const usable = credentials.filter(({ state, refusals }) => state !== 'ended' || refusals < maxRefusals)
  if (usable.length === 0) return readValue(connection, random)
  const credential = random.pick(usable)
  const before = credential.state
  if (before !== 'valid') credential.refusals += 1
  const bytes = requestBytes(random, '/wp-json/wp/v2/users/me', credential.headers)
  const mark = outages.mark()
  const { status, body } = await connection.exchange(bytes, false, deadline)
  const { kind, state: after } = credential
  if (status === 503) failed(`${kind}: ${status} ${body.toString()}`, mark)
  else if (before === 'ended')
    tally.read(`ended ${kind}`, status === 401 || status === 403 ? null : `an ended ${kind} was answered ${status}`)
  else if (before === 'valid' && after === 'valid')
    tally.read(`valid ${kind}`, status === 200 ? null : `a valid ${kind} was answered ${status}: ${body.toString()}`)
}

/**
 * Opens connections, a few at a time: libuv accepts one in a turn of the event loop, and a crowd that is busy already makes
 * these turns so long that the last connections would be accepted after minutes.
 */
async function openConnections(port: number, count: number): Promise<HttpConnection[]> {
  const random = new Random(seed, port)
  const connections: HttpConnection[] = []
  while (connections.length < count) {
    const next = Array.from({ length: Math.min(50, count - connections.length) }, () => new HttpConnection(port))
    await Promise.all(next.map((connection) => readValue(connection, random)))
    connections.push(...next)
  }
  return connections
}

async function reader(connection: HttpConnection, random: Random): Promise<void> {
  try {
    while (!run.isOver) await (random.chance(0.2) ? useCredential(connection, random) : readValue(connection, random))
  } catch (error) {
    tally.failed(String(error))
  } finally {
    connection.close()
  }
}

/** The first process rarely: a writer waits there for the crowd. */
const portOf = (random: Random): number => (random.chance(0.05) ? (ports[0] ?? 0) : random.pick(ports.slice(1)))

/** A connection that was not used for some seconds has ended. */
function connectionTo(port: number, connections: Map<number, HttpConnection>): HttpConnection {
  const present = connections.get(port)
  if (present?.isOpen === true) return present
  const connection = new HttpConnection(port)
  connections.set(port, connection)
  return connection
}

const writeForeign = ({ what, id }: Subject, value: number): Promise<void> =>
  what === 'record' ? program.retitle(id, String(value)) : program.rename(id, String(value))

/** @throws Error with what was answered in place of an acknowledgement. */
async function writeOver(
  connections: Map<number, HttpConnection>,
  { what, id }: Subject,
  value: number,
  random: Random,
): Promise<void> {
  const change: Change = { what, id, value: String(value) }
  const bytes = requestBytes(random, '/wp-json/fresh/v1/write', '', JSON.stringify(change))
  const { status, body } = await connectionTo(portOf(random), connections).exchange(bytes, false, deadline)
  if (status !== 200) throw new Error(`${status} ${body.toString()}`)
}

/** Raises the values of some subjects, one write at a time. */
async function writer(
  own: readonly Subject[],
  random: Random,
  connections: Map<number, HttpConnection>,
): Promise<void> {
  while (!run.isOver) {
    const subject = random.pick(own)
    const value = (subject.written += 1)
    const mark = outages.mark()
    const by = random.chance(0.5) ? 'foreign SQL' : subject.what
    try {
      await (by === 'foreign SQL' ? writeForeign(subject, value) : writeOver(connections, subject, value, random))
      subject.acknowledged = value
      tally.wrote(by)
    } catch (error) {
      failed(`write by ${by}: ${String(error)}`, mark)
    }
    await sleep(random.integer(1, 10))
  }
  for (const connection of connections.values()) connection.close()
}

/** Stalls the crowded process again and again: all that waits is then read in one turn of its loop. */
async function staller(random: Random, connections: Map<number, HttpConnection>): Promise<void> {
  while (!run.isOver) {
    const mark = outages.mark()
    await connectionTo(ports[0] ?? 0, connections)
      .exchange(requestBytes(random, '/wp-json/fresh/v1/stall'), false, deadline)
      .catch((error: unknown) => failed(`stall: ${String(error)}`, mark))
    await sleep(300)
  }
  for (const connection of connections.values()) connection.close()
}

/** Begins and ends credentials. */
async function issuer(kind: CredentialKind, place: number, random: Random): Promise<void> {
  let previous: LivingCredential | null = null
  while (!run.isOver) {
    const mark = outages.mark()
    try {
      const [first, second] = [random.pick(services), random.pick(services)]
      const living = await newCredential(kind, `member-${(users += 1)}`, { first, second, program })
      tally.wrote(`new ${kind}`)
      credentials[place] = living.credential
      await previous?.remove()
      previous = living
      await sleep(random.integer(200, 500))
      living.credential.state = 'ending'
      const { by, end } = random.pick(living.endings)
      await end()
      living.credential.state = 'ended'
      tally.wrote(`end of a ${kind} by ${by}`)
    } catch (error) {
      failed(`${kind}: ${String(error)}`, mark)
    }
    await sleep(random.integer(200, 500))
  }
}

interface Load {
  /** Connections to the first process. */
  readonly crowd: number
  /** Connections to each of the others. */
  readonly others: number
  /** The number of the first stream of random numbers. */
  readonly stream: number
}

/** @param work what happens meanwhile; the phase lasts until it has ended. */
async function phase(name: string, { crowd, others, stream }: Load, work: () => Promise<unknown>): Promise<void> {
  run.isOver = false
  tally.begin(name)
  const random = (number: number) => new Random(seed, stream + number)
  const connections: HttpConnection[][] = []
  for (const [index, port] of ports.entries())
    connections.push(await openConnections(port, index === 0 ? crowd : others))
  // One to the first process for each writer and for the staller.
  const [first = 0] = ports
  const own = (await openConnections(first, 4)).map((connection) => new Map([[first, connection]]))
  const ownOf = (place: number) => own[place] ?? new Map<number, HttpConnection>()
  const readers = connections.flatMap((ofPort, index) =>
    ofPort.map((connection, number) => reader(connection, random(index * 10_000 + number))),
  )
  const writers = [subjects.slice(0, 2), subjects.slice(2, 4), subjects.slice(4)].map((share, index) =>
    writer(share, random(50_000 + index), ownOf(index)),
  )
  credentials.length = 0
  const issuers = kinds.flatMap((kind, index) =>
    [0, 1].map((number) => issuer(kind, index * 2 + number, random(60_000 + index * 2 + number))),
  )
  const stallers = crowd > few ? [staller(random(70_000), ownOf(3))] : []
  await work()
  run.isOver = true
  await Promise.all([...readers, ...writers, ...issuers, ...stallers])
  tally.end()
}

/** Resolves when every process reads a record from the database. @throws Error for one that does not within two minutes. */
async function isHealthy(): Promise<void> {
  const [subject] = subjects
  const end = performance.now() + 120_000
  await Promise.all(
    ports.map(async (port) => {
      const random = new Random(seed, port)
      const connection = new HttpConnection(port)
      const bytes = (): Buffer => requestBytes(random, `/wp-json/fresh/v1/record/${subject?.id}`)
      while ((await connection.exchange(bytes(), false, deadline)).status !== 200) {
        if (performance.now() > end) throw new Error(`The service at port ${port} does not recover.`)
        await sleep(10)
      }
      connection.close()
    }),
  )
}

const { failover } = database
const phases = failover === null || failovers === 0 ? 2 : 3
const share = (seconds * 1000) / phases
await phase('1 connection to each process', { crowd: 1, others: 1, stream: 0 }, () => sleep(share))
await phase(`${connections} connections to one process`, { crowd: connections, others: few, stream: 100_000 }, () =>
  sleep(share),
)
if (failover !== null && failovers > 0)
  await phase(`${failovers} failovers`, { crowd: few, others: few, stream: 200_000 }, async () => {
    const pause = share / (failovers + 1)
    for (let count = 0; count < failovers; count += 1) {
      await sleep(pause)
      await outages.run(failover.run, isHealthy, tally)
      await failover.prepareNext()
    }
    await sleep(pause)
  })
await program.close()
for (const service of services) await service.end()
await database.drop()
process.exitCode = tally.summary(seed)
