import { fstatSync, readSync, realpathSync } from 'node:fs'
import { StorageError } from '../storage-error.js'
import { heldDescriptor } from './held-descriptors.js'
import { inodeOf } from './sqlite-location.js'
import { WalIndex } from './wal-index.js'

/** The length of the header of a database file, and the offset of the page size in it, in bytes. */
const headerLength = 100
const pageSizeAt = 16

/**
 * The files of an open database: itself, its log and its wal-index. SQLite goes on working on files that were removed or
 * overwritten. Writes to a removed file are lost with the process. The log of an overwritten file belongs to other pages.
 */
export class DatabaseFiles {
  readonly #path: string
  readonly #inodes: ReadonlyMap<string, string | null>
  readonly #content: FileContent | null
  #isOverwritten = false

  /** @param path of a database of which this process has a connection that has read. */
  constructor(path: string) {
    this.#path = path
    const target = realpathSync(path)
    const files = [path, `${target}-wal`, `${target}-shm`]
    this.#inodes = new Map(files.map((file) => [file, inodeOf(file)]))
    this.#content = FileContent.open(target)
  }

  /** Why the database must not be used any more; null while it may. A file that was moved away may come back. */
  fault(): StorageError | null {
    for (const file of this.#inodes.keys()) {
      const fault = this.#replacedFault(file)
      if (fault !== null) return fault
    }
    return this.#overwrittenFault()
  }

  /** As `fault`, for the path of the database alone. */
  pathFault(): StorageError | null {
    return this.#replacedFault(this.#path)
  }

  #replacedFault(file: string): StorageError | null {
    if (inodeOf(file) === this.#inodes.get(file)) return null
    return new StorageError('unavailable', `The file ${file} was removed or replaced while it was in use.`)
  }

  #overwrittenFault(): StorageError | null {
    this.#isOverwritten ||= this.#content?.isOverwritten() === true
    if (!this.#isOverwritten) return null
    return new StorageError(
      'unavailable',
      `The file ${this.#path} was overwritten while it was in use, so that its log does not belong to it any more. Stop every ` +
        'process that uses it, remove the files of the same name that end in -wal and -shm, restore it again, and start.',
    )
  }

  /** Sets the page that is compared. @param page the number of a page whose content differs between any two states of the data. */
  setPage(page: number): void {
    this.#content?.setPage(page)
  }
}

/** The parts of a database file that only a checkpoint changes. */
class FileContent {
  readonly #descriptor: number
  readonly #walIndex: WalIndex
  #page = 1
  #last: { readonly checkpoints: string; readonly page: number; readonly bytes: Buffer } | null = null

  private constructor(descriptor: number, walIndex: WalIndex) {
    this.#descriptor = descriptor
    this.#walIndex = walIndex
  }

  /** @returns null where the wal-index cannot be read. */
  static open(path: string): FileContent | null {
    const walIndex = WalIndex.open(path)
    if (walIndex === null) return null
    return new FileContent(heldDescriptor(path).descriptor, walIndex)
  }

  setPage(page: number): void {
    this.#page = page
  }

  /** Whether the file has changed since the last call although there was no checkpoint. */
  isOverwritten(): boolean {
    const last = this.#last
    const page = this.#page
    const before = this.#walIndex.checkpoints()
    const bytes = this.#read(page)
    const checkpoints = this.#walIndex.checkpoints()
    this.#last = checkpoints === null || checkpoints !== before ? null : { checkpoints, page, bytes }
    if (last === null || this.#last?.checkpoints !== last.checkpoints || last.page !== page) return false
    return !bytes.equals(last.bytes)
  }

  /** Size, header and the page. */
  #read(page: number): Buffer {
    const header = Buffer.alloc(headerLength)
    readSync(this.#descriptor, header, 0, headerLength, 0)
    // In the file format, 1 means 65,536.
    const size = header.readUInt16BE(pageSizeAt)
    const pageSize = size === 1 ? 65_536 : size
    const content = Buffer.alloc(pageSize)
    readSync(this.#descriptor, content, 0, pageSize, (page - 1) * pageSize)
    return Buffer.concat([Buffer.from(String(fstatSync(this.#descriptor).size)), header, content])
  }
}
