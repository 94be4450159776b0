const block = 1 << 16

/** Measured times. Takes them without making anything anew: a client that stops to collect garbage measures itself. */
export class Latencies {
  #blocks: Float64Array[] = [new Float64Array(block)]
  #last = this.#blocks[0] ?? new Float64Array(0)
  #used = 0
  count = 0

  add(milliseconds: number): void {
    if (this.#used === block) {
      this.#last = new Float64Array(block)
      this.#blocks.push(this.#last)
      this.#used = 0
    }
    this.#last[this.#used] = milliseconds
    this.#used += 1
    this.count += 1
  }

  ascending(): Float64Array {
    const all = new Float64Array(this.#blocks.length * block)
    this.#blocks.forEach((each, index) => all.set(each, index * block))
    return all.slice(0, this.count).sort()
  }
}
