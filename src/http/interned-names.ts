/**
 * Gives names that come again as one and the same string each. A name that was just cut out of a text costs ten times
 * as much to store under in a map without prototype, because the engine has to look up first whether it knows it.
 */
export class InternedNames {
  readonly #names = new Map<string, string>()
  readonly #made: (name: string) => string

  /** @param made what is to be used instead of a name; the same for the same name. Default: the name itself. */
  constructor(made: (name: string) => string = (name) => name) {
    this.#made = made
  }

  of(name: string): string {
    const known = this.#names.get(name)
    if (known !== undefined) return known
    const made = this.#made(name)
    // Whoever sends names that nobody else does fills this once, and takes nothing from the others but speed.
    if (this.#names.size < maxNames && name.length <= maxNameLength) this.#names.set(name, made)
    return made
  }
}

const maxNames = 1000
const maxNameLength = 64
