import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sqliteLibrary } from '../../src/database/sqlite/sqlite-client.js'
import { StorageError, type StorageFault } from '../../src/database/storage-error.js'
import { Random } from '../support/random.js'
import { NotesApi } from './application/faults-api.js'
import { booted, type BootedService } from './booted.js'
import { ServedApplication } from './command.js'
import { Report } from './report.js'

const pageSize = 4_096

/** Runs the service on databases that are full, locked, read-only, damaged, of somebody else, or of a later version. */
export async function breakDatabases(folder: string, seed: number, damages: number): Promise<Report> {
  const report = new Report('broken databases')
  const sound = join(folder, 'sound.sqlite')
  await fill(sound, 300)
  const figures = [
    await fullDisk(folder, report),
    await limitedFile(folder, report),
    await readOnly(folder, sound, report),
    await locked(folder, sound, report),
    await removed(folder, sound, report),
    await notOurs(folder, sound, report),
    await damaged(folder, sound, new Random(seed), damages, report),
  ]
  report.print(figures.filter((figure) => figure !== '').join(', '))
  return report
}

async function fill(database: string, count: number): Promise<void> {
  const service = await booted([NotesApi], { database: `sqlite:${database}` })
  for (let index = 0; index < count; index += 1) await service.call('POST', 'notes', { text: `${index} `.repeat(200) })
  await service.close()
}

/** Writes until a write is refused. @returns the ids of the acknowledged notes. */
async function writeUntilRefused(call: BootedService['call'], report: Report): Promise<readonly number[]> {
  const ids: number[] = []
  for (let count = 0; count < 5_000; count += 1) {
    const { status, code, body } = await call('POST', 'notes', { text: 'x'.repeat(20_000) })
    if (status === 201) ids.push((body as { id: number }).id)
    else {
      report.check(status === 503 && code !== null, 'a write without room is answered with 503', `${status} ${code}`)
      break
    }
  }
  report.check(ids.length > 0 && ids.length < 5_000, 'the room ends', `${ids.length} notes`)
  return ids
}

async function readAll(
  call: BootedService['call'],
  ids: readonly number[],
  when: string,
  report: Report,
): Promise<void> {
  for (const id of ids) report.equal((await call('GET', `notes/${id}`)).status, 200, `note ${id} is read ${when}`)
}

async function fullDisk(folder: string, report: Report): Promise<string> {
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  if (mount('-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', disk) !== 0) return 'no full disk (mounting is not permitted)'
  try {
    const database = `sqlite:${join(disk, 'full.sqlite')}`
    const service = await booted([NotesApi], { database })
    const ids = await writeUntilRefused(service.call, report)
    await readAll(service.call, ids, 'while the disk is full', report)
    mount('-o', 'remount,size=64m', disk)
    report.equal((await service.call('POST', 'notes', { text: 'again' })).status, 201, 'a disk with room again is used')
    await service.close()
    const again = await booted([NotesApi], { database })
    await readAll(again.call, ids, 'after the disk was full', report)
    await again.close()
    return `full disk after ${ids.length} writes`
  } finally {
    spawnSync('umount', ['--lazy', disk])
  }
}

function mount(...args: readonly string[]): number | null {
  return spawnSync('mount', args).status
}

/** The limit of the size of a file makes writing fail with another error than a full disk. */
async function limitedFile(folder: string, report: Report): Promise<string> {
  const database = join(folder, 'limited.sqlite')
  await fill(database, 1)
  const served = await ServedApplication.start({ database, http: 'fast', fileSizeLimit: 1_024 })
  const ids = await writeUntilRefused(callOf(served), report)
  await readAll(callOf(served), ids, 'while the file may not grow', report)
  report.equal(await served.stop(), 0, 'a service that cannot write stops in order')
  const again = await ServedApplication.start({ database, http: 'fast' })
  await readAll(callOf(again), ids, 'after the file was limited', report)
  const { status } = await callOf(again)('POST', 'notes', { text: 'again' })
  report.equal(status, 201, 'a file that may grow again is written')
  await again.stop()
  return `limited file after ${ids.length} writes`
}

