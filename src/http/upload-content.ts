import { FileBody } from './file-body.js'
import type { TemporaryFile } from './temporary-files.js'

const nothing = Buffer.alloc(0)

/** The bytes of one file of a form, in memory or, once {@link UploadContent.moveTo} is called, in a temporary file. */
export class UploadContent {
  #size = 0
  /** Room for the bytes in memory, of which `#size` are used. */
  #memory: Buffer = nothing
  #file: TemporaryFile | null = null

  /** In bytes. */
  get size(): number {
    return this.#size
  }

  get isInMemory(): boolean {
    return this.#file === null
  }

  /** The bytes in memory; empty when they are in a file. */
  get bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#file === null ? this.#size : 0)
  }

  get file(): TemporaryFile | null {
    return this.#file
  }

  /** Appends bytes, which must not change. @returns a promise when they are written to a file. */
  add(bytes: Uint8Array): Promise<void> | null {
    if (this.#file === null) this.#append(bytes)
    this.#size += bytes.length
    return this.#file?.write(bytes) ?? null
  }

  /** From now on the bytes are in a file. @returns a promise for the bytes so far. */
  moveTo(file: TemporaryFile): Promise<void> {
    const { bytes } = this
    this.#file = file
    this.#memory = nothing
    return file.write(bytes)
  }

  /** The bytes in chunks. @throws the error of the file system when the file was removed. */
  async chunks(): Promise<AsyncIterator<Uint8Array>> {
    if (this.#file === null) return once(this.bytes)
    const file = await this.#file.open()
    if (file === null) throw new Error('its request has ended, and its temporary file was removed. Save it before.')
    return new FileBody(file, 0, this.#size)
  }

  /** Copies the bytes: a view would keep the whole piece of the body in memory. */
  #append(bytes: Uint8Array): void {
    const size = this.#size + bytes.length
    if (size > this.#memory.length) {
      // Twice the room, so that a body of many small pieces is copied in linear time.
      const larger = Buffer.allocUnsafe(this.#size === 0 ? size : size * 2)
      larger.set(this.#memory.subarray(0, this.#size))
      this.#memory = larger
    }
    this.#memory.set(bytes, this.#size)
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  if (bytes.length > 0) yield bytes
}
