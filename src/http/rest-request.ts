import type { Complaint } from '../base/complaint.js'
import type { RestError } from './rest-error.js'
import type { Caller, UsedApplicationPassword } from './caller.js'
import type { IncomingRequest } from './exchange.js'
import { headerOf } from './headers.js'
import { Parameters } from './parameters.js'
import type { ParsedRequest } from './parsed-request.js'
import { RecordPasswordChecks, type AskedRecord } from './record-password-checks.js'
import { noContext, type DeferredWork, type RequestContext, type RequestLog } from './request-context.js'
import { RequestSignal } from './request-signal.js'
import { filesOfField, filesWithContext } from './files-of-form.js'
import type { UploadedFile } from './uploaded-file.js'
import { isMultipartForm } from './form-body.js'
import type { Misfit, OnlyMisfits, UnknownNameSentence } from './reading.js'
import { bagOf, emptyBag, type Bag } from './variables.js'

export { parseRequest, type ParsedRequest } from './parsed-request.js'

/** Parameters of a route without declared parameters: every name can be read, and its value is `unknown`. */
export type AnyParameters = Record<string, unknown>

/**
 * All parameters in one map. A parameter that may be absent is left out when it is absent. A null in JSON is included.
 * @typeParam _Remedy a sentence that the compiler prints when a name does not exist.
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
  /** Applies where another type is expected: the compiler's message then says why the value does not have it. */
  get_param<Params extends object, N extends keyof Params & string, Expected = unknown>(
    this: RestRequest<Params>,
    name: N,
    ...only: OnlyMisfits<Params[N], Expected>
  ): Misfit<Params[N], Expected, N>
  /** The value of a parameter, after defaults, validation and sanitising; `null` when absent. */
  get_param<N extends keyof P & string>(name: N): P[N]
  /** Applies to undeclared names: the compiler rejects them with a sentence. */
  get_param<N extends string>(name: N & Complaint<UnknownNameSentence<N>>): unknown
  /**
   * A parameter of the path as the id of a record, user or term: a whole number from 1 to 2^53 − 1. For any other text, and
   * for an absent parameter, 0, which is the id of nothing. It reads the path alone: other sources and `args` do not
   * matter, and the description of the route is the same with and without it.
   */
  pathId(name: keyof P & string): number
  /** Applies to undeclared names: the compiler rejects them with a sentence. */
  pathId<N extends string>(name: N & Complaint<UnknownNameSentence<N>>): number
  /** Whether the parameter was sent or has a default. A null value counts. */
  has_param(name: keyof P & string): boolean
  /** Applies to undeclared names: the compiler rejects them with a sentence. */
  has_param<N extends string>(name: N & Complaint<UnknownNameSentence<N>>): boolean
  /**
   * All parameters, with the values that {@link get_param} returns. A null in JSON is included and hides other sources.
   */
  get_params(): PresentParameters<P>
  /** Upper case. An override by `_method` or `X-HTTP-Method-Override` is applied. */
  readonly method: string
  /** The path that matched, below the REST prefix: `/shop/v1/products/5`. */
  readonly route: string
  /**
   * The URL of all routes: `https://shop.example/wp-json/`. It begins with the configured URL of the site. Links start
   * with it: `${request.root}shop/v1/products/5`.
   */
  readonly root: string
  /** By lower-case name, several values of one name joined with `, `. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** A header by its name in any letter case, with `-` or `_`; `null` when absent. */
  get_header(name: string): string | null
  /** The user who sends the request; id 0 when no user is logged in. */
  readonly user: Caller
  /** The client's address: that of the peer, or the one that a trusted proxy reports. */
  readonly address: string
  /**
   * The id of the request in the log and in the header `X-Request-Id` of the response: generated, or that of a trusted
   * proxy (its `X-Request-Id`, or the trace of its `traceparent`).
   */
  readonly id: string
  /** The log of the service. Each line has the field `requestId`: `request.log.info({ order: 5 }, 'sold')`. */
  readonly log: RequestLog
  /**
   * Aborts when the client has left (or has closed its sending side), when the time limit of the route is over, and when the
   * grace period of a stop is over. While a body is streamed, it aborts too. Pass it on:
   * `fetch(address, { signal: request.signal })`.
   */
  readonly signal: AbortSignal
  /**
   * Runs `work` after the answer was sent, as the same user. The stop of the service waits for it within the grace period. When
   * it fails, the log has the error with the id of the request. It runs also when the handler throws later.
   * @throws an error that is answered with 503 when 1,000 deferred functions wait or run.
   */
  defer(work: DeferredWork): void
  /**
   * Whether the sender has to enter the password of a record before its content and excerpt may be shown: WordPress's
   * `post_password_required()`. False for a record without a password, for one that does not exist, for a visitor who has
   * entered the password in WordPress's form (a cookie says so), and for a user who may edit the record.
   *
   * When the record has a password, the response is sent with `Cache-Control: no-store, private`. Visitors with such a cookie get no
   * responses of the response cache of a route with `cache`. A page of another site, which sends another `Origin` or `_jsonp`, gets
   * no more than a visitor without the cookie, unless the option `cors` lists its origin.
   * @param record a record of the store, or its id.
   * @throws TypeError without an id. @throws HasherBusyError, answered with 503, when too many passwords wait to be checked.
   * @throws Error within the body of a stream, whose headers are sent already.
   */
  requiresPassword(record: AskedRecord): Promise<boolean>
  /**
   * The id of the last event that the client of an {@link EventStream} has got, from its header `Last-Event-ID`; null for a
   * client that connects for the first time.
   */
  readonly lastEventId: string | null
  /** The undecoded body. Empty for a `multipart/form-data` POST, as in PHP: its files may be large. */
  readonly body: Uint8Array
  /**
   * The file of a field of a `multipart/form-data` POST; null without one, and when no file was selected. Of several files of the
   * field, the first.
   * @throws RestError 400 `rest_upload_incomplete` when the file was cut off.
   */
  file(field: string): UploadedFile | null
  /** All files of a field, also those of `pages[]` and `pages[first]` for the field `pages`. @throws as `file`. */
  files(field: string): readonly UploadedFile[]
  /**
   * The captures of the path. This method and those below return the sources themselves, not copies. Declared arguments
   * have their validated and sanitised values in them, and {@link get_param} reads what a handler changes in them.
   */
  get_url_params(): AnyParameters
  get_query_params(): AnyParameters
  /** The urlencoded or multipart form. */
  get_body_params(): AnyParameters
  /** The decoded JSON body, any JSON value; `null` without one. */
  get_json_params(): unknown
  /** The defaults of the declared arguments, copied for each request. */
  get_default_params(): AnyParameters
  /**
   * Uploads by field name, each with `name`, `type`, `size`, `error` and `file`, in the shape of PHP's `$_FILES`.
   * `name` is the client's name of the file, without folders. `error` is 0, 3 (truncated) or 4 (no file selected).
   * `file` is an {@link UploadedFile}, or null for 3 and 4.
   */
  get_file_params(): AnyParameters
}

