import type { Complaint } from '../base/complaint.js'
import type { RestError } from './rest-error.js'
import type { Caller } from './caller.js'
import type { IncomingRequest } from './exchange.js'
import { headerOf } from './headers.js'
import { Parameters } from './parameters.js'
import type { ParsedRequest } from './parsed-request.js'
import type { Misfit, OnlyMisfits, UnknownNameSentence } from './reading.js'
import { bagOf, emptyBag, type Bag } from './variables.js'

export { parseRequest, type ParsedRequest } from './parsed-request.js'

/** Parameters of a route that declared none: any name may be read, nothing is known about the value. */
export type AnyParameters = Record<string, unknown>

/**
 * The parameters in one map. A name whose value may be absent is left out of the map when it is, and a null in JSON stays
 * in it; every other name is there.
 * @typeParam _Remedy is for the compiler to print where a name is missing.
 */
export type PresentParameters<
  P extends object,
  _Remedy extends string =
    'only declared names are here, and absent ones are left out: declare the name, or give a default',
> = { [N in keyof P as null extends P[N] ? never : N]-?: P[N] } & {
  [N in keyof P as null extends P[N] ? N : never]?: P[N]
}

/** One HTTP request as a handler sees it. `P` maps each readable name to the type of its value. */
export interface RestRequest<P extends object = AnyParameters> {
  /** Where a value of another type is wanted: its own type, under a name that says so in a sentence. */
  get_param<Own extends object, N extends keyof Own & string, Wanted = unknown>(
    this: RestRequest<Own>,
    name: N,
    ...only: OnlyMisfits<Own[N], Wanted>
  ): Misfit<Own[N], Wanted, N>
  /** The value of a parameter, after defaults, validation and sanitising; `null` when absent. */
  get_param<N extends keyof P & string>(name: N): P[N]
  /** Refuses any other name, in a sentence. */
  get_param<N extends string>(name: N & Complaint<UnknownNameSentence<N>>): unknown
  /** Whether the parameter was sent or has a default, be it with null. */
  has_param(name: keyof P & string): boolean
  /** Refuses any other name, in a sentence. */
  has_param<N extends string>(name: N & Complaint<UnknownNameSentence<N>>): boolean
  /** All parameters; of each name the one that {@link get_param} reads, but for a null in JSON, which stays. */
  get_params(): PresentParameters<P>
  /** Upper case; what `_method` or `X-HTTP-Method-Override` asked for, if they did. */
  readonly method: string
  /** The path that matched, below the REST prefix: `/shop/v1/products/5`. */
  readonly route: string
  /**
   * The address below which all routes live, as the site's own address says: `https://shop.example/wp-json/`. What links
   * begin with: `${request.root}shop/v1/products/5`.
   */
  readonly root: string
  /** By lower-case name, several values of one name joined with `, `. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** A header in any case, with `_` for `-` if you like; `null` when absent. */
  get_header(name: string): string | null
  /** Who sends the request; id 0 when nobody is logged in. */
  readonly user: Caller
  /** The caller's address: the peer's, or what a trusted proxy says. */
  readonly address: string
  /** The body as sent. */
  readonly body: Uint8Array
  /**
   * What the path captured. This and the sources below are the request's own and no copies: declared arguments are in them as
   * they were validated and sanitised, and what a handler changes there, {@link get_param} reads.
   */
  get_url_params(): AnyParameters
  get_query_params(): AnyParameters
  /** The urlencoded or multipart form. */
  get_body_params(): AnyParameters
  /** The decoded JSON body, whatever it is; `null` for none. */
  get_json_params(): unknown
  /** The defaults of the declared arguments, copied for each request. */
  get_default_params(): AnyParameters
  /**
   * Uploads by field name, each with `name`, `type`, `size`, `error` and `bytes`, in the shape of PHP's `$_FILES`:
   * `name` is what the caller calls the file, without folders; `error` is 0, 3 (cut off) or 4 (none chosen).
   */
  get_file_params(): AnyParameters
}

