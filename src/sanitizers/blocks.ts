import { attributesText, BlockComments, blockCommentText } from './block-comment.js'

interface OpenBlock {
  readonly name: string
  /** Filtered, which is done once: what they hold may hold such blocks again, at any depth. */
  readonly attributes: string
  /** The piece of the result that its opening comment is. */
  readonly piece: number
}

/**
 * The text with the comments of its blocks written as the editor writes them, each text among their attributes passed
 * through `filter`. Rules: docs/wire.md#block-comments.
 */
export function withFilteredBlocks(text: string, filter: (text: string) => string): string {
  return text.includes('<!--') ? new BlockFilter(withShortEnds(text), filter).result() : text
}

/** A browser ends a comment at `--->`, which is no end of a block: within a line `<!-- a --->` becomes `<!-- a -->`. */
function withShortEnds(text: string): string {
  return text.includes('--->') ? text.split('\n').map(lineWithShortEnds).join('\n') : text
}

function lineWithShortEnds(line: string): string {
  let kept = ''
  let index = 0
  for (let open = line.indexOf('<!--'); open !== -1; open = line.indexOf('<!--', index)) {
    const close = line.indexOf('--->', open + 4)
    if (close === -1) break
    let end = close
    while (end > open + 4 && line.charAt(end - 1) === '-') end -= 1
    kept += `${line.slice(index, end)}-->`
    index = close + 4
  }
  return kept + line.slice(index)
}

class BlockFilter {
  readonly #text: string
  readonly #filter: (text: string) => string
  readonly #pieces: string[] = []
  readonly #open: OpenBlock[] = []

  constructor(text: string, filter: (text: string) => string) {
    this.#text = text
    this.#filter = filter
  }

  result(): string {
    const comments = new BlockComments(this.#text)
    let index = 0
    for (let start = this.#text.indexOf('<!--'); start !== -1; start = this.#text.indexOf('<!--', start)) {
      const block = comments.at(start)
      // A comment that closes nothing ends the blocks: what follows is plain HTML.
      if (block?.kind === 'closer' && this.#open.length === 0) break
      if (block === null) {
        start += 4
        continue
      }
      this.#keep(this.#text.slice(index, start))
      const { kind, name } = block
      if (kind === 'closer') this.#close()
      else {
        const attributes = attributesText(block.attributes, this.#filter)
        if (kind === 'opener') this.#open.push({ name, attributes, piece: this.#pieces.length })
        this.#keep(blockCommentText(kind, name, attributes))
      }
      index = block.end
      start = block.end
    }
    this.#keep(this.#text.slice(index))
    // Blocks that nothing closes end where the text does.
    while (this.#open.length > 0) this.#close()
    return this.#pieces.join('')
  }

  /** A closing comment closes the innermost block, whatever it names. A block with nothing in it is written as one comment. */
  #close(): void {
    const block = this.#open.pop()
    if (block === undefined) return
    const { name, attributes, piece } = block
    if (this.#pieces.length > piece + 1) this.#keep(blockCommentText('closer', name, ''))
    else this.#pieces[piece] = blockCommentText('void', name, attributes)
  }

  #keep(piece: string): void {
    if (piece !== '') this.#pieces.push(piece)
  }
}
