/** Repeated search for one text at ascending positions. Each part of the text is searched once, hence linear time. */
export class ForwardSearch {
  readonly #text: string
  readonly #needle: string
  #match = -1

  constructor(text: string, needle: string) {
    this.#text = text
    this.#needle = needle
  }

  /** Index of the first match at or after `start`, which must not decrease between calls; Infinity without a match. */
  from(start: number): number {
    if (this.#match < start) {
      const index = this.#text.indexOf(this.#needle, start)
      this.#match = index === -1 ? Infinity : index
    }
    return this.#match
  }
}
