import type { FileHandle } from 'node:fs/promises'

/** Number of bytes that are read at once. */
const chunkSize = 64 * 1024

/** A part of an open file as the body of a response. It closes the file at its end, and when it is not read to its end. */
export class FileBody implements AsyncIterableIterator<Uint8Array> {
  readonly #file: FileHandle
  #position: number
  #left: number

  /** @param start offset of the first byte in the file. @param size the number of bytes. */
  constructor(
    file: FileHandle,
    start: number,
    readonly size: number,
  ) {
    this.#file = file
    this.#position = start
    this.#left = size
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.#left === 0) return this.return()
    const chunk = Buffer.allocUnsafe(Math.min(chunkSize, this.#left))
    const { bytesRead } = await this.#file.read(chunk, 0, chunk.length, this.#position)
    // The file has become shorter. The response ends too early, so that the client takes it for incomplete.
    if (bytesRead === 0) return this.return()
    this.#position += bytesRead
    this.#left -= bytesRead
    return { done: false, value: chunk.subarray(0, bytesRead) }
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#left = 0
    await this.#file.close()
    return { done: true, value: undefined }
  }
}
