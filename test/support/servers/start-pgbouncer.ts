import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPrograms, serverUser } from './server-program.js'
import { freePorts } from './free-ports.js'

const pgbouncer = {
  name: 'PgBouncer',
  initialise: 'pgbouncer',
  server: 'pgbouncer',
  users: ['postgres', 'nobody'],
  folders: () => ['/usr/sbin', '/usr/local/sbin'],
}

/** The value of a test's option `skip`. @throws Error with CI=true: there PgBouncer is installed. */
export function skipWithoutPgbouncer(): string | false {
  const isLeftOut = process.env['TEST_SERVERS'] === 'none'
  if (isLeftOut) return 'PgBouncer is left out by TEST_SERVERS=none'
  if (findPrograms(pgbouncer) !== null) return false
  const reason = `there is no PgBouncer here: install Debian's pgbouncer`
  if (process.env['CI'] === 'true') throw new Error(reason)
  return reason
}

export interface Pgbouncer {
  /** The address of the database behind it. */
  readonly url: string
  /** Ends it. */
  drop(): Promise<void>
}

/**
 * Starts PgBouncer in front of a database. It has one connection to the server, so that clients follow each other on it.
 * @param url of the database.
 */
export async function startPgbouncer(url: string, mode: 'session' | 'transaction' | 'statement'): Promise<Pgbouncer> {
  const programs = findPrograms(pgbouncer)
  if (programs === null) throw new Error('PgBouncer is not installed.')
  const { hostname, port: serverPort, username, password, pathname, search } = new URL(url)
  const [port = 0] = await freePorts(1)
  const user = serverUser(pgbouncer)
  const folder = mkdtempSync(join(tmpdir(), 'as-rest-route-pgbouncer-'))
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    [
      '[databases]',
      `* = host=${hostname} port=${serverPort} user=${username} password=${password}`,
      '[pgbouncer]',
      `pool_mode = ${mode}`,
      'auth_type = any',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'default_pool_size = 1',
      '',
    ].join('\n'),
    { mode: 0o600 },
  )
  if (user !== null) for (const path of [folder, file]) chownSync(path, user.uid, user.gid)
  const pooler = spawn(programs.server, [file], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], ...user })
  const end = (): boolean => pooler.kill('SIGKILL')
  process.once('exit', end)
  const ended = once(pooler, 'exit')
  await new Promise<void>((resolve, reject) => {
    let output = ''
    pooler.stderr.on('data', (bytes: Buffer) => {
      output += String(bytes)
      if (/process up/.test(output)) resolve()
    })
    ended.then(() => reject(new Error(`PgBouncer has ended. ${output}`)), reject)
  })
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}${search}`,
    async drop() {
      end()
      await ended
      process.off('exit', end)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
