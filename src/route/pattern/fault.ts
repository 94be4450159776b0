/**
 * A pattern that cannot be used: it is not valid, or JavaScript's engine has nothing of the same meaning.
 * `message` is a sentence; {@link PatternFault.drawing} shows the place.
 */
export class PatternFault extends Error {
  override readonly name = 'PatternFault'
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

  /** Two lines: the pattern, and a caret under the fault. */
  get drawing(): string {
    const shown = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '\u00b7')
    return `${shown(this.source)}\n${' '.repeat(Array.from(this.source.slice(0, this.index)).length)}^`
  }
}
