import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { freshDatabaseOn, type FreshDatabase } from '../../test/support/servers/fresh-database.js'
import type { Credentials } from '../data/data.js'
import { root, workFolder } from '../places.js'
import { secrets, siteUrl } from '../servers/commands.js'

/** The same data twice on one server: each service writes to its own. */
export interface ServerData {
  readonly url: string
  readonly peerUrl: string
  readonly credentials: Credentials
  drop(): Promise<void>
}

export async function makeServerData(
  node: string,
  serverUrl: string,
  products: number,
  posts: number,
): Promise<ServerData> {
  const databases: FreshDatabase[] = []
  const drop = async (): Promise<void> => {
    for (const database of databases) await database.drop()
  }
  try {
    const [own, peer] = [await freshDatabaseOn(serverUrl), await freshDatabaseOn(serverUrl)]
    databases.push(own, peer)
    mkdirSync(workFolder, { recursive: true })
    const file = `${workFolder}server-credentials.json`
    const settings = JSON.stringify({ siteUrl, products, posts })
    const { status } = spawnSync(node, ['bench/data/make-on-server.mjs', own.url, peer.url, settings, file], {
      cwd: root,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...secrets },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    if (status !== 0) throw new Error('bench/data/make-on-server.mjs failed.')
    const credentials = JSON.parse(readFileSync(file, 'utf8')) as Credentials
    rmSync(file)
    return { url: own.url, peerUrl: peer.url, credentials, drop }
  } catch (error) {
    await drop()
    throw error
  }
}
