/** The members of a list or map that are floats for PHP. */
export interface FloatMembers {
  has(key: string | number): boolean
}

class FloatItems implements FloatMembers {
  readonly #flags: Uint8Array

  constructor(flags: Uint8Array) {
    this.#flags = flags
  }

  has(key: string | number): boolean {
    if (typeof key === 'number') return this.#flags[key] === 1
    const index = Number(key)
    return this.#flags[index] === 1 && String(index) === key
  }
}

class FloatNames implements FloatMembers {
  readonly #names: ReadonlySet<string>

  constructor(names: ReadonlySet<string>) {
    this.#names = names
  }

  has(name: string | number): boolean {
    return this.#names.has(String(name))
  }
}

const floatMembers = new WeakMap<object, FloatMembers>()

/**
 * Records which members of a map are floats for PHP although their values are whole: JSON has them as `1.0` or
 * `1e0`. JavaScript has one type for all numbers, and a few rules of WordPress tell integers from floats.
 */
export function markFloats(container: object, names: ReadonlySet<string> | undefined): void {
  if (names !== undefined && names.size > 0) floatMembers.set(container, new FloatNames(names))
}

/** The same for the items of a list, by their index: a long list takes one byte for each item. */
export function markFloatItems(list: readonly unknown[], indexes: readonly number[]): void {
  if (indexes.length === 0) return
  const flags = new Uint8Array(list.length)
  for (const index of indexes) flags[index] = 1
  floatMembers.set(list, new FloatItems(flags))
}

/** Marks a container whose members are those of another one. */
export function copyFloats(from: object, to: object): void {
  const members = floatMembers.get(from)
  if (members !== undefined) floatMembers.set(to, members)
}

/** The members that were marked; undefined for none, as in nearly every container. */
export function floatsOf(container: object): FloatMembers | undefined {
  return floatMembers.get(container)
}
