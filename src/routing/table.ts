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
 * The same for a pattern whose time may grow with the square of the length. The factor depends on what follows its
 * repetitions, and is a few dozen at most: decisions/006.
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
  /** What the named groups captured, in a map without prototype. */
  readonly params: Record<string, string>
}

export interface HandlerMatch<H> extends RouteMatch<H> {
  readonly handler: H
}

/** The match of a path for one method. It is computed once, when it is first read. */
export class Lookup<H extends Handler> {
  readonly #table: RouteTable<H>
  readonly #method: string
  #found: HandlerMatch<H> | null | undefined

  constructor(
    table: RouteTable<H>,
    readonly path: string,
    method: string,
  ) {
    this.#table = table
    this.#method = method
  }

  /** See `RouteTable.match`. */
  get found(): HandlerMatch<H> | null {
    if (this.#found === undefined) this.#found = this.#table.match(this.path, this.#method)
    return this.#found
  }
}

interface Entry<H> {
  readonly pattern: string
  namespace: string | null
  handlers: readonly H[]
  /** Compiled for the first path that needs it; null for a pattern that cannot match. */
  translated: TranslatedPattern | null | undefined
  /** In bytes; computed for the first path that may be too long. */
  longest: number | undefined
}

/**
 * The routes of a service, in the order of their registration, with WordPress's rules of matching. A match costs the same
 * with ten routes and with ten thousand.
 */
// Rules: docs/wire.md#matching.
export class RouteTable<H extends Handler> {
  readonly #entries = new Map<string, Entry<H>>()
  readonly #index = new RouteIndex()
  /** By their places in the index. */
  readonly #ordered: Entry<H>[] = []
  /** Place of each namespace, by its first registration. */
  readonly #namespaces = new Map<string, number>()
  readonly #namespaceLengths = new Set<number>()
  readonly #describeNamespace: (namespace: string) => H
  /** The matches of GET requests whose path is the text of a pattern without captures. */
  readonly #known = new Map<string, { readonly route: Route<H>; readonly handler: H }>()

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
   * Registers a handler. An invalid pattern is registered and never matches, as in WordPress. The checks of the start
   * refuse it before.
   */
  add({ namespace, route, handler, replace = false }: Registration<H>): Route<H> {
    this.#known.clear()
    const space = namespace === null ? null : namespace.replace(/^\/+|\/+$/g, '')
    if (space === null) return this.#register(route, null, handler, replace)
    if (!this.#namespaces.has(space)) {
      this.#namespaces.set(space, this.#namespaces.size)
      this.#namespaceLengths.add(space.length)
      this.#register(`/${space}`, space, this.#describeNamespace(space), false)
    }
    return this.#register(routeKey(space, route), space, handler, replace)
  }

  /**
   * The first handler that takes the method, of the first route that matches and has one.
   * @param path the route path, not decoded, as `routePathOf` gives it.
   * @param method upper or lower case. HEAD is also taken by what takes GET.
   */
  match(path: string, method: string): HandlerMatch<H> | null {
    const known = method === 'GET' ? this.#known.get(path) : undefined
    if (known !== undefined) return { route: known.route, handler: known.handler, params: nothingCaptured() }
    const wanted = method.toUpperCase()
    for (const entry of this.#inMatchingOrder(path)) {
      const handler = entry.handlers.find(({ methods }) => takes(methods, wanted))
      const params = handler && capturedFrom(entry, path)
      if (!handler || !params) continue
      // By the pattern's own text, in that spelling only: a path may hold on to the whole request that it was cut from.
      if (method === 'GET' && path === entry.pattern && entry.translated?.names.length === 0)
        this.#known.set(entry.pattern, { route: entry, handler })
      return { route: entry, handler, params }
    }
    return null
  }

  /** The first route that matches, whatever its methods: what OPTIONS describes. */
  matchAny(path: string): RouteMatch<H> | null {
    for (const entry of this.#candidates(path)) {
      const params = capturedFrom(entry, path)
      if (params) return { route: entry, params }
    }
    return null
  }

  #register(pattern: string, namespace: string | null, handler: H, replace: boolean): Route<H> {
    const known = this.#entries.get(pattern)
    if (known) {
      known.handlers = replace ? [handler] : [...known.handlers, handler]
      known.namespace = namespace
      return known
    }
    const entry: Entry<H> = { pattern, namespace, handlers: [handler], translated: undefined, longest: undefined }
    this.#entries.set(pattern, entry)
    const place = this.#ordered.push(entry) - 1
    if (!unlessFaulty(() => this.#index.add(pattern, place))) entry.translated = null
    return entry
  }

  /** Those that could match, in the order of their registration. */
  #candidates(path: string): Entry<H>[] {
    const bytes = bytesOf(path)
    if (bytes.length > maxPathBytes) return []
    const candidates = this.#index.candidates(bytes).map((place) => this.#ordered[place] as Entry<H>)
    if (bytes.length <= maxQuadraticPathBytes) return candidates
    return candidates.filter((entry) => bytes.length <= (entry.longest ??= longestFor(entry)))
  }

  /**
   * Where namespaces begin the path, only their routes are tried, namespace by namespace; otherwise all are. A namespace
   * counts as a beginning by its letters alone: `vec/v1` begins `vec/v10/a`.
   */
  #inMatchingOrder(path: string): readonly Entry<H>[] {
    const candidates = this.#candidates(path)
    const [only, second] = candidates
    if (only === undefined) return candidates
    let start = 0
    while (path.charAt(start) === '/') start += 1
    const inNamespace = ({ namespace }: Entry<H>): boolean => namespace !== null && path.startsWith(namespace, start)
    if (second === undefined && inNamespace(only)) return candidates
    if (!this.#beginsWithNamespace(path.slice(start))) return candidates
    const place = (entry: Entry<H>): number => this.#namespaces.get(entry.namespace ?? '') ?? 0
    return candidates.filter(inNamespace).sort((a, b) => place(a) - place(b))
  }

  #beginsWithNamespace(path: string): boolean {
    for (const length of this.#namespaceLengths) if (this.#namespaces.has(path.slice(0, length))) return true
    return false
  }
}

const nothingCaptured = (): Record<string, string> => Object.create(null) as Record<string, string>

/** What a route is registered under: the outer slashes of its pattern do not count. */
export function routeKey(namespace: string, route: string): string {
  // Joined, which makes one text, where a template would keep its pieces as well.
  return ['', namespace, route.replace(/^\/+|\/+$/g, '')].join('/')
}

function takes(methods: readonly string[], method: string): boolean {
  return methods.includes(method) || (method === 'HEAD' && methods.includes('GET'))
}

function longestFor<H>({ pattern }: Entry<H>): number {
  return unlessFaulty(() => longestPathFor(lowerPattern(pattern, routePattern))) ?? 0
}

/** The longest path that is held against a pattern, in bytes; 0 for one that the start refuses. */
export function longestPathFor(pattern: LoweredPattern): number {
  const { degree } = growthOf(pattern)
  if (degree > maxHarmlessDegree) return 0
  return degree === 1 ? maxPathBytes : maxQuadraticPathBytes
}

function capturedFrom<H>(entry: Entry<H>, path: string): Record<string, string> | null {
  if (entry.translated === undefined)
    entry.translated = unlessFaulty(() => translatePattern(entry.pattern, routePattern))
  return entry.translated?.capture(path) ?? null
}

function unlessFaulty<T>(make: () => T): T | null {
  try {
    return make()
  } catch (error) {
    if (error instanceof PatternError) return null
    throw error
  }
}
