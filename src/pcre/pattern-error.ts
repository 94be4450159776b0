/** How much of a pattern is shown, in characters. */
const shownLength = 12

/**
 * A pattern that cannot be used: it is not valid, or JavaScript's engine has nothing of the same meaning.
 * `message` is a sentence, which may say "here"; {@link PatternError.sentence} says where that is.
 */
export class PatternError extends Error {
  override readonly name = 'PatternError'
  /**
   * @param source the pattern as it was written.
   * @param index where in `source` the fault lies, counted in UTF-16 units; may be its length.
   */
  constructor(
    message: string,
    readonly source: string,
    readonly index: number,
  ) {
    super(message)
  }

  /** The message with its place, counted in characters from 1: `… has no ')' (at character 4: '(?P<id>\d+').` */
  get sentence(): string {
    return `${this.message.replace(/\.$/, '')} (${this.#place}).`
  }

  get #place(): string {
    const rest = Array.from(this.source.slice(this.index))
    if (rest.length === 0) return 'at the end'
    const shown = rest
      .slice(0, shownLength)
      .join('')
      .replaceAll(/[\p{Cc}\p{Cf}]/gu, '\u00b7')
    const position = Array.from(this.source.slice(0, this.index)).length + 1
    return `at character ${position}: '${shown}${rest.length > shownLength ? '…' : ''}'`
  }
}
