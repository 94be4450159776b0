import type { RestError } from '../http/rest-error.js'
import type { RestRequest, Validation } from '../http/rest-request.js'
import { type Bag, bagOf } from '../http/variables.js'
import { hasSanitizer, type Validator, validatorOf, type Coercer, coercerOf } from './callbacks.js'
import { invalidParameters, missingParameters, ArgumentRefusal } from './refusal.js'
import type { ArgumentRules, ArgumentSchema, SanitizeCallback } from './rules.js'
import { type CompiledSchema, compileSchema } from './schema.js'

/** What the rules need of a request: its parameters by source, besides what callbacks are handed. */
export interface RequestParameters extends RestRequest {
  /** Null until every parameter has been validated. */
  validation: Validation | null
  readonly parameters: {
    /** Strongest first, the defaults last. Checking stores the values that handlers read back into them. */
    sources(): readonly Bag[]
  }
}

/** The rules of all arguments of an endpoint. */
export interface CompiledArguments {
  /** Every default that is not null, as declared, by the name of its argument; a request takes a copy. */
  readonly defaults: Readonly<Bag>
  /**
   * Validates every parameter, stores what handlers read back into the source it came from, and notes in the request's
   * `validation` what was refused.
   * @returns `rest_missing_callback_param` or `rest_invalid_param`; null when everything is accepted.
   * @throws whatever a callback throws that is not a RestError.
   */
  check(request: RequestParameters): RestError | null
  /**
   * Validates and sanitises one value as `check` does, without storing it.
   * @param value not null.
   * @returns what a handler would read, or an {@link ArgumentRefusal}.
   * @throws whatever a callback throws that is not a RestError.
   */
  read(name: string, value: unknown, request: RestRequest): unknown
}

/**
 * Compiles the arguments of an endpoint.
 * @param sanitizers what a `sanitize_callback` may name.
 */
export function compileArguments(
  args: ArgumentSchema,
  sanitizers: ReadonlyMap<string, SanitizeCallback>,
): CompiledArguments {
  const all = Object.entries(args).map(([name, rules]) => compileArgument(name, rules, sanitizers))
  const required = all.filter((argument) => argument.required)
  const judged = all.flatMap(({ name, judge }) => (judge ? [{ name, judge }] : []))
  const settled = new Map(all.flatMap(({ name, settle }) => (settle ? [[name, settle]] : [])))
  const sanitised = Object.keys(args).filter((name) => hasSanitizer(args[name] ?? {}))
  const defaults = bagOf()
  for (const [name, { default: fallback }] of Object.entries(args)) {
    if (fallback !== undefined && fallback !== null) defaults[name] = fallback
  }
  const accepted: Validation = { args, refused: new Set() }
  return {
    defaults: Object.freeze(defaults),
    check(request) {
      const problem = missing(required, request) ?? judge(judged, request)
      if (problem) return problem
      const refusals = settle(settled, request)
      request.validation = refusals ? { args, refused: new Set(refusals.keys()) } : accepted
      return refusals && invalidParameters(withFirst(sanitised, refusals))
    },
    read(name, value, request) {
      const refusal = judged.find((argument) => argument.name === name)?.judge(value, request, name)
      if (refusal) return refusal
      const settledOf = settled.get(name)
      return settledOf ? settledOf(value, request, name) : value
    },
  }
}

interface Argument {
  readonly name: string
  readonly required: boolean
  readonly judge: Validator | null
  readonly settle: Coercer | null
}

function compileArgument(
  name: string,
  rules: ArgumentRules,
  sanitizers: ReadonlyMap<string, SanitizeCallback>,
): Argument {
  let schema: CompiledSchema | null = null
  const schemaOf = (): CompiledSchema => (schema ??= compileSchema(rules))
  return {
    name,
    required: rules.required === true,
    judge: validatorOf(rules, schemaOf),
    settle: coercerOf(rules, schemaOf, sanitizers),
  }
}

function missing(required: readonly Argument[], request: RequestParameters): RestError | null {
  const names: string[] = []
  for (const { name } of required) if (request.get_param(name) === null) names.push(name)
  return names.length === 0 ? null : missingParameters(names)
}

/** In the order of declaration, the value that counts; a null is not judged. */
function judge(
  judged: readonly { readonly name: string; readonly judge: Validator }[],
  request: RequestParameters,
): RestError | null {
  let refusals: Map<string, ArgumentRefusal> | null = null
  for (const { name, judge: refusalOf } of judged) {
    const value = request.get_param(name)
    const refusal = value === null ? null : refusalOf(value, request, name)
    if (refusal) refusals = (refusals ?? new Map<string, ArgumentRefusal>()).set(name, refusal)
  }
  return refusals && invalidParameters(refusals)
}

/** To list the names of a source costs more than to look for a few, and most sources have none of them. */
function hasNone(source: Bag, settled: ReadonlyMap<string, Coercer>): boolean {
  if (settled.size > fewNames) return false
  for (const name of settled.keys()) if (name in source) return false
  return true
}

const fewNames = 4

/** A value that a stronger source hides is judged too. @returns the refusals, in the order of the sources and of the names in them. */
function settle(
  settled: ReadonlyMap<string, Coercer>,
  request: RequestParameters,
): ReadonlyMap<string, ArgumentRefusal> | null {
  if (settled.size === 0) return null
  let refusals: Map<string, ArgumentRefusal> | null = null
  for (const source of request.parameters.sources()) {
    if (hasNone(source, settled)) continue
    // Bags have no prototype, so that these are their own names.
    for (const name in source) {
      const settledOf = settled.get(name)
      if (!settledOf) continue
      const value = settledOf(source[name], request, name)
      if (value instanceof ArgumentRefusal) refusals = (refusals ?? new Map<string, ArgumentRefusal>()).set(name, value)
      else source[name] = value
    }
  }
  return refusals
}

/**
 * @param names arguments with a sanitiser, as declared: their faults come first, in this order (recorded
 * `arguments-0929`).
 */
function withFirst(
  names: readonly string[],
  refusals: ReadonlyMap<string, ArgumentRefusal>,
): ReadonlyMap<string, ArgumentRefusal> {
  const first = names.flatMap((name) => {
    const refusal = refusals.get(name)
    return refusal ? [[name, refusal] as const] : []
  })
  return new Map([...first, ...refusals])
}
