// The healthy client, in a process of its own: the work of a flood must not delay its clock.
import { setTimeout as pause } from 'node:timers/promises'
import { HttpConnection } from '../support/http-connection.js'
import { answerCalls } from '../support/service-process.js'
import { processorWait } from './processor-wait.js'
import type { Health } from './protocol.js'

process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))

/** Milliseconds. A machine of CI may pause a process for seconds. */
const deadline = 30_000
/** Milliseconds between a response and the next request. */
const rest = 3
const request = Buffer.from('GET /wp-json/floods/v1/list HTTP/1.1\r\nHost: floods.example\r\n\r\n')
let connection: HttpConnection

answerCalls({
  async connect(port: number): Promise<void> {
    connection = new HttpConnection(port)
    await connection.opened
  },
  /** Asks on its one connection until the time is over. @param seconds of the measurement. */
  async measure(seconds: number): Promise<Health> {
    const durations: number[] = []
    const faults: string[] = []
    const waitBefore = processorWait()
    for (const end = performance.now() + seconds * 1000; performance.now() < end && faults.length === 0;) {
      const begin = performance.now()
      try {
        const { status, body } = await connection.exchange(request, false, deadline)
        durations.push(performance.now() - begin)
        if (status !== 200) faults.push(`${status} ${body.toString()}`)
      } catch (error) {
        faults.push(String(error))
      }
      await pause(rest)
    }
    durations.sort((one, other) => one - other)
    const quantile = (part: number): number => durations[Math.floor(durations.length * part)] ?? 0
    return {
      answered: durations.length,
      faults,
      median: quantile(0.5),
      p99: quantile(0.99),
      processorWait: processorWait() - waitBefore,
    }
  },
})
