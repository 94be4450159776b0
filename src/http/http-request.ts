import type { RestError } from './rest-error.js'
import type { Caller, UsedApplicationPassword } from './caller.js'
import type { IncomingRequest } from './exchange.js'
import { headerOf } from './headers.js'
import { Parameters } from './parameters.js'
import type { ParsedRequest } from './parsed-request.js'
import { RecordPasswordChecks, type RecordOrId } from './record-password-checks.js'
import type { RequestLog } from './request-log.js'
import { noContext, type DeferredWork, type RequestContext } from './request-context.js'
import { RequestSignal } from './request-signal.js'
import { filesOfField, filesWithContext } from './files-of-form.js'
import type { UploadedFile } from './uploaded-file.js'
import { isMultipartForm } from './form-body.js'
import { parameterMap, noParameters, type ParameterMap } from './variables.js'
import type { AnyParameters, PresentParameters, RestRequest } from './rest-request.js'

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
  /** Default: `noContext`, the context of a request outside of a service. */
  readonly context?: RequestContext
  /** For an item of a batch or an embedded link: the request whose response contains the response of this one. */
  readonly outer?: HttpRequest
  /** Whether the service created the request: an item of a batch, an embedded link. Default false. */
  readonly isInner?: boolean
}

/** The result of the validation of a request's parameters. */
export interface Validation {
  /** The declared arguments. */
  readonly args: Readonly<Record<string, unknown>>
  /** Names of rejected arguments. The other arguments of `args` have the values that a handler reads. */
  readonly refused: ReadonlySet<string>
  /** Whether one schema of a library validated all parameters together, so that no argument has rules of its own. */
  readonly hasLibrarySchema?: boolean
}

/** Runs what requests defer, once they are answered. */
export interface DeferredRunner {
  runDeferred(request: Pick<HttpRequest, 'id' | 'user' | 'incoming'>, works: readonly DeferredWork[]): void
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
  /** The units of work that validations of this request have taken. */
  validationWork = 0
  #headers: Record<string, string | undefined> | null = null
  #url: ParameterMap = noParameters
  #defaults: ParameterMap = noParameters
  #parameters: Parameters | null = null
  #isMatched = false
  readonly #context: RequestContext
  readonly #outer: HttpRequest | null
  #log: RequestLog | null = null
  #signal: RequestSignal | null = null
  /** Why the request was aborted; null before that. A signal that is created later aborts immediately. */
  #abortReason: DOMException | null = null
  #deferred: DeferredWork[] | null = null
  #afterEnd: DeferredRunner | null = null
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
  matched(captures: ParameterMap, defaults: Readonly<ParameterMap>): void {
    this.#isMatched = true
    this.#url = captures
    this.#defaults = parameterMap()
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
    if (this.#afterEnd !== null) this.#afterEnd.runDeferred(this, [work])
    else (this.#deferred ??= []).push(work)
  }

  /** The form of a request in logs, such as a request that is a property of an error. Headers, query and body may be secret. */
  toJSON(): object {
    const { id, method, route } = this
    return { id, method, route }
  }

  /** Whether an error only reports the abort of the signal, as from a `fetch` that was called with the signal. */
  isAbortError(error: unknown): boolean {
    const signal = this.#outer?.signal ?? this.#signal?.signal
    if (signal === undefined || !signal.aborted) return false
    return error === signal.reason || (error instanceof Error && error.name === 'AbortError')
  }

  /** Aborts the signal, also one that is created later. */
  abort(reason: DOMException): void {
    this.#abortReason = reason
    this.#signal?.abort(reason)
  }

  /**
   * The response is complete.
   * @param runner runs the functions that were deferred before, and those that are deferred later: by a deferred function, or by
   *   a handler whose time limit has passed.
   */
  ended(runner: DeferredRunner): void {
    this.#signal?.release()
    this.#afterEnd = runner
    const works = this.#deferred
    this.#deferred = null
    if (works !== null) runner.runDeferred(this, works)
  }

  requiresPassword(record: RecordOrId): Promise<boolean> {
    if (this.#outer !== null) return this.#outer.requiresPassword(record)
    return (this.#passwordChecks ??= new RecordPasswordChecks(this, this.#context)).requires(record)
  }

  /** Whether the response may depend on the password of a record that the sender has entered. */
  get dependsOnPassword(): boolean {
    return this.#passwordChecks !== null && this.#passwordChecks.dependsOnVisitor
  }

  /** The headers of a stream are sent. From now on `requiresPassword` rejects: the headers could not forbid caching any more. */
  streamBegins(): void {
    ;(this.#passwordChecks ??= new RecordPasswordChecks(this, this.#context)).markHeadersSent()
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

  get #files(): ParameterMap {
    return filesWithContext(this.parsed.files, this.#context.uploads)
  }
}
