import { isDeepStrictEqual } from 'node:util'
import type { Credentials } from '../data/data.js'
import { ask, type Asked } from '../load/exchange.js'
import type { RunningServer } from '../servers/server.js'
import type { Workload } from './workload.js'

/**
 * A server that does less work would win. Each must answer what the product answers for the same data, and refuse what
 * the product refuses. @throws Error that names the server and the first difference.
 */
export async function checkSameAnswers(
  servers: readonly RunningServer[],
  workload: Workload,
  credentials: Credentials,
): Promise<void> {
  const next = workload.requests(credentials)
  for (const asked of [next(), next(), next()]) {
    const [expected, ...others] = await answersOf(servers, asked, workload.status)
    others.forEach((answer, index) => {
      if (isDeepStrictEqual(answer, expected)) return
      throw new Error(
        `${workload.id}: ${servers[index + 1]?.name} answers ${asked.path} with ${JSON.stringify(answer).slice(0, 600)} ` +
          `instead of ${JSON.stringify(expected).slice(0, 600)}`,
      )
    })
  }
  for (const { status, ...asked } of workload.refused(credentials)) await answersOf(servers, asked, status)
}

async function answersOf(
  servers: readonly RunningServer[],
  asked: Asked,
  expected: number,
): Promise<readonly unknown[]> {
  const answers: unknown[] = []
  for (const { name, port } of servers) {
    const { status, body } = await ask(port, asked)
    if (status !== expected) {
      throw new Error(
        `${name} answers ${asked.method} ${asked.path} with ${status} instead of ${expected}: ${body.slice(0, 300)}`,
      )
    }
    answers.push(JSON.parse(body))
  }
  return answers
}
