import { StringDecoder } from 'node:string_decoder'
import { importError } from './import-error.js'

/** Maximum number of characters of a line: a row may have several texts of 16 MB whose characters are all escaped. */
export const maxLineLength = 400 * 1024 * 1024

/** A line, and its number from 1 on. */
export interface FileLine {
  readonly number: number
  readonly text: string
}

/** The lines of a file in UTF-8, in groups of those that were read at once. @throws StorageError for a line that is too long. */
export async function* fileLines(bytes: AsyncIterable<Uint8Array | string>): AsyncGenerator<FileLine[]> {
  const decoder = new StringDecoder('utf8')
  let number = 0
  let unfinishedLine: string[] = []
  let unfinishedLength = 0
  for await (const piece of bytes) {
    const text = typeof piece === 'string' ? piece : decoder.write(Buffer.from(piece))
    const [first = '', ...others] = text.split('\n')
    unfinishedLine.push(first)
    unfinishedLength += first.length
    if (unfinishedLength > maxLineLength) throw importError(number + 1, `it has more than ${maxLineLength} characters.`)
    const last = others.pop()
    if (last === undefined) continue
    yield [unfinishedLine.join(''), ...others].map((line) => ({ number: (number += 1), text: line }))
    unfinishedLine = [last]
    unfinishedLength = last.length
  }
  const end = unfinishedLine.join('') + decoder.end()
  if (end !== '') yield [{ number: number + 1, text: end }]
}