export interface HttpRequestOptions {
  readonly incoming: IncomingRequest
  readonly parsed: ParsedRequest
  /** Below the REST prefix: `/shop/v1/products/5`. */
  readonly route: string
  readonly user: Caller
  /** `https://shop.example/wp-json/`. Default `/`. */
  readonly root?: string
  /** UUID of the application password that identified the caller; null when none did, which is the default. */
  readonly applicationPassword?: string | null
  /** Under which the log speaks of the request. Default `''`. */
  readonly id?: string
}

/** What the validation of a request has done to its parameters. */
export interface Validation {
  /** The declared arguments that the parameters were held against. */
  readonly args: Readonly<Record<string, unknown>>
  /** Arguments that were refused; the others of `args` hold the values that a handler reads. */
  readonly refused: ReadonlySet<string>
}

/** The request of the service itself: what a handler sees, and what it was made from. */
export class HttpRequest<P extends object = AnyParameters> implements RestRequest<P> {
  readonly incoming: IncomingRequest
  readonly parsed: ParsedRequest
  readonly route: string
  readonly user: Caller
  readonly root: string
  readonly applicationPassword: string | null
  readonly id: string
  /** Null until a declaration's rules have gone over every parameter. */
  validation: Validation | null = null
  #url: Bag = emptyBag
  #defaults: Bag = emptyBag
  #parameters: Parameters | null = null

  constructor(options: HttpRequestOptions) {
    this.incoming = options.incoming
    this.parsed = options.parsed
    this.route = options.route
    this.user = options.user
    this.root = options.root ?? '/'
    this.applicationPassword = options.applicationPassword ?? null
    this.id = options.id ?? ''
  }

  /**
   * A route was found: takes what it captured and the defaults of its arguments.
   * @param captures the request's own from now on. @param defaults are copied: a handler may change what it gets, and the
   *   next request must not see that.
   */
  matched(captures: Bag, defaults: Readonly<Bag>): void {
    this.#url = captures
    this.#defaults = bagOf()
    for (const name of Object.keys(defaults)) {
      const value = defaults[name]
      this.#defaults[name] = typeof value === 'object' && value !== null ? structuredClone(value) : value
    }
    this.#parameters = null
    this.validation = null
  }

  /** The sources in their order. */
  get parameters(): Parameters {
    const { parsed } = this
    this.#parameters ??= new Parameters(parsed.method, {
      url: this.#url,
      query: parsed.query,
      form: () => parsed.form,
      json: parsed.json,
      defaults: this.#defaults,
    })
    return this.#parameters
  }

  /** Why the request's sources cannot be taken as they are; to be told once a route matched. */
  get problem(): RestError | null {
    return this.parsed.problem
  }

  get method(): string {
    return this.parsed.method
  }

  /** Not to be written to: requests of one connection may share them. */
  get headers(): Readonly<Record<string, string | undefined>> {
    return this.incoming.headers
  }

  get address(): string {
    return this.incoming.address
  }

  get body(): Uint8Array {
    return this.incoming.body
  }

  get_param<N extends keyof P & string>(name: N): P[N] {
    return this.parameters.get(name) as P[N]
  }

  has_param(name: keyof P & string): boolean {
    return this.parameters.has(name)
  }

  get_params(): PresentParameters<P> {
    return this.parameters.all() as PresentParameters<P>
  }

  get_header(name: string): string | null {
    return headerOf(this.incoming.headers, name)
  }

  get_url_params(): AnyParameters {
    return this.#url
  }

  get_query_params(): AnyParameters {
    return this.parsed.query
  }

  get_body_params(): AnyParameters {
    return this.parsed.form
  }

  get_json_params(): unknown {
    return this.parsed.jsonValue
  }

  get_default_params(): AnyParameters {
    return this.#defaults
  }

  get_file_params(): AnyParameters {
    return this.parsed.files
  }
}
