import { serverPrograms, type ServerKind } from './server-programs.js'
import { startServer, type TestServer } from './start-server.js'

const started = new Map<ServerKind, Promise<TestServer | null>>()

/**
 * The address of the server that all tests of a run share: of the environment, of the run (`scripts/test-servers.mjs`), or
 * else, for a file that runs alone, of this process.
 * @throws Error when it cannot be started.
 */
export async function sharedServer(kind: ServerKind): Promise<string> {
  const url = process.env[serverPrograms[kind].variable]
  if (url) return url
  const ofRun = process.env['TEST_SERVERS']
  if (ofRun === undefined) return ownServer(kind)
  const response = await fetch(`${ofRun}/${kind}`)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}

/** Started at the first call. It ends with this process. */
export async function ownServer(kind: ServerKind): Promise<string> {
  let server = started.get(kind)
  if (!server) started.set(kind, (server = startServer(kind)))
  const url = (await server)?.url
  if (url === undefined) throw new Error(`${serverPrograms[kind].name} is not installed.`)
  return url
}

/** Ends the servers of this process, and removes their data. */
export async function dropOwnServers(): Promise<void> {
  const servers = await Promise.allSettled(started.values())
  started.clear()
  await Promise.all(servers.map((server) => (server.status === 'fulfilled' ? server.value?.drop() : null)))
}