/** A request of any route, for functions that are shared between routes. Every name can be read, as `unknown`. */
export interface AnyRequest extends Omit<RestRequest, 'get_param' | 'has_param' | 'get_params' | 'pathId'> {
  /** The value of a parameter, after defaults, validation and sanitising; `null` when absent. */
  get_param(name: string): unknown
  has_param(name: string): boolean
  get_params(): AnyParameters
  /** A parameter of the path as the id of a record, user or term; 0 for any other text. */
  pathId(name: string): number
}

const noBytes = new Uint8Array(0)

/** The parts that an {@link HttpRequest} is created from. */
export interface HttpRequestOptions {
  readonly incoming: IncomingRequest
  readonly parsed: ParsedRequest
  /** Below the REST prefix: `/shop/v1/products/5`. */
  readonly route: string
  readonly user: Caller
  /** `https://shop.example/wp-json/`. Default `/`. */
  readonly root?: string
  /** The application password that authenticated the caller; null, the default, for other authentication. */
  readonly applicationPassword?: UsedApplicationPassword | null
  /** The token of the session in the login cookie, which is verified unless the caller is anonymous. Default `''`: none. */
  readonly sessionToken?: string
  /** Request id for the log. Default `''`. */
  readonly id?: string
  /** Default: that of a request outside of a service. */
  readonly context?: RequestContext
  /** The request whose answer contains that of this one: of an item of a batch, of an embedded link. */
  readonly outer?: HttpRequest
  /** Whether the service makes the request of itself: an item of a batch, an embedded link. Default false. */
  readonly isInner?: boolean
}

