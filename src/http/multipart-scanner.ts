import { decodeBytes } from '../php/text.js'
import { partHeadOf, type PartHead } from './multipart-head.js'

/** Takes what a {@link MultipartScanner} finds, in the order of the body. */
export interface PartSink {
  /** A part begins. @returns false when the rest of the body does not matter. */
  begin(head: PartHead): boolean
  /** Bytes of the part, as a view of the scanned ones. */
  data(bytes: Uint8Array): void
  /** @param isWhole false when the body ends before the part does. @returns false when the rest does not matter. */
  end(isWhole: boolean): boolean
  /** The headers of a part are too long. Nothing follows. */
  headTooLong(): void
}

/** Maximum size of the headers of one part. */
export const maxHeadBytes = 8192
const lineFeed = 0x0a
const carriageReturn = 0x0d
const nothing = Buffer.alloc(0)

/**
 * Finds the parts of a `multipart/form-data` body as PHP does. The body comes in pieces of any size. Takes linear time, and
 * holds no more than the headers of one part and the length of a delimiter.
 */
export class MultipartScanner {
  readonly #delimiter: Buffer
  readonly #sink: PartSink
  #state: 'between' | 'head' | 'data' | 'done' = 'between'
  /**
   * The end of the last piece, which may begin a delimiter. A delimiter begins with a line feed. The delimiter at the start
   * of the body has none, so the scanner begins with one.
   */
  #kept: Buffer = Buffer.from('\n')
  #head: Buffer | null = null
  #headLength = 0
  /** Where the last line of the headers begins. */
  #lineStart = 0

  /** @param boundary not empty. */
  constructor(boundary: string, sink: PartSink) {
    this.#delimiter = Buffer.from(`\n--${boundary}`, 'latin1')
    this.#sink = sink
  }

  /** Scans the next piece of the body. Its bytes must not change. */
  push(piece: Uint8Array): void {
    if (this.#state === 'done') return
    const received = Buffer.from(piece.buffer, piece.byteOffset, piece.length)
    const bytes = this.#kept.length === 0 ? received : Buffer.concat([this.#kept, received])
    this.#kept = nothing
    for (let position = 0; position < bytes.length;) position = this.#step(bytes, position)
  }

  /** The body is complete. */
  end(): void {
    if (this.#state === 'data') {
      // An incomplete delimiter is no data, and neither is the carriage return before it.
      if (this.#kept.length > 0 && !this.#kept.includes(lineFeed)) this.#sink.data(this.#kept)
      this.#sink.end(false)
    }
    this.#state = 'done'
  }

  /** @returns the index at which the next step begins. */
  #step(bytes: Buffer, position: number): number {
    if (this.#state === 'between') return this.#findPart(bytes, position)
    if (this.#state === 'head') return this.#readHead(bytes, position)
    return this.#state === 'data' ? this.#readData(bytes, position) : bytes.length
  }

  /** Looks for a line that consists of a delimiter. */
  #findPart(bytes: Buffer, position: number): number {
    const index = bytes.indexOf(this.#delimiter, position)
    if (index === -1) return this.#keep(bytes, this.#partialDelimiter(bytes, position))
    const after = index + this.#delimiter.length
    const isReturn = bytes[after] === carriageReturn
    const lineEnd = isReturn ? after + 1 : after
    if (lineEnd === bytes.length) return this.#keep(bytes, index)
    if (bytes[lineEnd] !== lineFeed) return index + 1
    this.#state = 'head'
    this.#headLength = 0
    this.#lineStart = 0
    return lineEnd + 1
  }

  /** Reads headers up to the empty line, one line at a time. */
  #readHead(bytes: Buffer, position: number): number {
    const head = (this.#head ??= Buffer.allocUnsafe(maxHeadBytes + 1))
    const newline = bytes.indexOf(lineFeed, position)
    const end = newline === -1 ? bytes.length : newline + 1
    this.#headLength += bytes.copy(head, this.#headLength, position, end)
    if (newline !== -1) {
      if (this.#lineStart < maxHeadBytes && this.#isEmptyLine(head)) return this.#beginData(head, end)
      this.#lineStart = this.#headLength
    }
    if (this.#headLength <= maxHeadBytes) return end
    this.#state = 'done'
    this.#sink.headTooLong()
    return bytes.length
  }

  /** Whether the last line, which is complete or longer than the head may be, is the empty one. */
  #isEmptyLine(head: Buffer): boolean {
    const length = this.#headLength - this.#lineStart
    if (head[this.#headLength - 1] !== lineFeed) return false
    return length === 1 || (length === 2 && head[this.#lineStart] === carriageReturn)
  }

  #beginData(head: Buffer, end: number): number {
    const partHead = partHeadOf(decodeBytes(head.subarray(0, this.#headLength)))
    this.#state = this.#sink.begin(partHead) ? 'data' : 'done'
    // A part without a name has no data either: the next line may be the delimiter.
    return partHead.name === null ? end - 1 : end
  }

  #readData(bytes: Buffer, position: number): number {
    const index = bytes.indexOf(this.#delimiter, position)
    const end = index === -1 ? this.#partialDelimiter(bytes, position) : index
    // The carriage return belongs to the line feed of the delimiter.
    const dataEnd = end > position && bytes[end - 1] === carriageReturn ? end - 1 : end
    if (dataEnd > position) this.#sink.data(bytes.subarray(position, dataEnd))
    if (index === -1) return this.#keep(bytes, dataEnd)
    this.#state = this.#sink.end(true) ? 'between' : 'done'
    return index
  }

  /** Where a delimiter begins that the next piece may complete; the end of the bytes where there is none. */
  #partialDelimiter(bytes: Buffer, position: number): number {
    const from = Math.max(position, bytes.length - this.#delimiter.length + 1)
    const index = bytes.subarray(from).lastIndexOf(lineFeed)
    if (index === -1) return bytes.length
    const rest = bytes.subarray(from + index)
    return this.#delimiter.subarray(0, rest.length).equals(rest) ? from + index : bytes.length
  }

  #keep(bytes: Buffer, from: number): number {
    this.#kept = bytes.subarray(from)
    return bytes.length
  }
}
