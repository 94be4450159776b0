import { Random } from '../support/random.js'
import { NotesApi } from './application/faults-api.js'
import { booted } from './booted.js'
import { Report } from './report.js'

const hour = 3_600_000
const marks = [
  ['1970', 0],
  ['the end of 32 bits', 2 ** 31 * 1000 + 5],
  ['the year 9999', Date.UTC(9999, 11, 31, 23, 59, 59, 999)],
] as const

/** Sets the clock of the service forth and back, by seconds and by centuries, while it is used. */
export async function setClocks(seed: number, jumps: number): Promise<Report> {
  const report = new Report('clock jumps')
  const random = new Random(seed)
  let now = Date.UTC(2026, 0, 1)
  const { service, call, close } = await booted([NotesApi], { database: 'sqlite::memory:', clock: () => now })
  await service.users.create({ login: 'ada', email: 'ada@example.org', password: 'right', role: 'administrator' })
  const logIn = async (password: string): Promise<number> =>
    (
      await service.fetch(
        new Request('http://localhost/wp-login.php', {
          method: 'POST',
          body: new URLSearchParams({ log: 'ada', pwd: password }),
        }),
      )
    ).status
  for (let jump = 0; jump < jumps; jump += 1) {
    const [what, time] =
      jump < marks.length
        ? (marks[jump] as (typeof marks)[number])
        : (['a jump', Date.UTC(2026, 0, 1) + random.integer(-24 * 400, 24 * 400) * hour] as const)
    now = time
    const created = await call('POST', 'notes', { text: `${jump}` })
    report.equal(created.status, 201, `a note is created at ${what}`)
    const { id } = created.body as { id: number }
    report.equal((await call('GET', `notes/${id}`)).status, 200, `and read at ${what}`)
    report.equal((await call('PUT', `notes/${id}`, { text: 'changed' })).status, 200, `and changed at ${what}`)
    const list = (await call('GET', 'notes')).status
    report.equal(list, 200, `notes are listed at ${what}`)
    const record = await service.records.get(id)
    report.check(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(String(record?.date)),
      `the note has a date at ${what}`,
      String(record?.date),
    )
    if (jump % 10 === 0) report.equal(await logIn('right'), 302, `a login succeeds at ${what}`)
  }
  // Ten failures lock the account for less than an hour.
  now = Date.UTC(2026, 5, 1)
  for (let attempt = 0; attempt < 10; attempt += 1) await logIn('wrong')
  report.check((await logIn('right')) !== 302, 'ten failures lock the account')
  now += hour
  report.equal(await logIn('right'), 302, 'and an hour later it is open')
  await close()
  report.print(`${jumps} jumps`)
  return report
}
