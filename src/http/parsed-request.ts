import type { RestError } from './rest-error.js'
import { isJsonType, mediaTypeOf } from './content-type.js'
import type { IncomingRequest } from './exchange.js'
import { copyFloats } from '../php/float-members.js'
import { mergedParameters, postedForm, unpostedForm } from './form-body.js'
import { readJson, type JsonBody } from './json-body.js'
import { acceptsForm, methodOf } from './method.js'
import type { MultipartForm } from './multipart.js'
import { parseQuery, type ParameterMap, type ParsedVariables } from './query.js'
import { parameterMap, noParameters } from './variables.js'

/** A request with decoded parameter sources, before routing. */
export interface ParsedRequest {
  /** The effective method, after any override. */
  readonly method: string
  /** The method comes from the header `X-HTTP-Method-Override`. */
  readonly overridden: boolean
  readonly query: ParameterMap
  /**
   * The form of a POST without regard to overrides; empty for other methods. WordPress reads `_wpnonce` from no other
   * body.
   */
  readonly posted: Readonly<ParameterMap>
  /** The form of any method. */
  readonly form: ParameterMap
  /** Uploads of a POST, in the shape of PHP's `$_FILES`: see `MultipartForm`. */
  readonly files: ParameterMap
  /** The number of uploads in the form, once it is read. */
  readonly fileCount: number
  /** The body's content type is JSON. */
  readonly isJson: boolean
  /** The decoded JSON body: any JSON value; null without one. */
  readonly jsonValue: unknown
  /** The JSON body as parameters: members of a map, items of a list by index, a scalar as `0`; null without a body. */
  readonly json: ParameterMap | null
  /**
   * An exceeded limit of a source, or a syntax error in JSON; null without one. It is reported once a route matches.
   */
  readonly problem: RestError | null
}

/** Decodes the query immediately, because it may contain the method. The body is decoded on first access. */
export function parseRequest(incoming: IncomingRequest): ParsedRequest {
  return new IncomingSources(incoming)
}

class IncomingSources implements ParsedRequest {
  readonly method: string
  readonly overridden: boolean
  readonly isJson: boolean
  readonly #incoming: IncomingRequest
  readonly #query: ParsedVariables
  #posted: MultipartForm | null = null
  #form: ParsedVariables | null = null
  #json: JsonBody | null = null
  #jsonParameters: ParameterMap | null | undefined

  constructor(incoming: IncomingRequest) {
    this.#incoming = incoming
    this.#query = parseQuery(incoming.query)
    const { method, overridden } = methodOf(incoming.method, this.#query.parameters, incoming.headers)
    this.method = method
    this.overridden = overridden
    this.isJson = isJsonType(mediaTypeOf(this.#contentType))
  }

  get query(): ParameterMap {
    return this.#query.parameters
  }

  get posted(): Readonly<ParameterMap> {
    return this.#incoming.method === 'POST' ? this.#post.fields : noParameters
  }

  get form(): ParameterMap {
    return this.#wholeForm.parameters
  }

  get files(): ParameterMap {
    return this.#post.files
  }

  get fileCount(): number {
    return this.#posted?.fileCount ?? 0
  }

  get jsonValue(): unknown {
    return this.#jsonBody.value
  }

  get json(): ParameterMap | null {
    if (this.#jsonParameters === undefined) this.#jsonParameters = membersOf(this.#jsonBody.value)
    return this.#jsonParameters
  }

  get problem(): RestError | null {
    const problem = this.#query.problem ?? this.#jsonBody.problem
    return problem ?? (acceptsForm(this.method) ? this.#wholeForm.problem : null)
  }

  get #contentType(): string | undefined {
    return this.#incoming.headers['content-type']
  }

  get #post(): MultipartForm {
    const { form, method, body } = this.#incoming
    this.#posted ??= form ?? postedForm(method, this.#contentType, body)
    return this.#posted
  }

  get #wholeForm(): ParsedVariables {
    if (this.#form) return this.#form
    const { fields, problem } = this.#post
    const other = unpostedForm(this.method, this.#contentType, this.#incoming.body)
    this.#form = other
      ? { parameters: mergedParameters(other.parameters, fields), problem: problem ?? other.problem }
      : { parameters: fields, problem }
    return this.#form
  }

  get #jsonBody(): JsonBody {
    this.#json ??= this.isJson ? readJson(this.#incoming.body) : { value: null, problem: null }
    return this.#json
  }
}

function membersOf(value: unknown): ParameterMap | null {
  if (value === null) return null
  if (Array.isArray(value)) {
    const members = parameterMap({ ...value })
    copyFloats(value, members)
    return members
  }
  return typeof value === 'object' ? (value as ParameterMap) : parameterMap({ 0: value })
}
