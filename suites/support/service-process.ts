import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { typescriptArguments } from '../../test/support/typescript.js'

/** A message of the service's process that answers no call, such as a line of its log. */
export type OnEvent = (event: unknown) => void

interface Reply {
  readonly reply: number
  readonly value?: unknown
  readonly error?: string
}

/**
 * A service in a process of its own, driven by calls. Heap and handles that are measured there are those of the service
 * alone.
 */
export class ServiceProcess {
  readonly #child: ChildProcess
  readonly #calls = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>()
  #lastCall = 0

  /** @param module URL of a module that calls `answerCalls`. */
  constructor(module: URL, onEvent: OnEvent = () => {}, options: readonly string[] = []) {
    this.#child = fork(fileURLToPath(module), [], { execArgv: [...typescriptArguments, ...options] })
    this.#child.on('message', (message: Reply) => {
      const call = this.#calls.get(message.reply)
      if (!call) {
        onEvent(message)
        return
      }
      this.#calls.delete(message.reply)
      if (message.error === undefined) call.resolve(message.value as never)
      else call.reject(new Error(message.error))
    })
    this.#child.on('exit', (code, signal) => {
      for (const { reject } of this.#calls.values()) reject(new Error(`The service ended: ${code ?? signal}`))
      this.#calls.clear()
    })
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** @throws when the function throws, or the process ends. */
  call<T>(name: string, argument?: unknown): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#lastCall += 1
      this.#calls.set(this.#lastCall, { resolve, reject })
      this.#child.send({ call: this.#lastCall, name, argument })
    })
  }

  async end(): Promise<void> {
    if (!this.isRunning) return
    const ended = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.kill('SIGTERM')
    await ended
  }
}

/** Answers the calls of the process that started this one. */
export function answerCalls(functions: Readonly<Record<string, (argument: never) => unknown>>): void {
  process.on('message', ({ call, name, argument }: { call: number; name: string; argument: never }) => {
    void (async () => {
      try {
        process.send?.({ reply: call, value: await functions[name]?.(argument) })
      } catch (error) {
        process.send?.({ reply: call, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
      }
    })()
  })
}
