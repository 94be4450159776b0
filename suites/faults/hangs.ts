import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ServedApplication } from './command.js'
import { Report } from './report.js'

/** Stops services of which a handler never gives the process back: by the deadline of a stop, and by a second signal. */
export async function stopBlocked(folder: string): Promise<Report> {
  const report = new Report('stops of blocked services')
  const durations = await Promise.all([1, 2].map((signals) => stopOne(folder, signals, report)))
  const [byDeadline = 0, bySecondSignal = 0] = durations.map((duration) => duration / 1000)
  report.print(
    `ended ${byDeadline.toFixed(1)} s after SIGTERM, ${bySecondSignal.toFixed(1)} s after the first of two signals`,
  )
  return report
}

async function stopOne(folder: string, signals: number, report: Report): Promise<number> {
  const served = await ServedApplication.start({ database: join(folder, `blocked-${signals}.sqlite`), http: 'fast' })
  report.equal((await createNote(served)).status, 201, 'a write is acknowledged before the process is blocked')
  const blocked = fetch(`${served.url}blocked`).then(
    ({ status }) => status,
    () => null,
  )
  while (!/^blocked$/m.test(served.output)) await pause(20)
  const begin = performance.now()
  served.signal('SIGTERM')
  if (signals === 2) {
    await pause(1_500)
    served.signal('SIGTERM')
  }
  report.equal(await served.ended, [1, null], 'the command ends with code 1')
  const duration = performance.now() - begin
  report.equal(await blocked, null, 'the request of the blocked handler is cut off')
  report.equal(served.output.includes('[service-hung]'), signals === 1, 'the reason is on standard error')
  const again = await ServedApplication.start({ database: join(folder, `blocked-${signals}.sqlite`), http: 'fast' })
  const list = await fetch(`${again.url}notes`, { headers: { connection: 'close' } })
  report.equal(((await list.json()) as unknown[]).length, 1, 'the acknowledged write is there after the next start')
  report.equal(await again.stop(), 0, 'which stops in order')
  return duration
}

function createNote({ url }: ServedApplication): Promise<Response> {
  return fetch(`${url}notes`, {
    method: 'POST',
    headers: { connection: 'close', 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'written before' }),
  })
}
