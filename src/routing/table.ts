import { bytesOf } from '../php/bytes.js'
import {
  type LoweredPattern,
  lowerPattern,
  PatternError,
  routePattern,
  type TranslatedPattern,
  translatePattern,
} from '../pcre/pattern.js'
import { RouteIndex } from './route-index.js'
import { growthOf, maxHarmlessDegree } from '../pcre/safety.js'

/** A handler with the methods that it serves. */
export interface Handler {
  /** Upper case. */
  readonly methods: readonly string[]
}

/** Maximum length of a path, in bytes: of an address, of `rest_route` in a form, of an item of a batch. */
const maxPathBytes = 4096

/**
 * Maximum length of a path for a pattern whose matching time may grow with the square of the length, in bytes. The factor
 * depends on what follows its repetitions, and is a few dozen at most: decisions/006.
 */
const maxQuadraticPathBytes = 1024

/** A route key with all its handlers, in the order of registration. */
export interface Route<H> {
  /** `/` + namespace + `/` + route without its outer slashes: a PCRE pattern. */
  readonly pattern: string
  /** Of the latest registration; null for a route outside all namespaces. */
  readonly namespace: string | null
  readonly handlers: readonly H[]
}

export interface Registration<H> {
  /** Outer slashes do not count; null registers `route` as it is, outside all namespaces. */
  readonly namespace: string | null
  readonly route: string
  readonly handler: H
  /** Drops the handlers that the same key has. Default: they stay, and this one comes after them. */
  readonly replace?: boolean
}

export interface RouteMatch<H> {
  readonly route: Route<H>
  /** The texts that the named groups captured, in a map without prototype. */
  readonly params: Record<string, string>
}

export interface HandlerMatch<H> extends RouteMatch<H> {
  readonly handler: H
}

/** The match of a path for one method. It is computed once, when it is first read. */
export class Lookup<H extends Handler> {
  readonly #table: RouteTable<H>
  readonly #method: string
  #match: HandlerMatch<H> | null | undefined

  constructor(
    table: RouteTable<H>,
    readonly path: string,
    method: string,
  ) {
    this.#table = table
    this.#method = method
  }

  /** See `RouteTable.match`. */
  get match(): HandlerMatch<H> | null {
    if (this.#match === undefined) this.#match = this.#table.match(this.path, this.#method)
    return this.#match
  }
}

interface Entry<H> {
  readonly pattern: string
  namespace: string | null
  handlers: readonly H[]
  /** Compiled for the first path that needs it; null for a pattern that cannot match. */
  translated: TranslatedPattern | null | undefined
  /** In bytes; computed for the first path that may be too long. */
  maxPathBytes: number | undefined
}

/**
 * The routes of a service, in the order of their registration, with WordPress's rules of matching. A match costs the same
 * with ten routes and with ten thousand.
 */
// Rules: docs/wire.md#matching.
export class RouteTable<H extends Handler> {
  readonly #entries = new Map<string, Entry<H>>()
  readonly #index = new RouteIndex()
  /** The entries by their ordinals in the index. */
  readonly #ordered: Entry<H>[] = []
  /** The ordinal of each namespace, in the order of their first registrations. */
  readonly #namespaces = new Map<string, number>()
  readonly #namespaceLengths = new Set<number>()
  readonly #describeNamespace: (namespace: string) => H
  /** The matches of GET requests whose path is the text of a pattern without captures. */
  readonly #literalMatches = new Map<string, { readonly route: Route<H>; readonly handler: H }>()

  /** @param describeNamespace the handler of the route `/<namespace>`, which comes with a namespace's first route. */
  constructor(describeNamespace: (namespace: string) => H) {
    this.#describeNamespace = describeNamespace
  }

