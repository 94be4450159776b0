import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type * as Esbuild from 'esbuild'
import type { Requester } from './fair-queue.js'
import { HasherBusyError } from './password-hash.js'
import type { HashTask } from './hash-task.js'
import { PendingTasks, type PendingTask } from './pending-tasks.js'

/**
 * Worker threads that compute one hash each at a time, with a bounded queue that is fair to all networks. Idle threads
 * do not keep the process alive. The next task replaces a thread that has died.
 */
export class HashThreads {
  readonly #maxThreads: number
  readonly #idle: Worker[] = []
  readonly #busy = new Map<Worker, PendingTask>()
  readonly #pending: PendingTasks

  /** @param maxWaiting see `FairQueue`. */
  constructor(maxThreads: number, maxWaiting: number) {
    this.#maxThreads = maxThreads
    this.#pending = new PendingTasks(maxWaiting)
  }

  /** @throws HasherBusyError when the queue is closed, or the task has no place in the queue or loses it. */
  run(task: HashTask, requester?: Requester): Promise<boolean | string> {
    const result = this.#pending.add(task, requester)
    this.#startNext()
    return result
  }

  async close(): Promise<void> {
    this.#pending.close()
    await Promise.all([...this.#idle.splice(0), ...this.#busy.keys()].map((thread) => thread.terminate()))
  }

  #startNext(): void {
    if (this.#pending.size === 0) return
    const thread = this.#idle.pop() ?? (this.#busy.size < this.#maxThreads ? this.#newThread() : null)
    const next = thread && this.#pending.next()
    if (thread === null || next === null) return
    this.#busy.set(thread, next)
    thread.ref()
    thread.postMessage(next.task)
  }

  #newThread(): Worker {
    const thread = startThread()
    thread.on('message', (result: boolean | string) => {
      this.#takeTask(thread)?.resolve(result)
      if (this.#pending.isClosed) return
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
  return import.meta.url.endsWith('.ts') ? new Worker(compiledSources(), { eval: true }) : new Worker(workerFile)
}

let compiled: string | null = null

/**
 * The script of a thread where the TypeScript sources run. On Node 20 a thread does not inherit their loader, and one that
 * registers it takes 0.4 s of a processor to start.
 */
function compiledSources(): string {
  if (compiled !== null) return compiled
  const { buildSync } = createRequire(import.meta.url)('esbuild') as typeof Esbuild
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL('./hash-worker.ts', import.meta.url))],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
  })
  return (compiled = outputFiles[0]?.text ?? '')
}