function callOf({ url }: ServedApplication): BootedService['call'] {
  return async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { connection: 'close', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const parsed = (await response.json()) as { code?: string } | null
    return { status: response.status, code: parsed?.code ?? null, body: parsed, headers: response.headers }
  }
}

async function readOnly(folder: string, sound: string, report: Report): Promise<string> {
  const disk = join(folder, 'read-only')
  mkdirSync(disk)
  if (mount('-t', 'tmpfs', 'tmpfs', disk) !== 0) return 'no read-only disk (mounting is not permitted)'
  try {
    const database = join(disk, 'x.sqlite')
    copyFileSync(sound, database)
    mount('-o', 'remount,ro', disk)
    const before = digest(database)
    const service = await startOrRefusal(database)
    if (service instanceof StorageError)
      report.check(
        service.fault === 'read-only' || service.fault === 'unavailable',
        'the refusal says why',
        service.message,
      )
    else {
      report.equal((await service.call('GET', 'notes')).status, 200, 'a read-only database is read')
      report.equal((await service.call('POST', 'notes', { text: 'x' })).status, 503, 'a write is answered with 503')
      await service.close()
    }
    report.equal(digest(database), before, 'a read-only file is not changed')
    mount('-o', 'remount,rw', disk)
    const again = await startOrRefusal(database)
    report.check(!(again instanceof StorageError), 'the file is used when it may be written again')
    if (!(again instanceof StorageError)) {
      report.equal((await again.call('POST', 'notes', { text: 'x' })).status, 201, 'and written')
      await again.close()
    }
    return `read-only disk ${service instanceof StorageError ? 'refused' : 'served'}`
  } finally {
    spawnSync('umount', ['--lazy', disk])
  }
}

/** @returns the error when the start refuses the database. @throws other errors. */
async function startOrRefusal(database: string): Promise<BootedService | StorageError> {
  try {
    return await booted([NotesApi], { database: `sqlite:${database}` })
  } catch (error) {
    if (error instanceof StorageError) return error
    throw error
  }
}

