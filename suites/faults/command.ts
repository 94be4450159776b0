import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { built } from './build.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

export interface ServeSettings {
  /** Path of the database file. */
  readonly database: string
  readonly http: 'fast' | 'node'
  /** Maximum size of a file, in blocks of 1,024 bytes. */
  readonly fileSizeLimit?: number
}

/** A running `as-rest-route serve` of the application of this suite. */
export class ServedApplication {
  readonly #command: ChildProcess
  readonly #ended: Promise<readonly [code: number | null, signal: string | null]>
  #output = ''
  #port = 0
  #pid = 0

  private constructor({ database, http, fileSizeLimit }: ServeSettings) {
    const words = ['serve', built.application, '--port', '0', '--database', `sqlite:${database}`]
    const command = [process.execPath, built.command, ...words]
    const limited = fileSizeLimit === undefined ? [] : ['bash', '-c', `ulimit -f ${fileSizeLimit}; exec "$@"`, 'bash']
    const [program = '', ...args] = [...limited, ...command]
    this.#command = spawn(program, args, {
      cwd: root,
      env: { ...process.env, AS_REST_ROUTE_HTTP: http },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.#command.stdout, this.#command.stderr])
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        this.#output = (this.#output + chunk).slice(-20_000)
        this.#command.emit('printed')
      })
    this.#ended = once(this.#command, 'close') as Promise<[number | null, string | null]>
  }

  /** Starts the command and waits until it serves. @throws Error with what it printed when it ends before. */
  static async start(settings: ServeSettings): Promise<ServedApplication> {
    const served = new ServedApplication(settings)
    const hasEnded = served.#ended.then(() => 'ended')
    while (served.#port === 0) {
      const [, port] = /routes? at http:\/\/127\.0\.0\.1:(\d+)\//.exec(served.#output) ?? []
      if (port !== undefined) served.#port = Number(port)
      else if ((await Promise.race([once(served.#command, 'printed'), hasEnded])) === 'ended')
        throw new Error(`The service did not start:\n${served.#output}`)
    }
    const response = await fetch(`${served.url}process`, { headers: { connection: 'close' } })
    served.#pid = ((await response.json()) as { pid: number }).pid
    return served
  }

  get port(): number {
    return this.#port
  }

  /** URL of the routes of the application, with a slash at its end. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}/wp-json/faults/v1/`
  }

  get output(): string {
    return this.#output
  }

  get ended(): Promise<readonly [code: number | null, signal: string | null]> {
    return this.#ended
  }

  /** Sends a signal to the command. */
  signal(name: NodeJS.Signals): void {
    this.#command.kill(name)
  }

  /** Kills the process that serves, as a crash of the machine would without the loss of its disk cache. */
  async kill(): Promise<void> {
    process.kill(this.#pid, 'SIGKILL')
    await this.#ended
  }

  async stop(): Promise<number | null> {
    this.signal('SIGTERM')
    return (await this.#ended)[0]
  }
}
