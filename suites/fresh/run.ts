// `npm run test:fresh`: four processes serve one database, another program writes to it, and no read that began after an
// acknowledged write may miss it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
import { ForeignProgram } from './program.js'
import type { Change, Started } from './protocol.js'
import { Tally } from './tally.js'
import { views, type Subject } from './values.js'

const { seed, seconds, connections } = numericOptions({
  seed: 1,
  /** Half of them with one connection to each process, half with `connections` to the first and a few to the others. */
  seconds: 10,
  /** More than 1,024: libuv then polls several times in one turn of the event loop. */
  connections: 1_100,
})
const processes = 4
/** Connections to each process that is not crowded. */
const few = 4
/** Milliseconds. A machine of CI may pause a process for seconds. */
const deadline = 60_000

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const folder = mkdtempSync(join(tmpdir(), 'as-rest-route-fresh-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
const path = join(folder, 'site.sqlite')

const services = Array.from({ length: processes }, () => new ServiceProcess(new URL('./service.ts', import.meta.url)))
const ports: number[] = []
for (const service of services) ports.push((await service.call<Started>('start', `sqlite:${path}`)).port)
const program = await ForeignProgram.open(path)
const subjects: readonly Subject[] = [
  ...Array.from({ length: 4 }, () => ({ what: 'record' as const, id: program.insertPost('0'), acknowledged: 0 })),
  ...Array.from({ length: 2 }, (_, index) => ({
    what: 'user' as const,
    id: program.insertUser(`user-${index}`),
    acknowledged: 0,
  })),
]
const kinds: readonly CredentialKind[] = ['application password', 'session']
/** The credentials that are in use now: two of each kind. */
const credentials: Credential[] = []
const tally = new Tally(print)
const run = { isOver: false }
let users = 0

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
  const response = await connection.exchange(bytes, false, deadline)
  if (response.status !== 200) tally.failed(`${view.kind}: ${response.status} ${response.body.toString()}`)
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
  const { status, body } = await connection.exchange(bytes, false, deadline)
  const { kind, state: after } = credential
  if (before === 'ended')
    tally.read(`ended ${kind}`, status === 401 || status === 403 ? null : `an ended ${kind} was answered ${status}`)
  else if (before === 'valid' && after === 'valid')
    tally.read(`valid ${kind}`, status === 200 ? null : `a valid ${kind} was answered ${status}: ${body.toString()}`)
}

async function reader(port: number, random: Random): Promise<void> {
  const connection = new HttpConnection(port)
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

/** Raises the values of some subjects, one write at a time. */
async function writer(own: readonly Subject[], random: Random): Promise<void> {
  const connection = new Map(ports.map((port) => [port, new HttpConnection(port)]))
  while (!run.isOver) {
    const subject = random.pick(own)
    const value = subject.acknowledged + 1
    if (random.chance(0.5)) {
      if (subject.what === 'record') program.retitle(subject.id, String(value))
      else program.rename(subject.id, String(value))
      subject.acknowledged = value
      tally.wrote('foreign SQL')
    } else {
      const change: Change = { what: subject.what, id: subject.id, value: String(value) }
      const bytes = requestBytes(random, '/wp-json/fresh/v1/write', '', JSON.stringify(change))
      const response = await connection.get(portOf(random))?.exchange(bytes, false, deadline)
      if (response?.status === 200) {
        subject.acknowledged = value
        tally.wrote(subject.what)
      } else tally.failed(`write: ${response?.status} ${response?.body.toString()}`)
    }
    await sleep(random.integer(1, 10))
  }
  for (const one of connection.values()) one.close()
}

/** Stalls the crowded process again and again: all that waits is then read in one turn of its loop. */
async function staller(random: Random): Promise<void> {
  const connection = new HttpConnection(ports[0] ?? 0)
  while (!run.isOver) {
    await connection.exchange(requestBytes(random, '/wp-json/fresh/v1/stall'), false, deadline)
    await sleep(300)
  }
  connection.close()
}

/** Begins and ends credentials. */
async function issuer(kind: CredentialKind, random: Random): Promise<void> {
  let previous: { readonly living: LivingCredential; readonly place: number } | null = null
  while (!run.isOver) {
    const [first, second] = [random.pick(services), random.pick(services)]
    const living = await newCredential(kind, `member-${(users += 1)}`, { first, second, program })
    tally.wrote(`new ${kind}`)
    const place: number = previous?.place ?? credentials.length
    credentials[place] = living.credential
    previous?.living.remove()
    previous = { living, place }
    await sleep(random.integer(200, 500))
    living.credential.state = 'ending'
    const { by, end } = random.pick(living.endings)
    await end()
    living.credential.state = 'ended'
    tally.wrote(`end of a ${kind} by ${by}`)
    await sleep(random.integer(200, 500))
  }
}

async function phase(name: string, crowd: number, others: number, stream: number): Promise<void> {
  run.isOver = false
  tally.begin(name)
  const random = (number: number) => new Random(seed, stream + number)
  const readers = ports.flatMap((port, index) =>
    Array.from({ length: index === 0 ? crowd : others }, (_, number) => reader(port, random(index * 10_000 + number))),
  )
  const writers = [
    writer(subjects.slice(0, 2), random(50_000)),
    writer(subjects.slice(2, 4), random(50_001)),
    writer(subjects.slice(4), random(50_002)),
  ]
  credentials.length = 0
  const issuers = kinds.flatMap((kind, index) =>
    [0, 1].map((number) => issuer(kind, random(60_000 + index * 2 + number))),
  )
  const stallers = crowd > 1 ? [staller(random(70_000))] : []
  await sleep((seconds * 1000) / 2)
  run.isOver = true
  await Promise.all([...readers, ...writers, ...issuers, ...stallers])
  tally.end()
}

await phase('1 connection to each process', 1, 1, 0)
await phase(`${connections} connections to one process`, connections, few, 100_000)
program.close()
for (const service of services) await service.end()
process.exitCode = tally.summary(seed)
