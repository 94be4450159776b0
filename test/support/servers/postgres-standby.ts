import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { foreignSql } from './open-fresh-postgres.js'
import { postgresProgram } from './postgres-program.js'
import { requirePrograms, serverUser } from './server-program.js'
import type { TestServer } from './start-server.js'

/** The settings of a primary that standbys follow. */
export const settingsOfPrimary = ['full_page_writes=on', 'wal_level=replica', 'max_wal_senders=4']

export async function dataFolderOf(url: string): Promise<string> {
  const [[folder] = []] = await foreignSql(url, 'SHOW data_directory')
  if (folder == null) throw new Error('The server has no folder.')
  return folder
}

/**
 * Starts a server that was ended as the standby of another one, whose data it gets.
 * @param folder of the data of the standby. @param primary the address of the other one.
 */
export async function startStandby(standby: TestServer, folder: string, primary: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  await copyOf(primary, folder)
  await standby.start()
}

/** Copies the files of a running server into the empty folder of its standby. */
async function copyOf(url: string, folder: string): Promise<void> {
  const user = serverUser(postgresProgram)
  const program = requirePrograms(postgresProgram).server.replace(/postgres$/, 'pg_basebackup')
  const copy = spawn(
    program,
    ['--pgdata', folder, '--dbname', url, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'],
    { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'], ...user },
  )
  let output = ''
  copy.stderr.on('data', (bytes: Buffer) => (output += String(bytes)))
  const [code] = (await once(copy, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`pg_basebackup ended with ${code}. ${output}`)
}
