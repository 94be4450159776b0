import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sqliteLibrary } from '../../src/database/sqlite/sqlite-client.js'
import { HttpConnection } from '../support/http-connection.js'
import { Random } from '../support/random.js'
import { ServedApplication } from './command.js'
import { Report } from './report.js'

const clients = 8
/** Milliseconds. */
const deadline = 30_000

/** What is known of a note. */
interface Note {
  /** The acknowledged text; null when the acknowledged write deleted the note. */
  text: string | null
  /** What an unacknowledged write may have made of it. */
  possible: string | null
  hasPending: boolean
}

/**
 * Kills the service while clients create, change and delete notes, starts it again, and compares each note that it
 * acknowledged with what it has now.
 */
export async function killUnderLoad(folder: string, seed: number, kills: number): Promise<Report> {
  const report = new Report('kill -9 under load')
  const database = join(folder, 'kills.sqlite')
  const notes = new Map<number, Note>()
  const figures = { acknowledged: 0, pending: 0, compared: 0 }
  for (let kill = 0; kill < kills; kill += 1) {
    const random = new Random(seed, kill)
    const served = await ServedApplication.start({ database, http: kill % 2 === 0 ? 'fast' : 'node' })
    const touched = new Set<number>()
    const load = Promise.all(
      Array.from({ length: clients }, (_, index) =>
        write(served.port, new Random(seed, kill * clients + index + 1_000_000), notes, touched, figures),
      ),
    )
    const before = figures.acknowledged
    while (figures.acknowledged < before + clients) await pause(5)
    await pause(random.integer(50, 600))
    await served.kill()
    await load
    const again = await ServedApplication.start({ database, http: 'fast' })
    figures.compared += await compare(again.port, notes, touched, report)
    report.equal(await again.stop(), 0, `the service stops in order after kill ${kill + 1}`)
  }
  await compareAll(database, notes, report)
  const { acknowledged, pending, compared } = figures
  report.print(
    `${kills} kills, ${acknowledged} acknowledged writes, ${pending} without a response, ` +
      `${compared} notes compared after the restarts, all ${notes.size} at the end`,
  )
  return report
}

/** Writes until the service is killed. Each client changes only notes that it created. */
async function write(
  port: number,
  random: Random,
  notes: Map<number, Note>,
  touched: Set<number>,
  figures: { acknowledged: number; pending: number },
): Promise<void> {
  const connection = new HttpConnection(port)
  const own: number[] = []
  for (;;) {
    const kind = own.length === 0 ? 'create' : random.pick(['create', 'create', 'update', 'update', 'delete'] as const)
    const text = random.text(random.integer(1, 2_000))
    const id = kind === 'create' ? 0 : random.pick(own)
    const note = notes.get(id)
    if (note) Object.assign(note, { possible: kind === 'delete' ? null : text, hasPending: true })
    try {
      const response = await connection.exchange(requestOf(kind, id, text), false, deadline)
      if (response.status >= 300)
        throw new Error(`A write was answered with ${response.status}: ${String(response.body)}`)
      figures.acknowledged += 1
      if (kind === 'create') {
        const { id: created } = JSON.parse(response.body.toString()) as { id: number }
        notes.set(created, { text, possible: null, hasPending: false })
        own.push(created)
        touched.add(created)
        continue
      }
      touched.add(id)
      if (note) Object.assign(note, { text: kind === 'delete' ? null : text, hasPending: false })
      if (kind === 'delete') own.splice(own.indexOf(id), 1)
    } catch (error) {
      if (connection.isOpen) throw error
      figures.pending += 1
      if (note) touched.add(id)
      return
    }
  }
}

function requestOf(kind: 'create' | 'update' | 'delete', id: number, text: string): Buffer {
  const body = kind === 'delete' ? '' : JSON.stringify({ text })
  const method = { create: 'POST', update: 'PUT', delete: 'DELETE' }[kind]
  const path = `/wp-json/faults/v1/notes${kind === 'create' ? '' : `/${id}`}`
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
}

/** Reads the notes through the service. @returns their number. */
async function compare(
  port: number,
  notes: ReadonlyMap<number, Note>,
  touched: ReadonlySet<number>,
  report: Report,
): Promise<number> {
  const connection = new HttpConnection(port)
  for (const id of touched) {
    const request = `GET /wp-json/faults/v1/notes/${id} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`
    const { status, body } = await connection.exchange(Buffer.from(request), false, deadline)
    const texts = status === 404 ? null : (JSON.parse(body.toString()) as { texts: readonly string[] }).texts
    compareNote(id, texts, notes.get(id), report)
  }
  connection.close()
  return touched.size
}

/** Reads all notes from the file. */
async function compareAll(database: string, notes: Map<number, Note>, report: Report): Promise<void> {
  if (notes.size === 0) return
  const connection = (await sqliteLibrary())(database)
  const integrity = connection.prepare('PRAGMA integrity_check').all([])
  report.equal(
    integrity.map((row) => String(Object.values(row)[0])),
    ['ok'],
    'the file passes the integrity check',
  )
  const rows = connection
    .prepare(
      `SELECT ID, post_title, post_content, meta_value FROM wp_posts
       LEFT JOIN wp_postmeta ON post_id = ID AND meta_key = 'text' WHERE post_type = 'note'`,
    )
    .all([])
  const stored = new Map(rows.map((row) => Object.values(row)).map(([id, ...texts]) => [Number(id), texts.map(String)]))
  for (const [id, note] of notes) compareNote(id, stored.get(id) ?? null, note, report)
  connection.close()
}

function compareNote(id: number, texts: readonly string[] | null, note: Note | undefined, report: Report): void {
  if (note === undefined) return
  const [text = null] = texts ?? []
  report.check(texts === null || texts.every((each) => each === text), `note ${id} is whole`, JSON.stringify(texts))
  const isKnown = text === note.text || (note.hasPending && text === note.possible)
  report.check(isKnown, `note ${id} has the text that was acknowledged`, `${text} in place of ${note.text}`)
  // What an unacknowledged write has made of it stays.
  Object.assign(note, { text, hasPending: false })
}
