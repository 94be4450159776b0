import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StorageError } from '../storage-error.js'

/**
 * Refuses a database that this process may not write. All of its files must be writable, and their folder, in which SQLite
 * creates and removes the log. Nothing is opened: closing one of the files would drop the locks that this process has on it.
 * @param path of a file. A file that does not exist is not checked.
 * @throws StorageError `read-only` that names the file or folder and the reason.
 */
export function requireWritable(path: string): void {
  if (!existsSync(path)) return
  const file = realpathSync(path)
  requireAccess(dirname(file), constants.W_OK | constants.X_OK)
  for (const each of [file, `${file}-wal`, `${file}-shm`])
    if (existsSync(each)) requireAccess(each, constants.R_OK | constants.W_OK)
}

function requireAccess(path: string, mode: number): void {
  try {
    accessSync(path, mode)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // The file was removed meanwhile. The statement that needs it reports that.
    if (code === 'ENOENT') return
    throw new StorageError('read-only', `${path} cannot be written: ${reasonOf(path, code)}.`, { cause: error })
  }
}

function reasonOf(path: string, code: string | undefined): string {
  if (code === 'EROFS') return 'its file system is read-only'
  if (code === 'EPERM') return 'it is immutable (chattr +i)'
  const { uid, mode } = statSync(path)
  const user = process.getuid?.()
  const owner =
    user === uid ? 'it belongs to this user' : `it belongs to user ${uid}, and this process runs as user ${user}`
  return `${owner}, with the mode ${(mode & 0o777).toString(8)}`
}
