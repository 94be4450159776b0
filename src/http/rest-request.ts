import type { Complaint } from '../base/complaint.js'
import type { Caller } from './caller.js'
import type { RecordOrId } from './record-password-checks.js'
import type { RequestLog } from './request-log.js'
import type { DeferredWork } from './request-context.js'
import type { UploadedFile } from './uploaded-file.js'
import type { MismatchedRead, OnlyOnMismatch, UnknownNameSentence } from './reading.js'

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
  /** This overload applies where another type is expected: the compiler's message says why the value does not have it. */
  get_param<Params extends object, N extends keyof Params & string, Expected = unknown>(
    this: RestRequest<Params>,
    name: N,
    ...only: OnlyOnMismatch<Params[N], Expected>
  ): MismatchedRead<Params[N], Expected, N>
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
   * `fetch(address, { signal: request.signal })`. On a route with `cache`, several requests may
   * share one response: it aborts when the last of them has left or is over its time limit.
   */
  readonly signal: AbortSignal
  /**
   * Runs `work` after the response was sent, as the same user. The stop of the service waits for it within the grace period. When
   * it fails, the log has the error with the id of the request. It runs also when the handler throws later.
   * @throws an error that is answered with 503 when 1,000 deferred functions wait or run.
   */
  defer(work: DeferredWork): void
  /**
   * Whether the sender has to enter the password of a record before its content and excerpt may be shown: WordPress's
   * `post_password_required()`. False for a record without a password, for one that does not exist, for a visitor who has
   * entered the password in WordPress's form (a cookie says so), and for a user who may edit the record.
   *
   * When the record has a password, the response is sent with `Cache-Control: no-store, private`. On a route with `cache`, anonymous
   * visitors without such a cookie share one response, with the `Cache-Control` of the route and a `Vary` that has `Cookie`; visitors with
   * such a cookie get no responses of the response cache. A page of another site, which sends another `Origin` or `_jsonp`, gets
   * no more than a visitor without the cookie, unless the option `cors` lists its origin.
   * @param record a record of the store, or its id.
   * @throws TypeError without an id. @throws HasherBusyError, answered with 503, when too many passwords wait to be checked.
   * @throws Error within the body of a stream, whose headers are sent already.
   */
  requiresPassword(record: RecordOrId): Promise<boolean>
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
