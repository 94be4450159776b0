import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { pathTemplates, templateText } from '../../src/documents/path-templates.js'
import type { OpenApiDocument } from '../../src/documents/openapi-document.js'
import { headerOf, type WireResponse } from '../support/http-connection.js'
import { handlerSchemas } from './success-schemas.js'
import type { FuzzRequest } from './requests.js'
import type { Operation } from './route-table.js'

interface ResponseObject {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>
}

/** The statuses of an operation with the check of their bodies; null where the document has no schema. */
type ResponseChecks = ReadonlyMap<string, ValidateFunction | null>

/** What no response may contain: a trace, or a path of the machine. */
const leak =
  /\bat (?:async )?[\w$.<>]+ \((?:file|node|\/)|node_modules|file:\/\/\/|\/src\/[a-z-]+\/[a-z-]+\.ts|SQLITE_|ERR_[A-Z]+_/

/** Faults of the authorize page are answered with 500, as in WordPress. */
const authorizePage = '/wp-admin/authorize-application.php'

/** The errors that only handlers of the shop and of the service answer with. */
const handlerErrors: ReadonlySet<number> = new Set([409, 410, 422, 501])

/** Compares responses with the OpenAPI document of the service, whose schemas are compiled once. */
export class ResponseCheck {
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false })
  readonly #compiled = new Map<string, ValidateFunction>()
  readonly #operations = new Map<string, ResponseChecks>()
  readonly #handlers = new Map<string, ValidateFunction>()
  /** The operations whose successes all have a schema. */
  readonly #knownSuccesses = new Set<string>()
  readonly #document: OpenApiDocument
  #comparedBodies = 0
  /** The responses that requests without a known operation may have. */
  readonly #general: ResponseChecks

  constructor(document: OpenApiDocument, operations: readonly Operation[]) {
    this.#document = document
    this.#ajv.addSchema({ $id: 'document:', ...document })
    for (const { method, pattern } of operations) {
      const checks = this.#declaredChecks(method, pattern)
      if (checks) this.#operations.set(`${method} ${pattern}`, checks)
    }
    const statuses = new Map<string, ValidateFunction | null>([['2XX', null]])
    for (const checks of this.#operations.values())
      // Each operation has successes of its own; the body of an error is the same everywhere.
      for (const [status, check] of checks)
        statuses.set(status, Number(status) < 400 ? null : (check ?? statuses.get(status) ?? null))
    this.#general = statuses
    for (const [name, schemas] of Object.entries(handlerSchemas))
      for (const [status, schema] of Object.entries(schemas)) {
        this.#handlers.set(`${name} ${status}`, this.#ajv.compile(schema))
        if (Number(status) < 400) this.#knownSuccesses.add(name)
      }
  }

  /** How many bodies of successes were compared with a schema. */
  get comparedBodies(): number {
    return this.#comparedBodies
  }

  /** How many operations have a description of their own. */
  get describedCount(): number {
    return this.#operations.size
  }

  #declaredChecks(method: string, pattern: string): ResponseChecks | null {
    const paths = (pathTemplates(pattern) ?? []).map(({ pieces }) => templateText(pieces))
    const path = paths.find((candidate) => this.#document.paths[candidate]?.[method.toLowerCase()] !== undefined)
    if (path === undefined) return null
    const declared = this.#document.paths[path]?.[method.toLowerCase()] as {
      readonly responses: Readonly<Record<string, ResponseObject>>
    }
    return new Map(Object.entries(declared.responses).map(([status, response]) => [status, this.#compile(response)]))
  }

  #compile(response: ResponseObject): ValidateFunction | null {
    const resolved = response.$ref === undefined ? response : (this.#resolve(response.$ref) as ResponseObject)
    const schema = resolved.content?.['application/json']?.schema
    if (schema === undefined) return null
    const text = JSON.stringify(schema).replaceAll('"#/', '"document:#/')
    let compiled = this.#compiled.get(text)
    if (!compiled) this.#compiled.set(text, (compiled = this.#ajv.compile(JSON.parse(text) as object)))
    return compiled
  }

  #resolve(reference: string): unknown {
    let schema: unknown = this.#document
    for (const name of reference.slice(2).split('/')) schema = (schema as Readonly<Record<string, unknown>>)[name]
    return schema
  }

  /** @returns what is wrong with the response; null when nothing is. */
  faultOf(request: FuzzRequest, response: WireResponse): string | null {
    const { status, body } = response
    const text = body.toString('utf8')
    const [match] = leak.exec(text) ?? []
    if (match !== undefined && !sentText(request).includes(match)) return `The body shows ${JSON.stringify(match)}.`
    if (headerOf(response, 'x-request-id') === null && status < 400) return 'There is no X-Request-Id.'
    if (status >= 500) {
      const isDeclared = status === 503 || status === 501 || request.target.startsWith(authorizePage)
      if (!isDeclared) return `The status is ${status}.`
      if (status === 503 && headerOf(response, 'retry-after') === null) return 'A 503 has no Retry-After.'
    }
    if (request.method === 'HEAD') return body.length === 0 ? null : 'The response to HEAD has a body.'
    const type = headerOf(response, 'content-type') ?? ''
    if (type.startsWith('application/javascript')) return this.#scriptFault(request, status, text)
    if (type.startsWith('application/json')) return this.#jsonFault(request, status, text)
    if (/^(?:text|image)\/|^application\/(?:octet-stream|x-empty)/.test(type) || body.length === 0) return null
    return `The content type is ${JSON.stringify(type)}.`
  }

  #scriptFault(request: FuzzRequest, status: number, text: string): string | null {
    if (text === '') return null
    const [, inner] = /^\/\*\*\/[\w.]+\(([\s\S]*)\)$/.exec(text) ?? []
    if (inner !== undefined) return this.#jsonFault(request, status, inner)
    return text.startsWith('{"code":"rest_callback_invalid",') ? null : 'The body is no call of a function.'
  }

  #jsonFault(request: FuzzRequest, status: number, text: string): string | null {
    if (text === '') return status < 400 || isServedAsHead(request) ? null : 'An error has no body.'
    if (/[^\n\x20-\x7f]/.test(text)) return 'JSON has bytes beyond ASCII.'
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return 'The body is no JSON.'
    }
    const enveloped = envelopeIn(value)
    if (status === 200 && enveloped && /[?&](?:_envelope|%5Fenvelope)/i.test(request.target))
      return this.#bodyFault(request, enveloped.status, enveloped.body)
    return this.#bodyFault(request, status, value)
  }

  #bodyFault(request: FuzzRequest, status: number, body: unknown): string | null {
    if (status === 207) {
      const { responses } = body as { readonly responses?: unknown }
      // `_fields` may have left them out.
      for (const item of Array.isArray(responses) ? (responses as readonly unknown[]) : []) {
        const inner = envelopeIn(item)
        const fault = inner && this.#bodyFault({ ...request, operation: null, target: '/' }, inner.status, inner.body)
        if (fault) return `In an item of a batch: ${fault}`
      }
      return null
    }
    const { operation } = request
    const name = operation === null ? '' : `${operation.method} ${operation.pattern}`
    const checks = this.#operations.get(name) ?? this.#general
    // The document has a class for the errors of handlers. An error of the service must be there with its own status.
    const isOfClass = !checks.has(String(status)) && (status < 400 || handlerErrors.has(status))
    const check = checks.get(isOfClass ? `${Math.floor(status / 100)}XX` : String(status))
    const own = this.#handlers.get(`${name} ${status}`)
    if (check === undefined && own === undefined) return `The OpenAPI document does not list the status ${status}.`
    if (status < 400) {
      if (own === undefined && this.#knownSuccesses.has(name)) return `The success of ${name} is not ${status}.`
      if (!isWhole(request)) return null
      const described = [own, check].filter((schema) => schema !== undefined && schema !== null)
      if (described.length > 0) this.#comparedBodies += 1
      const broken = described.find((schema) => !schema(body))
      return broken ? `The body of ${name} is not as declared: ${this.#ajv.errorsText(broken.errors)}` : null
    }
    if (own?.(body) === true) return null
    if (check && !check(body)) {
      // A handler of the shop answers with a body of its own where the operation is not known.
      if (operation === null && /^\{"error":"[^"]+"\}$/.test(JSON.stringify(body))) return null
      return `The error body is not that of the document: ${this.#ajv.errorsText(check.errors)}`
    }
    const { data } = body as { readonly data?: { readonly status?: unknown } | null }
    if (data?.status !== undefined && data.status !== status) return 'The status of the body is another one.'
    return null
  }
}

function envelopeIn(value: unknown): { readonly status: number; readonly body: unknown } | null {
  if (typeof value !== 'object' || value === null) return null
  const { body, status, headers } = value as { body?: unknown; status?: unknown; headers?: unknown }
  return body !== undefined && headers !== undefined && typeof status === 'number' ? { status, body } : null
}

function isServedAsHead({ target, headers }: FuzzRequest): boolean {
  return /[?&]_method=head/i.test(target) || headers.some(([, value]) => value.toUpperCase() === 'HEAD')
}

/** Whether the request, its query and its body, leaves the choice of the fields to the service. */
function isWhole({ target, body }: FuzzRequest): boolean {
  const selects = /_fields|_embed|%5F/i
  return !selects.test(target.slice(target.indexOf('?'))) && !selects.test(body?.toString('latin1') ?? '')
}

/** What the client itself sent may come back. */
function sentText({ target, headers, body }: FuzzRequest): string {
  return `${target}\n${headers.map(([, value]) => value).join('\n')}\n${body?.toString('latin1') ?? ''}`
}
