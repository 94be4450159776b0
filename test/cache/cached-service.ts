import type { BootOptions, SeedTools } from '../../src/app/options.js'
import { startService, type StartedService } from '../support/start-service.js'
import { CountedApi, Runs } from './counted-api.js'

export interface CachedService extends StartedService {
  readonly runs: Runs
  /** The answer to a GET below `test/v1/`. */
  get(path: string, headers?: Record<string, string>): Promise<Response>
  /** Its body. */
  read(path: string, headers?: Record<string, string>): Promise<unknown>
}

/** Two categories that records can be in. */
async function seed({ terms }: SeedTools): Promise<void> {
  for (const name of ['news', 'other']) await terms.create({ name })
}

/** A service with routes that are cached, and counters of what they really do. */
export async function cachedService(options: BootOptions = {}): Promise<CachedService> {
  const runs = new Runs()
  const started = await startService([CountedApi], { provide: [[Runs, runs]], environment: 'local', seed, ...options })
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${started.rest}test/v1/${path}`, { headers })
  return { ...started, runs, get, read: async (path, headers) => (await get(path, headers)).json() }
}

/** A promise, and what ends it. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}
