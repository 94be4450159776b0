import { StorageError } from '../storage-error.js'

/** The error of a file that cannot be imported. */
export const importError = (line: number, reason: string): StorageError =>
  new StorageError('constraint', `line ${line}: ${reason}`)