  get routes(): readonly Route<H>[] {
    return [...this.#entries.values()]
  }

  /** In the order of their first registration. */
  get namespaces(): readonly string[] {
    return [...this.#namespaces.keys()]
  }

  /**
   * Registers a handler. An invalid pattern is registered and never matches, as in WordPress. The start of the service
   * refuses invalid patterns in declarations.
   */
  add({ namespace, route, handler, replace = false }: Registration<H>): Route<H> {
    this.#literalMatches.clear()
    const trimmedNamespace = namespace === null ? null : namespace.replace(/^\/+|\/+$/g, '')
    if (trimmedNamespace === null) return this.#register(route, null, handler, replace)
    if (!this.#namespaces.has(trimmedNamespace)) {
      this.#namespaces.set(trimmedNamespace, this.#namespaces.size)
      this.#namespaceLengths.add(trimmedNamespace.length)
      this.#register(`/${trimmedNamespace}`, trimmedNamespace, this.#describeNamespace(trimmedNamespace), false)
    }
    return this.#register(routeKey(trimmedNamespace, route), trimmedNamespace, handler, replace)
  }

  /**
   * The first handler that takes the method, of the first route that matches and has one.
   * @param path the route path, not decoded, as `routePathOf` gives it.
   * @param method upper or lower case. A handler for GET also takes HEAD.
   */
  match(path: string, method: string): HandlerMatch<H> | null {
    const literalMatch = method === 'GET' ? this.#literalMatches.get(path) : undefined
    if (literalMatch !== undefined)
      return { route: literalMatch.route, handler: literalMatch.handler, params: noParameters() }
    const upperCaseMethod = method.toUpperCase()
    for (const entry of this.#inMatchingOrder(path)) {
      const handler = entry.handlers.find(({ methods }) => acceptsMethod(methods, upperCaseMethod))
      const params = handler && captureFrom(entry, path)
      if (!handler || !params) continue
      // The key is the text of the pattern, not the path: a path may keep the whole request in memory that it is a slice of.
      if (method === 'GET' && path === entry.pattern && entry.translated?.names.length === 0)
        this.#literalMatches.set(entry.pattern, { route: entry, handler })
      return { route: entry, handler, params }
    }
    return null
  }

  /** The first route that matches, whatever its methods: what OPTIONS describes. */
  matchAny(path: string): RouteMatch<H> | null {
    for (const entry of this.#candidates(path)) {
      const params = captureFrom(entry, path)
      if (params) return { route: entry, params }
    }
    return null
  }

  #register(pattern: string, namespace: string | null, handler: H, replace: boolean): Route<H> {
    const existingEntry = this.#entries.get(pattern)
    if (existingEntry) {
      existingEntry.handlers = replace ? [handler] : [...existingEntry.handlers, handler]
      existingEntry.namespace = namespace
      return existingEntry
    }
    const entry: Entry<H> = { pattern, namespace, handlers: [handler], translated: undefined, maxPathBytes: undefined }
    this.#entries.set(pattern, entry)
    const index = this.#ordered.push(entry) - 1
    if (!unlessPatternError(() => this.#index.add(pattern, index))) entry.translated = null
    return entry
  }

  /** The entries that could match, in the order of their registration. */
  #candidates(path: string): Entry<H>[] {
    const bytes = bytesOf(path)
    if (bytes.length > maxPathBytes) return []
    const candidates = this.#index.candidates(bytes).map((index) => this.#ordered[index] as Entry<H>)
    if (bytes.length <= maxQuadraticPathBytes) return candidates
    return candidates.filter((entry) => bytes.length <= (entry.maxPathBytes ??= entryMaxPathBytes(entry)))
  }

  /**
   * Where namespaces begin the path, only their routes are tried, namespace by namespace; otherwise all are. A namespace
   * counts as a beginning by its letters alone: `vec/v1` begins `vec/v10/a`.
   */
  #inMatchingOrder(path: string): readonly Entry<H>[] {
    const candidates = this.#candidates(path)
    const [first, second] = candidates
    if (first === undefined) return candidates
    let start = 0
    while (path.charAt(start) === '/') start += 1
    const inNamespace = ({ namespace }: Entry<H>): boolean => namespace !== null && path.startsWith(namespace, start)
    if (second === undefined && inNamespace(first)) return candidates
    if (!this.#beginsWithNamespace(path.slice(start))) return candidates
    const order = (entry: Entry<H>): number => this.#namespaces.get(entry.namespace ?? '') ?? 0
    return candidates.filter(inNamespace).sort((a, b) => order(a) - order(b))
  }

  #beginsWithNamespace(path: string): boolean {
    for (const length of this.#namespaceLengths) if (this.#namespaces.has(path.slice(0, length))) return true
    return false
  }
}

const noParameters = (): Record<string, string> => Object.create(null) as Record<string, string>

/** The key of a route in the table. The outer slashes of its pattern do not count. */
export function routeKey(namespace: string, route: string): string {
  // `join` creates one flat text. A template literal would keep its parts in memory as well.
  return ['', namespace, route.replace(/^\/+|\/+$/g, '')].join('/')
}

function acceptsMethod(methods: readonly string[], method: string): boolean {
  return methods.includes(method) || (method === 'HEAD' && methods.includes('GET'))
}

function entryMaxPathBytes<H>({ pattern }: Entry<H>): number {
  return unlessPatternError(() => maxPathBytesFor(lowerPattern(pattern, routePattern))) ?? 0
}

/** The maximum length of a path that is matched with a pattern, in bytes; 0 for a pattern that the start refuses. */
export function maxPathBytesFor(pattern: LoweredPattern): number {
  const { degree } = growthOf(pattern)
  if (degree > maxHarmlessDegree) return 0
  return degree === 1 ? maxPathBytes : maxQuadraticPathBytes
}

function captureFrom<H>(entry: Entry<H>, path: string): Record<string, string> | null {
  if (entry.translated === undefined)
    entry.translated = unlessPatternError(() => translatePattern(entry.pattern, routePattern))
  return entry.translated?.capture(path) ?? null
}

function unlessPatternError<T>(compute: () => T): T | null {
  try {
    return compute()
  } catch (error) {
    if (error instanceof PatternError) return null
    throw error
  }
}
