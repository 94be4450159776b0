import { toBoolean } from '../php/cast.js'
import { attributesText, BlockComments, blockCommentText } from './block-comment.js'

interface OpenBlock {
  readonly name: string
  /** Filtered JSON. Filtered once only: attributes may contain blocks themselves, so a second pass is costly. */
  readonly attributes: string
  /** Index of the opening comment among the pieces of the result. */
  readonly piece: number
}

/**
 * The text with each block comment written as the WordPress editor writes it, and with `filter` applied to each text in
 * the attributes of a block.
 */
export function withFilteredBlocks(text: string, filter: (text: string) => string): string {
  return text.includes('<!--') ? new BlockFilter(withShortEnds(text), filter).result() : text
}

/** Turns `<!-- a --->` into `<!-- a -->`. Browsers end a comment at `--->`, but a block comment must end in `-->`. */
function withShortEnds(text: string): string {
  return text.includes('--->') ? text.split('\n').map(lineWithShortEnds).join('\n') : text
}

function lineWithShortEnds(line: string): string {
  let output = ''
  let index = 0
  for (let open = line.indexOf('<!--'); open !== -1; open = line.indexOf('<!--', index)) {
    const close = line.indexOf('--->', open + 4)
    if (close === -1) break
    let end = close
    while (end > open + 4 && line.charAt(end - 1) === '-') end -= 1
    output += `${line.slice(index, end)}-->`
    index = close + 4
  }
  return output + line.slice(index)
}

class BlockFilter {
  readonly #text: string
  readonly #filter: (text: string) => string
  readonly #pieces: string[] = []
  readonly #openBlocks: OpenBlock[] = []

  constructor(text: string, filter: (text: string) => string) {
    this.#text = text
    this.#filter = filter
  }

  result(): string {
    const comments = new BlockComments(this.#text)
    let index = 0
    for (let start = this.#text.indexOf('<!--'); start !== -1; start = this.#text.indexOf('<!--', start)) {
      const block = comments.at(start)
      // A closing comment without an open block ends the parsing of blocks, as in WordPress. The rest is plain HTML.
      if (block?.kind === 'closer' && this.#openBlocks.length === 0) break
      if (block === null) {
        start += 4
        continue
      }
      this.#addText(this.#text.slice(index, start))
      const { kind, name } = block
      if (kind === 'closer') this.#close()
      else {
        const attributes = attributesText(block.attributes, this.#filter)
        if (kind === 'opener') this.#openBlocks.push({ name, attributes, piece: this.#pieces.length })
        this.#add(blockCommentText(kind, name, attributes))
      }
      index = block.end
      start = block.end
    }
    this.#addText(this.#text.slice(index))
    // Unclosed blocks end at the end of the text.
    while (this.#openBlocks.length > 0) this.#close()
    return this.#pieces.join('')
  }

  /**
   * Closes the innermost block, whatever name the closing comment has. An empty block is written as one void comment.
   */
  #close(): void {
    const block = this.#openBlocks.pop()
    if (block === undefined) return
    const { name, attributes, piece } = block
    if (this.#pieces.length > piece + 1) this.#add(blockCommentText('closer', name, ''))
    else this.#pieces[piece] = blockCommentText('void', name, attributes)
  }

  /** Adds text between comments. As in WordPress, the text `0` inside a block is dropped. */
  #addText(text: string): void {
    if (this.#openBlocks.length === 0 || toBoolean(text)) this.#add(text)
  }

  #add(piece: string): void {
    if (piece !== '') this.#pieces.push(piece)
  }
}
