import { closeSync, fstatSync, openSync } from 'node:fs'
import { inodeOf } from './sqlite-location.js'

/**
 * Descriptors of the files of databases by device and inode, one for each file and process. POSIX drops every lock that a
 * process has on a file when the process closes any descriptor of it, and SQLite's locks lie on these files: another process
 * could then write into an open transaction, or delete the log. So a descriptor is closed only when its file is unlinked.
 */
const descriptors = new Map<string, number>()

/**
 * A descriptor for reading a file of a database that this process has open, which stays open.
 * @throws when it cannot be opened.
 */
export function heldDescriptor(path: string): { readonly descriptor: number; readonly inode: string } {
  closeUnlinked()
  const inode = inodeOf(path)
  const held = inode === null ? undefined : descriptors.get(inode)
  if (inode !== null && held !== undefined) return { descriptor: held, inode }
  const descriptor = openSync(path, 'r')
  const { dev, ino } = fstatSync(descriptor, { bigint: true })
  descriptors.set(`${dev}:${ino}`, descriptor)
  return { descriptor, inode: `${dev}:${ino}` }
}

/** To be called after a connection was closed. */
export function closeUnlinked(): void {
  for (const [inode, descriptor] of descriptors) {
    if (fstatSync(descriptor).nlink > 0) continue
    descriptors.delete(inode)
    closeSync(descriptor)
  }
}