function digest(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

async function locked(folder: string, sound: string, report: Report): Promise<string> {
  const database = join(folder, 'locked.sqlite')
  copyFileSync(sound, database)
  const service = await booted([NotesApi], { database: `sqlite:${database}` })
  const other = (await sqliteLibrary())(database)
  other.prepare('BEGIN IMMEDIATE').run([])
  const begin = performance.now()
  const writes = Promise.all(Array.from({ length: 100 }, () => service.call('POST', 'notes', { text: 'x' })))
  report.equal((await service.call('GET', 'notes')).status, 200, 'a locked database is read')
  for (const { status, headers } of await writes) {
    report.equal(status, 503, 'a write that waits for the lock is answered with 503')
    report.check(Number(headers.get('retry-after')) > 0, 'with Retry-After')
  }
  const seconds = (performance.now() - begin) / 1000
  other.prepare('ROLLBACK').run([])
  other.close()
  report.equal((await service.call('POST', 'notes', { text: 'x' })).status, 201, 'a released database is written')
  await service.close()
  return `100 writes on a locked database refused within ${seconds.toFixed(1)} s`
}

async function removed(folder: string, sound: string, report: Report): Promise<string> {
  const database = join(folder, 'removed.sqlite')
  copyFileSync(sound, database)
  const service = await booted([NotesApi], { database: `sqlite:${database}` })
  report.equal((await service.call('GET', '/readyz')).status, 200, '/readyz is 200 with a database')
  for (const ending of ['', '-wal', '-shm']) rmSync(`${database}${ending}`, { force: true })
  report.equal((await service.call('GET', '/readyz')).status, 503, '/readyz is 503 without its file')
  report.equal((await service.call('GET', '/healthz')).status, 200, 'and the process goes on')
  await service.close()
  return ''
}

/** Files that are no database, or one of another program or of a later version. */
async function notOurs(folder: string, sound: string, report: Report): Promise<string> {
  const open = await sqliteLibrary()
  const prepare: [what: string, fault: StorageFault | null, make: (path: string) => void][] = [
    ['a text', 'incompatible', (path) => writeFileSync(path, 'Dear Agnes, this is not a database. '.repeat(400))],
    [
      'bytes behind the name of SQLite',
      'unavailable',
      (path) => writeFileSync(path, `SQLite format 3\0${'x'.repeat(9_000)}`),
    ],
    [
      'a database of another program',
      null,
      (path) => {
        const other = open(path)
        other.prepare('CREATE TABLE stock (id INTEGER PRIMARY KEY, name TEXT)').run([])
        other.prepare("INSERT INTO stock (name) VALUES ('egg')").run([])
        other.close()
      },
    ],
    [
      'tables of a later version',
      'incompatible',
      (path) => {
        copyFileSync(sound, path)
        const other = open(path)
        const update = "UPDATE wp_options SET option_value = '99' WHERE option_name = 'as_rest_route_db_version'"
        other.prepare(update).run([])
        other.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([])
        other.close()
      },
    ],
  ]
  for (const [index, [what, fault, make]] of prepare.entries()) {
    const path = join(folder, `not-ours-${index}.sqlite`)
    make(path)
    const before = digest(path)
    const service = await startOrRefusal(path)
    if (service instanceof StorageError) {
      report.check(fault !== null && service.fault !== 'failed', `${what} is refused with a reason`, service.message)
      report.equal(digest(path), before, `${what} is not changed`)
    } else {
      report.equal(fault, null, `${what} is refused`)
      report.equal((await service.call('POST', 'notes', { text: 'x' })).status, 201, `${what} gets further tables`)
      await service.close()
      const other = open(path)
      report.equal(
        other
          .prepare('SELECT name FROM stock')
          .all([])
          .map((row) => Object.values(row)[0]),
        ['egg'],
        'and keeps its own',
      )
      other.close()
    }
  }
  return `${prepare.length} files of others`
}

/** Pages that are overwritten and files that are cut: each request has a response, and none is an unexpected error. */
async function damaged(
  folder: string,
  sound: string,
  random: Random,
  damages: number,
  report: Report,
): Promise<string> {
  let refused = 0
  const statuses = new Map<number, number>()
  const size = readFileSync(sound).length
  for (let count = 0; count < damages; count += 1) {
    const path = join(folder, 'damaged.sqlite')
    for (const ending of ['-wal', '-shm']) if (existsSync(path + ending)) rmSync(path + ending)
    copyFileSync(sound, path)
    if (count % 3 === 0) truncateSync(path, random.integer(1, size - 1))
    else overwritePages(path, random, count % 3 === 1 ? 1 : 12)
    const service = await startOrRefusal(path)
    if (service instanceof StorageError) {
      refused += 1
      report.check(service.fault !== 'failed', 'a damaged database is refused with a reason', service.message)
      continue
    }
    const responses = [await service.call('GET', 'notes'), await service.call('POST', 'notes', { text: 'x' })]
    for (let read = 0; read < 10; read += 1)
      responses.push(await service.call('GET', `notes/${random.integer(1, 300)}`))
    responses.push(await service.call('GET', '/healthz'))
    for (const { status, code } of responses) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      report.check(
        [200, 201, 404, 503].includes(status),
        'a damaged database is answered with 503',
        `${status} ${code}`,
      )
    }
    await service.close()
  }
  const list = [...statuses].map(([status, times]) => `${status} × ${times}`).join(', ')
  return `${damages} damaged files: ${refused} refused, of the others ${list}`
}

/** The first page has the header, without which it is not a database. */
function overwritePages(path: string, random: Random, pages: number): void {
  const bytes = readFileSync(path)
  for (let count = 0; count < pages; count += 1) {
    const start = random.integer(1, bytes.length / pageSize - 1) * pageSize
    for (let at = start; at < start + pageSize; at += 1) bytes[at] = random.integer(0, 255)
  }
  writeFileSync(path, bytes)
}
