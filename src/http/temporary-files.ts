import { randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { lstat, mkdtemp, open, opendir, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { makeFolder } from '../base/make-folder.js'

export interface TemporaryFilesOptions {
  /**
   * An absolute path; the files are in a hidden folder below it. Null: the files are in a folder of this process below the
   * temporary folder of the system.
   */
  readonly folder: string | null
  /** Called when a file could not be written. */
  readonly onFault: (error: unknown) => void
}

/** The name of the hidden folder below {@link TemporaryFilesOptions.folder}. */
export const incomingFolder = '.incoming'

/** In milliseconds. No request lasts that long, so an older file was left by a process that was killed. */
const abandonedAfter = 24 * 60 * 60 * 1000
/** Maximum number of entries that are read of a folder. The temporary folder of the system may have any number. */
const maxEntries = 10_000

/** The name of the folder of a process below the temporary folder of the system begins with this, its id and `-`. */
const folderPrefix = 'as-rest-route-'
const folderName = new RegExp(`^${folderPrefix}([1-9]\\d*)-[A-Za-z0-9]{6}$`)
const fileName = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** The temporary files of a service, for the files of requests. Nothing is created before the first one. */
export class TemporaryFiles {
  readonly #options: TemporaryFilesOptions
  readonly #open = new Set<TemporaryFile>()
  #folder: Promise<string> | null = null

  constructor(options: TemporaryFilesOptions) {
    this.#options = options
  }

  /** A new file, to be removed by its owner. It is created with the first write. */
  create(): TemporaryFile {
    const file = new TemporaryFile(
      () => this.#openNew(),
      this.#options.onFault,
      () => this.#open.delete(file),
    )
    this.#open.add(file)
    return file
  }

  /** Removes all files. No other may be created. */
  async close(): Promise<void> {
    await Promise.all([...this.#open].map((file) => file.remove()))
    if (this.#folder !== null && this.#options.folder === null)
      await this.#folder.then((folder) => rm(folder, { recursive: true, force: true })).catch(() => undefined)
  }

  async #openNew(): Promise<OpenFile> {
    const ready = this.#ready()
    const folder = await ready
    try {
      return await openIn(folder)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      // The system removes old folders from its temporary folder. So does a process in another container that shares it, which
      // does not see this process.
      if (this.#folder === ready) this.#folder = null
      return openIn(await this.#ready())
    }
  }

  /** The folder. Its rights keep other users of the machine out. It is not remembered after an error. */
  #ready(): Promise<string> {
    return (this.#folder ??= this.#create().catch((error: unknown) => {
      this.#folder = null
      throw error
    }))
  }

  async #create(): Promise<string> {
    const { folder } = this.#options
    if (folder === null) {
      await removeAbandonedFolders(tmpdir()).catch(() => undefined)
      return mkdtemp(join(tmpdir(), `${folderPrefix}${process.pid}-`))
    }
    const incoming = join(folder, incomingFolder)
    makeFolder(incoming, 0o700)
    await removeAbandoned(incoming)
    return incoming
  }
}

interface OpenFile {
  readonly path: string
  readonly file: FileHandle
}

/**
 * The file gets the usual rights, because `save` may link it into the folder of uploads. Until then, the rights of its
 * folder keep other users out.
 */
async function openIn(folder: string): Promise<OpenFile> {
  const path = join(folder, randomUUID())
  return { path, file: await open(path, 'wx', 0o666) }
}

/** Removes files that a process which was killed has left. */
async function removeAbandoned(folder: string): Promise<void> {
  for await (const [path, stats] of oldEntries(folder, (name) => fileName.test(name)))
    if (stats.isFile()) await rm(path, { force: true })
}

/** Removes the folders of processes of this user that were killed. */
async function removeAbandonedFolders(parent: string): Promise<void> {
  const idIn = (path: string): number => Number(folderName.exec(basename(path))?.[1])
  const startOfProcess = Date.now() - process.uptime() * 1000
  for await (const [path, stats] of oldEntries(parent, (name) => folderName.test(name))) {
    if (!stats.isDirectory() || stats.uid !== process.getuid?.()) continue
    const id = idIn(path)
    // In a container, a process that is started again has the id of the previous process.
    const isEnded = id === process.pid ? stats.mtimeMs < startOfProcess : !isRunning(id)
    if (isEnded) await rm(path, { recursive: true, force: true })
  }
}

/** The entries that have not changed for a day. Links are not followed. */
async function* oldEntries(
  folder: string,
  isOwnName: (name: string) => boolean,
): AsyncGenerator<readonly [path: string, stats: Stats]> {
  const before = Date.now() - abandonedAfter
  let count = 0
  for await (const { name } of await opendir(folder)) {
    count += 1
    if (count > maxEntries) return
    if (!isOwnName(name)) continue
    const path = join(folder, name)
    // Another process may have removed the entry meanwhile.
    const stats = await lstat(path).catch(() => null)
    if (stats !== null && stats.mtimeMs < before) yield [path, stats]
  }
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0)
  } catch (error) {
    // A process of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A file that is written piece by piece, read any number of times, and removed. */
export class TemporaryFile {
  readonly #openNew: () => Promise<OpenFile>
  readonly #onFault: (error: unknown) => void
  readonly #onRemoved: () => void
  #path: string | null = null
  #file: FileHandle | null = null
  readonly #readers: FileHandle[] = []
  #hasFailed = false
  #isRemoved = false
  /** The writes so far, in order. Never rejects. */
  #written: Promise<void> = Promise.resolve()

  constructor(openNew: () => Promise<OpenFile>, onFault: (error: unknown) => void, onRemoved: () => void) {
    this.#openNew = openNew
    this.#onFault = onFault
    this.#onRemoved = onRemoved
  }

  /** Whether a write has failed. */
  get hasFailed(): boolean {
    return this.#hasFailed
  }

  /** Appends bytes, which must not change. @returns a promise for all writes so far, which never rejects. */
  write(bytes: Uint8Array): Promise<void> {
    return this.#next(async () => {
      this.#file ??= await this.#create()
      for (let position = 0; position < bytes.length;) {
        const { bytesWritten } = await this.#file.write(bytes, position)
        position += bytesWritten
      }
    })
  }

  /** Closes the file after the writes so far. @returns as `write`. */
  end(): Promise<void> {
    return this.#next(() => this.#close())
  }

  /** The path of the complete file; null once it is removed. */
  get path(): string | null {
    return this.#isRemoved ? null : this.#path
  }

  /** Opens the complete file for reading; null once it is removed, which closes it as well. */
  async open(): Promise<FileHandle | null> {
    if (this.path === null) return null
    const file = await open(this.path)
    this.#readers.push(file)
    if (!this.#isRemoved) return file
    await file.close()
    return null
  }

  /** Removes the file, also while it is written, and closes what reads it: a handler may leave a stream in the middle. */
  async remove(): Promise<void> {
    if (this.#isRemoved) return
    this.#isRemoved = true
    await this.#written
    try {
      await this.#close()
      await Promise.all(this.#readers.map((file) => file.close()))
      if (this.#path !== null) await rm(this.#path, { force: true })
    } catch (error) {
      this.#onFault(error)
    }
    this.#onRemoved()
  }

  async #create(): Promise<FileHandle> {
    const { path, file } = await this.#openNew()
    this.#path = path
    return file
  }

  async #close(): Promise<void> {
    const file = this.#file
    this.#file = null
    await file?.close()
  }

  #next(work: () => Promise<void>): Promise<void> {
    this.#written = this.#after(this.#written, work)
    return this.#written
  }

  async #after(earlier: Promise<void>, work: () => Promise<void>): Promise<void> {
    await earlier
    if (this.#hasFailed || this.#isRemoved) return
    try {
      await work()
    } catch (error) {
      this.#hasFailed = true
      this.#onFault(error)
    }
  }
}
