import { StringDecoder } from 'node:string_decoder'
import { importError } from './import-error.js'

/** Characters of the longest line: a row with several texts of 16 MB whose characters are all escaped. */
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
  let rest: string[] = []
  let restLength = 0
  for await (const piece of bytes) {
    const text = typeof piece === 'string' ? piece : decoder.write(Buffer.from(piece))
    const [first = '', ...others] = text.split('\n')
    rest.push(first)
    restLength += first.length
    if (restLength > maxLineLength) throw importError(number + 1, `it has more than ${maxLineLength} characters.`)
    const last = others.pop()
    if (last === undefined) continue
    yield [rest.join(''), ...others].map((line) => ({ number: (number += 1), text: line }))
    rest = [last]
    restLength = last.length
  }
  const end = rest.join('') + decoder.end()
  if (end !== '') yield [{ number: number + 1, text: end }]
}
