import { logError } from '../log/log-error.js'
import type { Log } from '../log/log.js'

/** Throws, rejects or returns `false` while the service must get no requests. @param signal aborts when the time is over. */
export type ReadinessCheck = (signal: AbortSignal) => unknown

/** How long a check may take, in milliseconds. */
const timeLimit = 5_000

/**
 * The checks of `/readyz` besides the database. A class adds a check in its constructor:
 *
 *     constructor(private readonly search = inject(SearchServer), readiness = inject(Readiness)) {
 *       readiness.add('search', () => search.ping())
 *     }
 */
export class Readiness {
  readonly #checks: { readonly name: string; readonly check: ReadinessCheck }[] = []
  readonly #log: Log
  #running: Promise<string | null> | null = null

  constructor(log: Log) {
    this.#log = log
  }

  /**
   * Adds a check. All checks run at once for a request to `/readyz`, each for at most five seconds; requests that arrive
   * meanwhile share the result.
   * @param name stands in the response and in the log.
   * @throws RangeError for an invalid name. @throws TypeError for a check that is not a function.
   */
  add(name: string, check: ReadinessCheck): void {
    if (typeof name !== 'string' || !/^[\x21-\x7e]{1,100}$/.test(name))
      throw new RangeError(
        `Readiness.add: the name is '${String(name)}'. Give 1 to 100 visible characters of ASCII, without spaces.`,
      )
    if (typeof check !== 'function')
      throw new TypeError(`Readiness.add: the check '${name}' is not a function. Give (signal) => …`)
    this.#checks.push({ name, check })
  }

  /** The names of what is not ready, joined with `, `; null when everything is. Never rejects. */
  unready(): Promise<string | null> {
    if (this.#checks.length === 0) return Promise.resolve(null)
    return (this.#running ??= this.#run().finally(() => {
      this.#running = null
    }))
  }

  async #run(): Promise<string | null> {
    const failed = await Promise.all(
      this.#checks.map(async ({ name, check }) => {
        try {
          if ((await resultInTime(check)) !== false) return []
          logError(this.#log, 'check-not-ready', { check: name })
        } catch (err) {
          logError(this.#log, 'check-not-ready', { check: name, err })
        }
        return [name]
      }),
    )
    return failed.flat().join(', ') || null
  }
}

async function resultInTime(check: ReadinessCheck): Promise<unknown> {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = new Error(`The check took longer than ${timeLimit / 1000} s.`)
      controller.abort(error)
      reject(error)
    }, timeLimit)
  })
  try {
    return await Promise.race([(async () => check(controller.signal))(), over])
  } finally {
    clearTimeout(timer)
  }
}
