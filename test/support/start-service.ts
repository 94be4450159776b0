import { boot } from '../../src/app/boot.js'
import type { HandlerSource } from '../../src/app/plan.js'
import type { Service } from '../../src/app/service.js'
import type { Log } from '../../src/log/log.js'
import type { BootOptions } from '../../src/app/options.js'
import { temporaryDatabase } from './test-database.js'

/** A line that the service wrote into its log. */
export interface LogLine {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

export interface StartedService {
  /** `http://127.0.0.1:40001`, without a trailing slash. */
  readonly url: string
  readonly port: number
  /** The address of everything declared: `http://127.0.0.1:40001/wp-json/`. */
  readonly rest: string
  readonly service: Service
  /** What was logged up to now, oldest first. */
  readonly log: readonly LogLine[]
  /** Ends the service; a request that hangs is cut off after half a second. */
  close(): Promise<void>
}

/**
 * Boots handler classes, or the classes of a folder, on an empty database and listens on a port of its own:
 *
 * ```ts
 * const shop = await startService([ProductsApi])
 * after(() => shop.close())
 * const response = await fetch(`${shop.rest}shop/v1/products`)
 * ```
 *
 * Nothing is seeded, nothing is printed, and secrets are made anew, unless `options` says otherwise.
 */
export async function startService(source: HandlerSource, options: BootOptions = {}): Promise<StartedService> {
  const log: LogLine[] = []
  const service = await boot(source, {
    ...(options.wordpress === undefined && {
      database: options.database ?? (await temporaryDatabase()),
      synchronous: 'NORMAL',
      secrets: {},
    }),
    log: collectingLog(log),
    ...(isFolder(source) ? { seed: async () => {} } : {}),
    ...options,
  })
  const { url, port } = await service.listen({ port: 0 })
  return {
    url,
    port,
    rest: `${url}/${service.restPrefix}/`,
    service,
    log,
    close: () => service.close({ gracePeriod: 500 }),
  }
}

function isFolder(source: HandlerSource): boolean {
  return typeof source === 'string' || source instanceof URL
}

function collectingLog(lines: LogLine[]): Log {
  const writer = (level: LogLine['level']) => (fields: object, message: string) => {
    lines.push({ level, message, fields: fields as Record<string, unknown> })
  }
  return { info: writer('info'), warn: writer('warn'), error: writer('error') }
}
