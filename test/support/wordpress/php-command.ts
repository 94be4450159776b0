import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { SystemUser } from '../servers/server-program.js'

/**
 * Runs a PHP file with the settings of a site.
 * @param input read by the file from its standard input, as JSON.
 * @returns what the file wrote to the file descriptor 3, as JSON; `undefined` when that is nothing.
 * @throws Error with what PHP said, when it ends with an error.
 */
export async function runPhp(
  at: { readonly php: string; readonly folder: string; readonly user: SystemUser | null },
  file: string,
  input: unknown,
): Promise<unknown> {
  const settings = ['display_errors=stderr', 'opcache.file_cache_only=1'].flatMap((setting) => ['-d', setting])
  const child = spawn(at.php, ['-c', join(at.folder, 'php.ini'), ...settings, file], {
    cwd: at.folder,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8' },
    ...at.user,
  })
  const said: Buffer[] = []
  const result: Buffer[] = []
  child.stdout.on('data', (bytes: Buffer) => said.push(bytes))
  child.stderr.on('data', (bytes: Buffer) => said.push(bytes))
  child.stdio[3]?.on('data', (bytes: Buffer) => result.push(bytes))
  // A file that ends early does not read all of it.
  child.stdin.on('error', () => undefined)
  child.stdin.end(JSON.stringify(input))
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  if (code !== 0) throw new Error(`PHP ended with ${code ?? signal}: ${String(Buffer.concat(said))}`)
  const text = String(Buffer.concat(result))
  return text === '' ? undefined : JSON.parse(text)
}