/** The result of the validation of a request's parameters. */
export interface Validation {
  /** The declared arguments. */
  readonly args: Readonly<Record<string, unknown>>
  /** Names of rejected arguments. The other arguments of `args` have the values that a handler reads. */
  readonly refused: ReadonlySet<string>
  /** Whether one schema of a library validated all parameters together, so that no argument has rules of its own. */
  readonly isWhole?: boolean
}

/** The implementation of {@link RestRequest}, with the data that only the service uses. */
export class HttpRequest<P extends object = AnyParameters> implements RestRequest<P> {
  readonly incoming: IncomingRequest
  readonly parsed: ParsedRequest
  readonly route: string
  readonly user: Caller
  readonly root: string
  readonly applicationPassword: UsedApplicationPassword | null
  readonly sessionToken: string
  readonly id: string
  readonly isInner: boolean
  /** Null until every parameter has been validated. */
  validation: Validation | null = null
  #headers: Record<string, string | undefined> | null = null
  #url: Bag = emptyBag
  #defaults: Bag = emptyBag
  #parameters: Parameters | null = null
  #isMatched = false
  readonly #context: RequestContext
  readonly #outer: HttpRequest | null
  #log: RequestLog | null = null
  #signal: RequestSignal | null = null
  /** Why the signal aborts, before it is asked for. */
  #abortReason: DOMException | null = null
  #deferred: DeferredWork[] | null = null
  #passwordChecks: RecordPasswordChecks | null = null

  constructor(options: HttpRequestOptions) {
    this.incoming = options.incoming
    this.parsed = options.parsed
    this.route = options.route
    this.user = options.user
    this.root = options.root ?? '/'
    this.applicationPassword = options.applicationPassword ?? null
    this.sessionToken = options.sessionToken ?? ''
    this.id = options.id ?? ''
    this.isInner = options.isInner ?? false
    this.#context = options.context ?? noContext
    this.#outer = options.outer ?? null
  }

  /**
   * Sets the captures and the defaults of the matched route.
   * @param captures not copied.
   * @param defaults copied, because a handler may change its values, and the next request must not see the change.
   */
  matched(captures: Bag, defaults: Readonly<Bag>): void {
    this.#isMatched = true
    this.#url = captures
    this.#defaults = bagOf()
    for (const name of Object.keys(defaults)) {
      const value = defaults[name]
      this.#defaults[name] = typeof value === 'object' && value !== null ? structuredClone(value) : value
    }
    this.#parameters = null
    this.validation = null
  }

