import { acceptsForm } from './method.js'
import { bagOf, type Bag } from './variables.js'

/** Where the parameters of one request come from. The bags are the request's own: sanitised values are written back. */
export interface ParameterSources {
  /** Captures of the path. */
  readonly url: Bag
  readonly query: Bag
  /** Asked for only when the method accepts a form. */
  readonly form: () => Bag
  /** `null` when the body is not JSON or says nothing. */
  readonly json: Bag | null
  readonly defaults: Bag
}

/**
 * The parameters of one request, by precedence: path, JSON, form (POST, PUT, PATCH and DELETE only), query, defaults.
 * A path capture that is empty comes last of all.
 */
// Rules: docs/wire.md#sources-and-precedence.
export class Parameters {
  readonly #url: Bag
  readonly #defaults: Bag
  /** Between the path and the defaults. */
  readonly #sent: readonly Bag[]
  /** Names of the path's captures that were empty when the route matched; usually `null` for none. */
  readonly #empty: Set<string> | null

  /** @param method that the request is served as. */
  constructor(method: string, sources: ParameterSources) {
    this.#url = sources.url
    this.#defaults = sources.defaults
    const sent = sources.json ? [sources.json] : []
    if (acceptsForm(method)) sent.push(sources.form())
    sent.push(sources.query)
    this.#sent = sent
    this.#empty = emptyNames(sources.url)
  }

  /** The strongest value that is not null; `null` when there is none. A JSON null lets a weaker source speak. */
  get(name: string): unknown {
    const captured = this.#url[name] ?? null
    const isEmpty = captured !== null && this.#empty?.has(name) === true
    if (captured !== null && !isEmpty) return captured
    for (const source of this.#sent) {
      const value = source[name] ?? null
      if (value !== null) return value
    }
    return this.#defaults[name] ?? captured
  }

  /** Whether any source has the name, be it with null. Defaults count. */
  has(name: string): boolean {
    return name in this.#url || this.#sent.some((source) => name in source) || name in this.#defaults
  }

  /** All values in a new bag, the strongest of each name, null included. The names of weaker sources come first. */
  all(): Bag {
    const all = bagOf()
    // Object.assign takes three times as long between objects without a prototype.
    for (const name of this.#empty ?? []) all[name] = this.#url[name]
    for (const name in this.#defaults) all[name] = this.#defaults[name]
    for (let index = this.#sent.length - 1; index >= 0; index -= 1)
      for (const name in this.#sent[index]) all[name] = this.#sent[index]?.[name]
    for (const name in this.#url) if (!this.#empty?.has(name)) all[name] = this.#url[name]
    return all
  }

  /** The bags themselves, strongest first, defaults last. */
  sources(): readonly Bag[] {
    return [this.#url, ...this.#sent, this.#defaults]
  }
}

function emptyNames(url: Bag): Set<string> | null {
  let names: Set<string> | null = null
  for (const name in url) if (url[name] === '') names = (names ?? new Set()).add(name)
  return names
}
