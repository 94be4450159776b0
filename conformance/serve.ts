import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { resolve } from 'node:path'
import type { EmptyDatabases } from './empty-databases.js'
import type { RunningSite } from './http/replay.js'
import { siteStarter } from './http/site.js'

export interface ServeOptions {
  /** The text of the command line. */
  readonly port: string
  /** The folder of `fixtures.json` and `echo-routes.json`. */
  readonly fixtures?: string | undefined
  /** Boot options, each written `OPTION=VALUE`. */
  readonly boot?: readonly string[] | undefined
  readonly databases: EmptyDatabases
  /** Called once, when both ports answer. */
  readonly onReady: () => void
}

/**
 * Serves the reference application on the fixtures of a folder at 127.0.0.1, until SIGTERM or SIGINT. Any request to the
 * port after it starts the application anew, and is answered when that is done.
 * @throws Error with what is wrong: the port, the folder, the boot options.
 */
export async function serve({ port: text, fixtures, boot = [], databases, onReady }: ServeOptions): Promise<void> {
  const port = portOf(text)
  if (fixtures === undefined)
    throw new Error('--serve needs --fixtures FOLDER: the folder of fixtures.json and echo-routes.json.')
  const failed = new AbortController()
  const stopped = stopSignal(failed.signal)
  const start = siteStarter(resolve(fixtures), databases)
  const site = new ReloadableSite(() => start(boot, port))
  const control = reloadServer(site)
  try {
    await listen(control, port + 1)
    await site.reload()
    onReady()
    await stopped
  } catch (error) {
    failed.abort()
    throw listenFailure(error)
  } finally {
    control.close()
    await site.close()
    control.closeAllConnections()
  }
}

/** A site that is replaced by an untouched one. Reloads run one after another. */
class ReloadableSite {
  readonly #start: () => Promise<RunningSite>
  #running: RunningSite | null = null
  #last: Promise<void> = Promise.resolve()

  constructor(start: () => Promise<RunningSite>) {
    this.#start = start
  }

  /** @throws what the start throws; then there is no site until the next reload. */
  reload(): Promise<void> {
    return this.#replace(this.#start)
  }

  close(): Promise<void> {
    return this.#replace(null)
  }

  #replace(start: (() => Promise<RunningSite>) | null): Promise<void> {
    const done = this.#replaceAfter(this.#last, start)
    this.#last = done.catch(() => {})
    return done
  }

  async #replaceAfter(last: Promise<void>, start: (() => Promise<RunningSite>) | null): Promise<void> {
    await last
    await this.#running?.close()
    this.#running = null
    if (start !== null) this.#running = await start()
  }
}

function reloadServer(site: ReloadableSite): Server {
  return createServer((_request, response) => {
    site.reload().then(
      () => response.end('reloaded\n'),
      (error: unknown) => {
        response.statusCode = 500
        response.end(`${messageOf(listenFailure(error))}\n`)
      },
    )
  })
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}

/**
 * The first SIGTERM or SIGINT. Later ones change nothing: npm and a terminal both send one to the same process.
 * @param failed aborts when nothing is served that they could stop.
 */
function stopSignal(failed: AbortSignal): Promise<void> {
  return new Promise((stop) => {
    for (const signal of ['SIGTERM', 'SIGINT']) {
      const onSignal = (): void => stop()
      process.on(signal, onSignal)
      failed.addEventListener('abort', () => process.off(signal, onSignal))
    }
  })
}

function portOf(text: string): number {
  const port = Number(text)
  // The port after it is needed as well.
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_534) return port
  throw new Error(`--serve: '${text}' is not a port. Give a number from 1 to 65534.`)
}

function listenFailure(error: unknown): unknown {
  const { code, port } = error as NodeJS.ErrnoException & { readonly port?: number }
  if (code === 'EADDRINUSE') return new Error(`Port ${port} of 127.0.0.1 is taken by another program.`)
  if (code === 'EACCES' && port !== undefined) return new Error(`Port ${port} may not be used by this user.`)
  return error
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
