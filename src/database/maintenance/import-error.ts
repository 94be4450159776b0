import { StorageError } from '../storage-error.js'

/**
 * The error for a file that `db import` refuses.
 * @param line the line at fault, from 1 on.
 */
export const importError = (line: number, reason: string): StorageError =>
  new StorageError('constraint', `line ${line}: ${reason}`)
