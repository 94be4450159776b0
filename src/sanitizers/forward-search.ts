/** Looks for a text from ever later places, so that no part is searched twice. */
export class ForwardSearch {
  readonly #text: string
  readonly #wanted: string
  #found = -1

  constructor(text: string, wanted: string) {
    this.#text = text
    this.#wanted = wanted
  }

  /** The first index from `start` on; Infinity when there is none. */
  from(start: number): number {
    if (this.#found < start) {
      const found = this.#text.indexOf(this.#wanted, start)
      this.#found = found === -1 ? Infinity : found
    }
    return this.#found
  }
}