  /**
   * The parameters of all sources, in order of precedence. Before a route has matched, a JSON body is no source, so that
   * the body of a request without a route is never parsed.
   */
  get parameters(): Parameters {
    const { parsed } = this
    this.#parameters ??= new Parameters(parsed.method, {
      url: this.#url,
      query: parsed.query,
      form: () => parsed.form,
      json: this.#isMatched ? parsed.json : null,
      defaults: this.#defaults,
    })
    return this.#parameters
  }

  /** An exceeded limit or invalid JSON in the request; null without one. It is reported once a route matches. */
  get problem(): RestError | null {
    return this.parsed.problem
  }

  get method(): string {
    return this.parsed.method
  }

  /** A copy, because requests of one connection share the frozen headers of the first, and a handler may add one. */
  get headers(): Readonly<Record<string, string | undefined>> {
    return (this.#headers ??= Object.assign(Object.create(null), this.incoming.headers) as typeof this.headers)
  }

  get address(): string {
    return this.incoming.address
  }

  get context(): RequestContext {
    return this.#context
  }

  get log(): RequestLog {
    return (this.#log ??= this.#context.logOf(this.id))
  }

  get signal(): AbortSignal {
    if (this.#outer !== null) return this.#outer.signal
    if (this.#signal === null) {
      this.#signal = new RequestSignal(this.incoming.client ?? null, this.#context.cutOff)
      if (this.#abortReason !== null) this.#signal.abort(this.#abortReason)
    }
    return this.#signal.signal
  }

  defer(work: DeferredWork): void {
    if (typeof work !== 'function') throw new TypeError('request.defer takes a function: request.defer(async () => …).')
    if (this.#outer !== null) return this.#outer.defer(work)
    this.#context.reserveWork()
    ;(this.#deferred ??= []).push(work)
  }

  /** Whether an error only says that the signal has aborted: work that was given the signal has ended by it. */
  isAbortError(error: unknown): boolean {
    const signal = this.#outer?.signal ?? this.#signal?.signal
    if (signal === undefined || !signal.aborted) return false
    return error === signal.reason || (error instanceof Error && error.name === 'AbortError')
  }

  /** Aborts the signal, also one that is asked for later. */
  abort(reason: DOMException): void {
    this.#abortReason = reason
    this.#signal?.abort(reason)
  }

  /** The answer is complete. @returns the deferred works; null for none. */
  ended(): readonly DeferredWork[] | null {
    this.#signal?.release()
    const works = this.#deferred
    this.#deferred = null
    return works
  }

  /** Whether {@link ended} has anything to do. */
  get hasEnd(): boolean {
    return this.#signal !== null || this.#deferred !== null
  }

  requiresPassword(record: AskedRecord): Promise<boolean> {
    if (this.#outer !== null) return this.#outer.requiresPassword(record)
    return (this.#passwordChecks ??= new RecordPasswordChecks(this, this.#context)).requires(record)
  }

  /** Whether the response may depend on the password of a record that the sender has entered. */
  get dependsOnPassword(): boolean {
    return this.#passwordChecks !== null && this.#passwordChecks.dependsOnVisitor
  }

  /** The headers of a stream are on their way. What its body depends on can no longer be said in them. */
  streamBegins(): void {
    ;(this.#passwordChecks ??= new RecordPasswordChecks(this, this.#context)).headersAreSent()
  }

  get lastEventId(): string | null {
    return this.get_header('Last-Event-ID') || null
  }

  get body(): Uint8Array {
    const { method, headers, body } = this.incoming
    return body.length > 0 && isMultipartForm(method, headers['content-type']) ? noBytes : body
  }

  file(field: string): UploadedFile | null {
    return this.files(field)[0] ?? null
  }

  files(field: string): readonly UploadedFile[] {
    return filesOfField(this.#files, field)
  }

  get_param<N extends keyof P & string>(name: N): P[N] {
    return this.parameters.get(name) as P[N]
  }

  pathId(name: keyof P & string): number {
    // An argument that is declared as an integer is a number here already.
    const id = /^\d+$/.test(String(this.#url[name])) ? Number(this.#url[name]) : 0
    return Number.isSafeInteger(id) ? id : 0
  }

  has_param(name: keyof P & string): boolean {
    return this.parameters.has(name)
  }

  get_params(): PresentParameters<P> {
    return this.parameters.all() as PresentParameters<P>
  }

  get_header(name: string): string | null {
    return headerOf(this.#headers ?? this.incoming.headers, name)
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
    return this.#files
  }

  get #files(): Bag {
    return filesWithContext(this.parsed.files, this.#context.uploads)
  }
}
