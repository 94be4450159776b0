/** The length of the part of the pattern that a message quotes, in characters. */
const maxExcerptLength = 12

/**
 * A pattern that cannot be used: PCRE refuses it, or it has no equivalent in JavaScript. `message` may say "here";
 * {@link PatternError.sentence} adds the position.
 */
export class PatternError extends Error {
  override readonly name = 'PatternError'
  /**
   * @param source the pattern as the author wrote it.
   * @param index position of the error in `source`, in UTF-16 units, at most its length.
   */
  constructor(
    message: string,
    readonly source: string,
    readonly index: number,
  ) {
    super(message)
  }

  /** The message with its position, in characters from 1: `… has no ')' (at character 4: '(?P<id>\d+').` */
  get sentence(): string {
    return `${this.message.replace(/\.$/, '')} (${this.#location}).`
  }

  get #location(): string {
    const rest = Array.from(this.source.slice(this.index))
    if (rest.length === 0) return 'at the end'
    const excerpt = rest
      .slice(0, maxExcerptLength)
      .join('')
      .replaceAll(/[\p{Cc}\p{Cf}]/gu, '\u00b7')
    const position = Array.from(this.source.slice(0, this.index)).length + 1
    return `at character ${position}: '${excerpt}${rest.length > maxExcerptLength ? '…' : ''}'`
  }
}
