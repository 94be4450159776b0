import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { HasherBusyError } from './password-hash.js'
import type { HashTask } from './hash-task.js'

type Result = boolean | string

/** A task in the queue or on a thread, with the functions that settle its promise. */
interface PendingTask {
  readonly task: HashTask
  readonly resolve: (result: Result) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Worker threads that compute one hash each at a time, with a bounded queue. Idle threads do not keep the process
 * alive. The next task replaces a thread that has died.
 */
export class HashThreads {
  readonly #maxThreads: number
  readonly #maxWaiting: number
  readonly #idle: Worker[] = []
  readonly #busy = new Map<Worker, PendingTask>()
  readonly #waiting: PendingTask[] = []
  #closed = false

  constructor(maxThreads: number, maxWaiting: number) {
    this.#maxThreads = maxThreads
    this.#maxWaiting = maxWaiting
  }

  /** @throws HasherBusyError when the queue is full or closed. */
  run(task: HashTask): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#closed || this.#waiting.length >= this.#maxWaiting) {
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
    const thread = this.#idle.pop() ?? (this.#busy.size < this.#maxThreads ? this.#newThread() : undefined)
    const next = thread && this.#waiting.shift()
    if (thread === undefined || next === undefined) return
    this.#busy.set(thread, next)
    thread.ref()
    thread.postMessage(next.task)
  }

  #newThread(): Worker {
    const thread = startThread()
    thread.on('message', (result: Result) => {
      this.#takeTask(thread)?.resolve(result)
      if (this.#closed) return
      thread.unref()
      this.#idle.push(thread)
      this.#startNext()
    })
    thread.on('error', (error) => this.#takeTask(thread)?.reject(error))
    thread.on('exit', () => {
      const index = this.#idle.indexOf(thread)
      if (index !== -1) this.#idle.splice(index, 1)
      this.#takeTask(thread)?.reject(new HasherBusyError('A hashing thread ended before its work was done.'))
      this.#startNext()
    })
    return thread
  }

  /** Removes the task of a thread and returns it. */
  #takeTask(thread: Worker): PendingTask | undefined {
    const task = this.#busy.get(thread)
    this.#busy.delete(thread)
    return task
  }
}

const workerFile = new URL('./hash-worker.js', import.meta.url)

/** False in an application that is bundled into one file, because a thread starts from a separate file. */
export function threadsCanStart(): boolean {
  return import.meta.url.endsWith('.ts') || existsSync(workerFile)
}

function startThread(): Worker {
  if (!import.meta.url.endsWith('.ts')) return new Worker(workerFile)
  // The TypeScript sources run with tsx. On Node 20, a thread does not inherit its loader.
  const source = JSON.stringify(new URL('./hash-worker.ts', import.meta.url))
  const tsx = JSON.stringify(import.meta.resolve('tsx/esm/api'))
  return new Worker(`import(${tsx}).then(({ register }) => (register(), import(${source})))`, { eval: true })
}
