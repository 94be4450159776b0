import { unbound, type BindFunction } from '../base/bind-function.js'
import { hasRawBody } from '../http/raw-body.js'
import type { RestResponse } from '../http/rest-response.js'
import { checkerOf, type Checker } from './response-checker.js'
import { Emission, emitterOf, withBody, type Emitter } from './response-emitter.js'
import type { DeclaredResponseSchemas } from './described-rules.js'
import type { ArgumentRules } from './rules.js'
import { standardChecker, standardEmitter } from './standard-response.js'
import { isStandardSchema } from './standard-schema.js'

/** Schemas of responses by status. */
export type ResponseSchemas = Readonly<Record<number, ArgumentRules>>

/** A response with the described members of its body, and no others. */
export interface DeclaredResponse {
  readonly response: RestResponse
  /** Whether `JSON.stringify` writes the body as PHP does, apart from escapes in strings. */
  readonly isPlain: boolean
  /** Whether the body is not one that its schema describes. Only {@link CompiledResponses.faultOf} checks limits such as `maximum`. */
  readonly isFaulty: boolean
  /** Whether no part of a faulty body may be sent: a schema of a library does not say which parts are valid. */
  readonly isRefused: boolean
}

/** The compiled response schemas of an endpoint. */
export interface CompiledResponses {
  /** @param response JSON. Other bodies are not described by a schema, and returned as they are. */
  declared(response: RestResponse): DeclaredResponse
  /** What is wrong with a response, in a sentence; null when nothing is. */
  faultOf(response: RestResponse): string | null
}

interface CompiledResponse {
  readonly emit: Emitter
  /** Compiled when it is needed: in production, only for a body that is not as declared. */
  readonly check: () => Checker
  /** Whether it is a schema of a library, which accepts or refuses the body as a whole. */
  readonly hasLibrarySchema: boolean
}

/** Statuses of responses without a body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

/** @param bind binds the functions of schemas of libraries. */
export function compileResponses(schemas: DeclaredResponseSchemas, bind: BindFunction = unbound): CompiledResponses {
  const byStatus = new Map<number, CompiledResponse>()
  for (const [status, rules] of Object.entries(schemas)) {
    if (isStandardSchema(rules)) {
      const checker = standardChecker(rules, bind)
      byStatus.set(Number(status), { emit: standardEmitter(rules, bind), check: () => checker, hasLibrarySchema: true })
      continue
    }
    let check: Checker | null = null
    byStatus.set(Number(status), {
      emit: emitterOf(rules),
      check: () => (check ??= checkerOf(rules)),
      hasLibrarySchema: false,
    })
  }
  const hasNoSchema = (response: RestResponse): boolean =>
    bodiless.has(response.status) ||
    hasRawBody(response) ||
    ((response.body === null || response.body === undefined) && !byStatus.has(response.status))
  return {
    declared(response) {
      if (hasNoSchema(response)) return { response, isPlain: false, isFaulty: false, isRefused: false }
      const schema = byStatus.get(response.status)
      // Nothing is declared of the body, so nothing of it is sent.
      if (schema === undefined)
        return { response: withBody(response, null), isPlain: false, isFaulty: true, isRefused: false }
      const emission = new Emission()
      const body = schema.emit(response.body ?? null, emission)
      const { isPlain, isFaulty } = emission
      return { response: withBody(response, body), isPlain, isFaulty, isRefused: isFaulty && schema.hasLibrarySchema }
    },
    faultOf(response) {
      if (hasNoSchema(response)) return null
      const schema = byStatus.get(response.status)
      if (schema !== undefined) return schema.check()(response.body ?? null, 'body')
      return `'responses' does not declare the status ${response.status}. Add a schema for it, or return another status.`
    },
  }
}
