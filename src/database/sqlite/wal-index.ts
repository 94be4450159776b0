import { readSync, realpathSync, statfsSync } from 'node:fs'
import { heldDescriptor } from './held-descriptors.js'
import { inodeOf } from './sqlite-location.js'

/**
 * Length in bytes of the header at the start of the wal-index, the file whose name ends in `-shm`. SQLite rewrites it at
 * every commit, before the commit is acknowledged, and otherwise only at a checkpoint, a recovery or a VACUUM.
 */
const headerLength = 48

/**
 * Types, as `statfs` gives them, of file systems where a read of a file returns what was written through a mapping of it: ext2
 * to 4, XFS, Btrfs, tmpfs, overlayfs, ZFS, F2FS.
 */
const localFileSystems: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010,
])

/** Offsets in the wal-index, in bytes: the salts of the log, and how much of the log is copied into the database file. */
const salts = { start: 32, end: 40 }
const copied = 96
const copyAttempted = 128
const stateLength = 136

/** Reads the header of the wal-index of one database, and counts its changes. */
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
   * @returns null where there is no wal-index, or where a read of its file may not show the changes that SQLite makes by a mapping.
   */
  static open(database: string): WalIndex | null {
    if (process.platform !== 'linux') return null
    try {
      // SQLite has its files beside the target of a symbolic link.
      const path = `${realpathSync(database)}-shm`
      if (!localFileSystems.has(statfsSync(path).type)) return null
      const { descriptor, inode } = heldDescriptor(path)
      return new WalIndex(path, descriptor, inode)
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

  /**
   * A text that differs after each checkpoint; null while one is running. SQLite writes into the database file at no other time.
   */
  checkpoints(): string | null {
    const state = Buffer.alloc(stateLength)
    readSync(this.#descriptor, state, 0, stateLength, 0)
    const bytesAt = (start: number, end = start + 4): string => state.toString('latin1', start, end)
    if (bytesAt(copied) !== bytesAt(copyAttempted)) return null
    return bytesAt(salts.start, salts.end) + bytesAt(copied)
  }
}
