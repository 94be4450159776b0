import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { HasherBusyError } from './password-hash.js'
import type { HashTask } from './hash-task.js'

type Result = boolean | string

interface Waiting {
  readonly task: HashTask
  readonly resolve: (result: Result) => void
  readonly reject: (reason: unknown) => void
}

/**
 * A few worker threads that compute one hash each at a time, and a bounded queue before them. Idle threads do not keep
 * the process alive; a thread that dies is replaced when there is work again.
 */
export class HashThreads {
  readonly #most: number
  readonly #mostWaiting: number
  readonly #idle: Worker[] = []
  readonly #busy = new Map<Worker, Waiting>()
  readonly #waiting: Waiting[] = []
  #closed = false

  constructor(most: number, mostWaiting: number) {
    this.#most = most
    this.#mostWaiting = mostWaiting
  }

  /** @throws HasherBusyError when the queue is full, or the threads have been closed. */
  run(task: HashTask): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#closed || this.#waiting.length >= this.#mostWaiting) {
        reject(new HasherBusyError('Too many passwords wait to be checked.'))
        return
      }
      this.#waiting.push({ task, resolve, reject })
      this.#startNext()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const { reject } of this.#waiting.splice(0)) reject(new HasherBusyError('The service is closing.'))
    await Promise.all([...this.#idle.splice(0), ...this.#busy.keys()].map((thread) => thread.terminate()))
  }

  #startNext(): void {
    if (this.#waiting.length === 0) return
    const thread = this.#idle.pop() ?? (this.#busy.size < this.#most ? this.#newThread() : undefined)
    const next = thread && this.#waiting.shift()
    if (thread === undefined || next === undefined) return
    this.#busy.set(thread, next)
    thread.ref()
    thread.postMessage(next.task)
  }

  #newThread(): Worker {
    const thread = startThread()
    thread.on('message', (result: Result) => {
      this.#finish(thread)?.resolve(result)
      if (this.#closed) return
      thread.unref()
      this.#idle.push(thread)
      this.#startNext()
    })
    thread.on('error', (error) => this.#finish(thread)?.reject(error))
    thread.on('exit', () => {
      const place = this.#idle.indexOf(thread)
      if (place !== -1) this.#idle.splice(place, 1)
      this.#finish(thread)?.reject(new HasherBusyError('A hashing thread ended before its work was done.'))
      this.#startNext()
    })
    return thread
  }

  #finish(thread: Worker): Waiting | undefined {
    const work = this.#busy.get(thread)
    this.#busy.delete(thread)
    return work
  }
}

const workerFile = new URL('./hash-worker.js', import.meta.url)

/** False in an application bundled into one file: a thread needs a file of its own to start from. */
export function threadsCanStart(): boolean {
  return import.meta.url.endsWith('.ts') || existsSync(workerFile)
}

function startThread(): Worker {
  if (!import.meta.url.endsWith('.ts')) return new Worker(workerFile)
  // The sources run through tsx, which Node 20 does not hand on to threads.
  const source = JSON.stringify(new URL('./hash-worker.ts', import.meta.url))
  const tsx = JSON.stringify(import.meta.resolve('tsx/esm/api'))
  return new Worker(`import(${tsx}).then(({ register }) => (register(), import(${source})))`, { eval: true })
}
