import { isDeepStrictEqual } from 'node:util'
import type { Credentials } from '../data/data.js'
import { ask, type BenchRequest } from '../load/exchange.js'
import type { RunningServer } from '../servers/server.js'
import type { Workload } from './workload.js'

export interface Participant {
  readonly server: RunningServer
  /** Of a caller that this server knows. */
  readonly credentials: Credentials
}

/**
 * A server that does less work would win. Each must answer what the first of them, the product, answers for the same
 * data, and refuse what that refuses. @throws Error that names the server and the first difference.
 */
export async function checkSameResponses(participants: readonly Participant[], workload: Workload): Promise<void> {
  const queues = participants.map(({ server, credentials }) => ({ server, next: workload.requests(credentials) }))
  for (let turn = 0; turn < 3; turn += 1) {
    let expected: unknown
    for (const { server, next } of queues) {
      const request = next()
      const response = JSON.parse(await responseOf(server, request, workload.status)) as unknown
      expected ??= response
      if (isDeepStrictEqual(response, expected)) continue
      throw new Error(
        `${workload.id}: ${server.name} answers ${request.path} with ${JSON.stringify(response).slice(0, 600)} ` +
          `instead of ${JSON.stringify(expected).slice(0, 600)}`,
      )
    }
  }
  for (const { server, credentials } of participants) {
    for (const { status, ...request } of workload.refused(credentials)) await responseOf(server, request, status)
  }
}

async function responseOf({ name, port }: RunningServer, request: BenchRequest, expected: number): Promise<string> {
  const { status, body } = await ask(port, request)
  if (status === expected) return body
  throw new Error(
    `${name} answers ${request.method} ${request.path} with ${status} instead of ${expected}: ${body.slice(0, 300)}`,
  )
}
