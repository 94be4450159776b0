import { floatsOf } from '../php/float-members.js'
import { acceptsForm } from './method.js'
import { parameterMap, type ParameterMap } from './variables.js'

/**
 * The sources of the parameters of one request. Each request has its own maps, since sanitised values are written back.
 */
export interface ParameterSources {
  /** Captures of the path. */
  readonly url: ParameterMap
  readonly query: ParameterMap
  /** Called only when the method accepts a form. */
  readonly form: () => ParameterMap
  /** Null when the body is empty or not JSON. */
  readonly json: ParameterMap | null
  readonly defaults: ParameterMap
}

/**
 * The parameters of one request, in order of precedence: path, JSON, form (POST, PUT, PATCH and DELETE only), query,
 * defaults. An empty capture of the path has the lowest precedence.
 */
// Rules: docs/wire.md#sources-and-precedence.
export class Parameters {
  readonly #url: ParameterMap
  readonly #defaults: ParameterMap
  /** Between the path and the defaults. */
  readonly #requestSources: readonly ParameterMap[]
  /** Names of the captures that were empty when the route matched; null for none. */
  readonly #emptyCaptures: Set<string> | null

  /** @param method the effective method, after any override. */
  constructor(method: string, sources: ParameterSources) {
    this.#url = sources.url
    this.#defaults = sources.defaults
    const requestSources = sources.json ? [sources.json] : []
    if (acceptsForm(method)) requestSources.push(sources.form())
    requestSources.push(sources.query)
    this.#requestSources = requestSources
    this.#emptyCaptures = emptyNames(sources.url)
  }

  /** The first value in order of precedence that is not null; null when there is none. */
  get(name: string): unknown {
    const capture = this.#url[name] ?? null
    const isEmpty = capture !== null && this.#emptyCaptures?.has(name) === true
    if (capture !== null && !isEmpty) return capture
    for (const source of this.#requestSources) {
      const value = source[name] ?? null
      if (value !== null) return value
    }
    return this.#defaults[name] ?? capture
  }

  /** Whether the value of {@link get} is a whole number that the JSON body writes as a float, such as `5.0`. */
  isFloat(name: string): boolean {
    for (const source of [this.#url, ...this.#requestSources])
      if ((source[name] ?? null) !== null) return floatsOf(source)?.has(name) ?? false
    return false
  }

  /** Whether any source has the name, including the defaults. A null value counts. */
  has(name: string): boolean {
    return name in this.#url || this.#requestSources.some((source) => name in source) || name in this.#defaults
  }

  /**
   * A new map with the value of highest precedence for each name, null included. Names of sources with lower precedence
   * come first.
   */
  all(): ParameterMap {
    const all = parameterMap()
    // Object.assign takes three times as long between objects without a prototype.
    for (const name of this.#emptyCaptures ?? []) all[name] = this.#url[name]
    for (const name in this.#defaults) all[name] = this.#defaults[name]
    for (let index = this.#requestSources.length - 1; index >= 0; index -= 1)
      for (const name in this.#requestSources[index]) all[name] = this.#requestSources[index]?.[name]
    for (const name in this.#url) if (!this.#emptyCaptures?.has(name)) all[name] = this.#url[name]
    return all
  }

  /** The maps themselves in order of precedence, the defaults last. */
  sources(): readonly ParameterMap[] {
    return [this.#url, ...this.#requestSources, this.#defaults]
  }
}

function emptyNames(url: ParameterMap): Set<string> | null {
  let names: Set<string> | null = null
  for (const name in url) if (url[name] === '') names = (names ?? new Set()).add(name)
  return names
}
