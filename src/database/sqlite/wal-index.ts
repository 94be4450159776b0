import { closeSync, fstatSync, openSync, readSync, statfsSync, statSync } from 'node:fs'

/**
 * Length in bytes of the header at the start of the wal-index, the file whose name ends in `-shm`. SQLite rewrites it at
 * every commit, before the commit is acknowledged, and at no other time but a checkpoint, a recovery or a VACUUM.
 */
const headerLength = 48

/** Types, as `statfs` gives them, of file systems where a mapped file and a read of it are one: ext2 to 4, XFS, Btrfs, tmpfs, overlayfs, ZFS, F2FS. */
const localFileSystems: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010,
])

/**
 * Descriptors of wal-indexes by device and inode, one for each file and process. POSIX drops every lock that a process has
 * on a file when the process closes any descriptor of it, and SQLite's locks lie on this file: another process could then
 * write into an open transaction. So a descriptor is closed only when its file is unlinked, which SQLite does when the last
 * connection of all processes is closed.
 */
const descriptors = new Map<string, number>()

/** The header of the wal-index of one database, as a number that changes with it. */
export class WalIndex {
  readonly #path: string
  readonly #descriptor: number
  readonly #inode: string
  readonly #header = new Int32Array(headerLength / 4)
  readonly #next = new Int32Array(headerLength / 4)
  #changes = 0

  private constructor(path: string, descriptor: number, inode: string) {
    this.#path = path
    this.#descriptor = descriptor
    this.#inode = inode
  }

  /**
   * @param database path of the database file, of which this process has a connection that has read.
   * @returns null where there is no wal-index, or where its file cannot be trusted to show what is mapped.
   */
  static open(database: string): WalIndex | null {
    if (process.platform !== 'linux') return null
    const path = `${database}-shm`
    try {
      if (!localFileSystems.has(statfsSync(path).type)) return null
      const inode = inodeOf(path)
      if (inode === null) return null
      closeUnlinked()
      let descriptor = descriptors.get(inode)
      if (descriptor === undefined) {
        descriptor = openSync(path, 'r')
        descriptors.set(inodeOfDescriptor(descriptor), descriptor)
      }
      return inodeOfDescriptor(descriptor) === inode ? new WalIndex(path, descriptor, inode) : null
    } catch {
      return null
    }
  }

  /** How often a read found another header than the read before. @throws when the file cannot be read. */
  changes(): number {
    const length = readSync(this.#descriptor, this.#next, 0, headerLength, 0)
    if (length !== headerLength) throw new Error(`The wal-index ${this.#path} has ${length} bytes.`)
    for (let index = 0; index < this.#next.length; index += 1)
      if (this.#next[index] !== this.#header[index]) {
        this.#header.set(this.#next)
        this.#changes += 1
        break
      }
    return this.#changes
  }

  /** Whether the path still leads to the file that is read. */
  isCurrent(): boolean {
    return inodeOf(this.#path) === this.#inode
  }
}

/** To be called after a connection was closed. */
export function closeUnlinked(): void {
  for (const [inode, descriptor] of descriptors) {
    if (fstatSync(descriptor).nlink > 0) continue
    descriptors.delete(inode)
    closeSync(descriptor)
  }
}

function inodeOf(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats ? `${stats.dev}:${stats.ino}` : null
}

function inodeOfDescriptor(descriptor: number): string {
  const { dev, ino } = fstatSync(descriptor, { bigint: true })
  return `${dev}:${ino}`
}
