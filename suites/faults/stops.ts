import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { headerOf, HttpConnection } from '../support/http-connection.js'
import { Random } from '../support/random.js'
import { ServedApplication } from './command.js'
import { Report } from './report.js'

const keepAliveClients = 50
const shortClients = 10
/** Milliseconds. */
const deadline = 30_000
/** For how long a request is answered after the signal, or after the latest response of its connection, in milliseconds. */
const promised = 250

const path = '/wp-json/faults/v1'
const body = JSON.stringify({ text: 'written while the service stops' })
const requests: readonly Buffer[] = [
  `GET ${path}/process HTTP/1.1\r\nHost: x\r\n\r\n`,
  `GET ${path}/notes HTTP/1.1\r\nHost: x\r\n\r\n`,
  `GET ${path}/moment HTTP/1.1\r\nHost: x\r\n\r\n`,
  `GET ${path}/process HTTP/1.1\r\nHost: x\r\nTE: trailers\r\n\r\n`,
  `POST ${path}/notes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
].map((text) => Buffer.from(text))

interface Figures {
  answered: number
  /** Requests that lost their response although they were sent in time. */
  lost: number
  /** Requests that lost their response and were sent too late. */
  late: number
  /** Connections that could not be made. */
  refused: number
}

/** Stops the service, or lets it restart, while clients send one request after the other. */
export async function stopUnderLoad(
  folder: string,
  seed: number,
  signals: number,
  signal: 'SIGTERM' | 'SIGHUP',
): Promise<Report> {
  const report = new Report(`${signal} under load`)
  const figures: Figures = { answered: 0, lost: 0, late: 0, refused: 0 }
  const durations: number[] = []
  for (let count = 0; count < signals; count += 1) {
    const random = new Random(seed, count)
    const http = count % 2 === 0 ? 'fast' : 'node'
    const served = await ServedApplication.start({ database: join(folder, `${signal}.sqlite`), http })
    const load = new Load(served.port, figures, signal === 'SIGHUP')
    const done = load.run(random)
    const before = figures.answered
    while (figures.answered < before + keepAliveClients) await pause(5)
    await pause(random.integer(100, 500))
    load.signalledAt = performance.now()
    const begin = performance.now()
    served.signal(signal)
    if (signal === 'SIGTERM') {
      report.equal(await served.ended, [0, null], 'the command ends with code 0')
      durations.push(performance.now() - begin)
      await done
    } else {
      await isReplaced(served)
      await pause(random.integer(100, 500))
      load.isOver = true
      await done
      report.equal(await served.stop(), 0, 'the command ends with code 0')
    }
  }
  report.equal(figures.lost, 0, 'no request that was sent in time loses its response')
  if (signal === 'SIGHUP') report.equal(figures.refused, 0, 'no connection is refused')
  const { answered, lost, late } = figures
  durations.sort((one, other) => one - other)
  const [median = 0, slowest = 0] = [durations[durations.length >> 1], durations.at(-1)]
  const took =
    signal === 'SIGTERM' ? `, stops took ${median.toFixed(0)} ms (median), ${slowest.toFixed(0)} ms (slowest)` : ''
  report.print(
    `${signals} signals, ${keepAliveClients + shortClients} clients, ${answered} answered, ${lost} lost, ` +
      `${late} sent after ${promised} idle ms and lost${took}`,
  )
  return report
}

/** Waits until the new process has said that it serves. */
async function isReplaced(served: ServedApplication): Promise<void> {
  while ((served.output.match(/routes? at http/g)?.length ?? 0) < 2) await pause(10)
}

class Load {
  signalledAt = Number.POSITIVE_INFINITY
  isOver = false

  constructor(
    readonly port: number,
    readonly figures: Figures,
    readonly reconnects: boolean,
  ) {}

  async run(random: Random): Promise<void> {
    await Promise.all([
      ...Array.from({ length: keepAliveClients }, () => this.#keepAlive(random)),
      ...Array.from({ length: shortClients }, () => this.#short(random)),
    ])
  }

  async #keepAlive(random: Random): Promise<void> {
    do {
      const connection = new HttpConnection(this.port)
      let openSince = performance.now()
      for (let isOpen = true; isOpen && !this.isOver;) {
        const sentAt = performance.now()
        isOpen = await this.#exchange(connection, random, openSince)
        openSince = sentAt
      }
      connection.close()
    } while (this.reconnects && !this.isOver)
  }

  /** A connection for each request. */
  async #short(random: Random): Promise<void> {
    while (!this.isOver && (this.reconnects || this.signalledAt === Number.POSITIVE_INFINITY)) {
      const openedAt = performance.now()
      const connection = new HttpConnection(this.port)
      await connection.opened
      await this.#exchange(connection, random, openedAt)
      connection.close()
    }
  }

  /**
   * @param openSince when the connection was opened, or its latest request was sent: its response came later.
   * @returns whether the connection stays open.
   */
  async #exchange(connection: HttpConnection, random: Random, openSince: number): Promise<boolean> {
    const sentAt = performance.now()
    try {
      const response = await connection.exchange(random.pick(requests), false, deadline)
      if (response.status >= 300) throw new Error(`The response has status ${response.status}.`)
      this.figures.answered += 1
      return headerOf(response, 'connection') !== 'close'
    } catch (error) {
      if (/ECONNREFUSED/.test(String(error))) this.figures.refused += 1
      else if (sentAt <= Math.max(this.signalledAt, openSince) + promised) this.figures.lost += 1
      else this.figures.late += 1
      return false
    }
  }
}
