/**
 * Returns one and the same string for each occurrence of a name. As a key of a map without a prototype, a string that
 * was just cut out of a text takes ten times as long to set, because the engine must intern it first.
 */
export class InternedNames {
  readonly #names = new Map<string, string>()
  readonly #convert: (name: string) => string

  /** @param convert returns the string to use for a name, always the same for one name. Default: the name itself. */
  constructor(convert: (name: string) => string = (name) => name) {
    this.#convert = convert
  }

  of(name: string): string {
    const cached = this.#names.get(name)
    if (cached !== undefined) return cached
    const converted = this.#convert(name)
    // A client that fills the map with random names only slows other requests down; nothing is evicted.
    if (this.#names.size < maxNames && name.length <= maxNameLength) this.#names.set(name, converted)
    return converted
  }
}

const maxNames = 1000
const maxNameLength = 64
