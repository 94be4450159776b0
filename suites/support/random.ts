/** Pseudo-random values from a seed: equal seeds give equal sequences on every machine. */
export class Random {
  #state: number

  /** @param seed any integer; @param stream tells independent sequences of one seed apart. */
  constructor(seed: number, stream = 0) {
    this.#state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(stream + 1, 0xc2b2ae35)) >>> 0
    // The first values of neighbouring states are alike.
    for (let round = 0; round < 4; round += 1) this.next()
  }

  /** From 0 to below 1: mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** An integer from `from` to `to`, both included. */
  integer(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** @throws RangeError for an empty list. */
  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new RangeError('There is nothing to pick from.')
    return list[Math.floor(this.next() * list.length)] as T
  }

  /** Calls one of the functions. Each is as likely as its weight. */
  choose<T>(choices: readonly (readonly [weight: number, make: () => T])[]): T {
    let rest = this.next() * choices.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, make] of choices) {
      rest -= weight
      if (rest < 0) return make()
    }
    throw new RangeError('There is nothing to choose from.')
  }

  /** Characters of an alphabet. */
  text(length: number, alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'): string {
    let text = ''
    for (let count = 0; count < length; count += 1) text += alphabet.charAt(Math.floor(this.next() * alphabet.length))
    return text
  }
}
