import { readFile } from 'node:fs/promises'
import { StorageError } from '../storage-error.js'
import type { ServerAddress } from './server-address.js'

/**
 * The password of the address, else the environment variable `DATABASE_PASSWORD`, else the content of the file that
 * `DATABASE_PASSWORD_FILE` names, without a line break at its end; null without any. It is read for each connection,
 * so that a file can be replaced while the process runs.
 * @throws StorageError `unavailable` when the file cannot be read.
 */
export async function passwordOf({ password }: ServerAddress): Promise<string | null> {
  const { DATABASE_PASSWORD: variable, DATABASE_PASSWORD_FILE: file } = process.env
  if (password !== null) return password
  if (variable !== undefined && variable !== '') return variable
  if (file === undefined || file === '') return null
  try {
    return (await readFile(file, 'utf8')).replace(/\r?\n$/, '')
  } catch (error) {
    const { message } = error as Error
    // Without the code of Node, which would count as an outage of the server.
    throw new StorageError('unavailable', `The password file of DATABASE_PASSWORD_FILE cannot be read: ${message}.`, {
      cause: new Error(message),
    })
  }
}
