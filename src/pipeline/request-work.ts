import { setMaxListeners } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RecordAccess } from '../auth/record-access.js'
import type { BindFunction } from '../base/bind-function.js'
import type {
  PasswordCheckRequest,
  DeferredWork,
  RecordPasswordState,
  RequestContext,
} from '../http/request-context.js'
import { uploadsPath, type UploadContext } from '../http/uploaded-file.js'
import { UnavailableError } from '../http/unavailable.js'
import { logError } from '../log/log-error.js'
import type { Log } from '../log/log.js'
import { requestLog, type RequestLog } from '../http/request-log.js'
import { sanitizeFileName } from '../sanitizers/file-name.js'

/** Too many functions of `request.defer` wait or run. */
class TooManyDeferredError extends UnavailableError {
  override readonly name = 'TooManyDeferredError'

  constructor() {
    super('Too much work waits to be done after its request was answered.', 10)
  }
}

/** The service has stopped: what deferred work needs is closed. */
class ServiceStoppedError extends UnavailableError {
  override readonly name = 'ServiceStoppedError'

  constructor() {
    super('The service has stopped, and runs no more deferred work.', 10)
  }
}

/** Maximum number of functions that run at the same time, and of those that wait or run. */
const maxRunning = 50
const maxWorks = 1_000

interface WaitingWork {
  readonly requestId: string
  readonly work: DeferredWork
}

/** The name of an upload as WordPress stores it. */
const uploadName = (clientName: string): string => sanitizeFileName(clientName) || 'unnamed-file'

/** Work that goes on after the response: functions of `request.defer`, and handlers whose time limit has passed. */
export class RequestWork implements RequestContext {
  readonly uploads: UploadContext
  readonly #log: Log
  readonly #recordAccess: RecordAccess
  readonly #bind: BindFunction
  readonly #cutOff = new AbortController()
  readonly #held = new Set<Promise<unknown>>()
  readonly #waiting: WaitingWork[] = []
  #running = 0
  #works = 0

  /** @param bind binds deferred functions. @param uploads the folder of stored uploads, and the address of the site; left out where none are served. */
  constructor(
    log: Log,
    recordAccess: RecordAccess,
    bind: BindFunction,
    uploads?: { readonly folder: string; readonly home: () => string },
  ) {
    this.#log = log
    this.#recordAccess = recordAccess
    this.#bind = bind
    this.uploads = {
      nameOf: uploadName,
      folder: uploads?.folder ?? null,
      addressOf: (path) => `${uploads?.home() ?? ''}${uploadsPath}${path.split('/').map(encodeURIComponent).join('/')}`,
    }
    // Each request that reads its `signal` adds a listener. That is not a leak, so Node must not warn of it.
    setMaxListeners(0, this.#cutOff.signal)
  }

  get cutOff(): AbortSignal {
    return this.#cutOff.signal
  }

  logOf(requestId: string): RequestLog {
    return requestLog(this.#log, { requestId })
  }

  recordPassword(request: PasswordCheckRequest, id: number): Promise<RecordPasswordState> {
    return this.#recordAccess.stateOf(request, id)
  }

  reserveWork(): void {
    if (this.#cutOff.signal.aborted) throw new ServiceStoppedError()
    if (this.#works >= maxWorks) throw new TooManyDeferredError()
    this.#works += 1
  }

  /** Runs deferred functions in their order, at most 50 at the same time. `reserveWork` was called for each of them. */
  start(requestId: string, works: readonly DeferredWork[]): void {
    for (const work of works) this.#waiting.push({ requestId, work })
    this.#startNext()
  }

  /** Lets a stop wait for a promise. @param work must not reject. */
  hold(work: Promise<unknown>): void {
    this.#held.add(work)
    void work.finally(() => this.#held.delete(work))
  }

  /** Whether anything is held, waits or runs. */
  get isBusy(): boolean {
    return this.#held.size > 0
  }

  /** Resolves when nothing is held, waits or runs. */
  async idle(): Promise<void> {
    while (this.#held.size > 0) await Promise.all(this.#held)
  }

  /** The grace period is over: aborts the signals of requests, and logs what is lost. */
  cut(): void {
    this.#cutOff.abort()
    if (this.#works > 0) logError(this.#log, 'deferred-cut-off', { works: this.#works })
  }

  #startNext(): void {
    while (this.#running < maxRunning) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      this.#running += 1
      this.hold(this.#run(next))
    }
  }

  async #run({ requestId, work }: WaitingWork): Promise<void> {
    try {
      // The response is sent first, because the work may block the event loop.
      await nextTurn()
      await this.#bind(work)()
    } catch (err) {
      logError(this.#log, 'deferred-failed', { err, requestId })
    } finally {
      this.#running -= 1
      this.#works -= 1
      this.#startNext()
    }
  }
}
