import type { HandlerSource } from '../../src/app/plan.js'
import type { BootOptions } from '../../src/app/options.js'
import { boot } from '../../src/app/boot.js'
import type { Service } from '../../src/app/service.js'
import { silent } from '../../src/log/log.js'
import configuration from './application/as-rest-route.config.js'

export interface ReceivedResponse {
  readonly status: number
  readonly code: string | null
  readonly body: unknown
  readonly headers: Headers
}

export interface BootedService {
  readonly service: Service
  /** Sends a request on a connection of its own. @param path below `faults/v1/`, or from the root when it begins with `/`. */
  call(method: string, path: string, body?: object): Promise<ReceivedResponse>
  close(): Promise<void>
}

/** Milliseconds. A request that takes longer hangs. */
const deadline = 30_000

/** Boots a service in this process and listens on a free port. */
export async function booted(source: HandlerSource, options: BootOptions): Promise<BootedService> {
  const service = await boot(source, { ...configuration, secrets: {}, log: silent, ...options })
  const { url } = await service.listen({ port: 0 })
  return {
    service,
    async call(method, path, body) {
      const response = await fetch(path.startsWith('/') ? `${url}${path}` : `${url}/wp-json/faults/v1/${path}`, {
        method,
        headers: { connection: 'close', ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(deadline),
      })
      const text = await response.text()
      const parsed = text.startsWith('{') || text.startsWith('[') ? (JSON.parse(text) as { code?: string }) : text
      const code = typeof parsed === 'object' ? (parsed.code ?? null) : null
      return { status: response.status, code, body: parsed, headers: response.headers }
    },
    close: () => service.close({ gracePeriod: 2_000 }),
  }
}
