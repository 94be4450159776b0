import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { missingProgram } from './missing-server.js'
import type { ServerKind } from './server-programs.js'
import type { Order, Reply } from './server-supervisor.js'
import { typescriptArguments } from '../typescript.js'

/** A database server that belongs to one test. It is gone with its data when the process of the test ends. */
export interface TestServer {
  /** For a user with all rights: a database that is empty at first. The same after each start. */
  readonly url: string
  /** Ends it in order, with all its connections. */
  stop(): Promise<void>
  /** Starts it again, on the same port and with the same data. */
  start(): Promise<void>
  /** Ends it as a crash does. */
  kill(): Promise<void>
  /** Ends it and removes its data. */
  drop(): Promise<void>
}

/**
 * Starts a server of the test's own, for tests that stop it or change its settings. All others use `freshDatabase`.
 * @param settings each `name=value`, in the words of the server: `max_connections=5`.
 * @returns null when the server is not installed; `skipWithoutProgram` says so for the tests.
 * @throws Error when it cannot be started.
 */
export async function startServer(kind: ServerKind, settings: readonly string[] = []): Promise<TestServer | null> {
  if (missingProgram(kind) !== null) return null
  const supervisor = new Supervisor(kind, settings)
  const order = async (name: Order): Promise<void> => void (await supervisor.order(name))
  return {
    url: await supervisor.order('start'),
    stop: () => order('stop'),
    start: () => order('start'),
    kill: () => order('kill'),
    drop: () => supervisor.end(),
  }
}

const program = fileURLToPath(new URL('./server-supervisor.ts', import.meta.url))

/** The process that owns the server. It ends with the process that it belongs to. */
class Supervisor {
  readonly #process: ChildProcess
  readonly #ended: Promise<unknown>

  constructor(kind: ServerKind, settings: readonly string[]) {
    this.#process = fork(program, [kind, ...settings], {
      execArgv: typescriptArguments,
      // Ctrl-C in a terminal must not end it before it has removed the server.
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#ended = once(this.#process, 'exit')
    // A test that forgets its server ends all the same.
    this.#process.unref()
    this.#process.channel?.unref()
  }

  /** @returns the address. Orders are given one after another. @throws Error with what the server said last. */
  async order(name: Order): Promise<string> {
    this.#process.channel?.ref()
    try {
      const reply = new Promise<Reply>((resolve, reject) => {
        this.#process.once('message', resolve)
        void this.#ended.then(() => reject(new Error('The supervisor of the server ended.')), reject)
      })
      this.#process.send(name)
      const response = await reply
      if ('failure' in response) throw new Error(response.failure)
      return response.url
    } finally {
      this.#process.channel?.unref()
    }
  }

  async end(): Promise<void> {
    this.#process.ref()
    if (this.#process.connected) this.#process.disconnect()
    await this.#ended
  }
}
