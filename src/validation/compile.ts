import { unbound, type BindFunction } from '../base/bind-function.js'
import type { MaybePromise } from '../base/maybe-promise.js'
import { RestError } from '../http/rest-error.js'
import type { Validation } from '../http/http-request.js'
import type { RestRequest } from '../http/rest-request.js'
import { type ParameterMap, parameterMap } from '../http/variables.js'
import { floatsOf } from '../php/float-members.js'
import { fileArguments, isFileArgument, takeFiles } from './file-arguments.js'
import {
  type ArgumentCoercion,
  type ArgumentFunctions,
  coercionOf,
  type EarlyValidation,
  validatorOf,
} from './callbacks.js'
import { undeclaredArgument } from './problems.js'
import { invalidParameters, missingParameters, ArgumentRefusal } from './refusal.js'
import type { ArgumentRules, ArgumentSchema, SanitizeCallback } from './rules.js'
import { compileFileSchema, type CompiledSchema, compileSchema } from './schema.js'
import { limitWork, type LimitedWork, type WorkLimit } from './work-limit.js'

/** A request whose parameters can be read and replaced by source. */
export interface RequestParameters extends RestRequest, LimitedWork {
  /** Null until every parameter has been validated. */
  validation: Validation | null
  readonly parameters: {
    /** In order of precedence, the defaults last. `check` replaces their values by the coerced ones. */
    sources(): readonly ParameterMap[]
    /** Whether the value of {@link RestRequest.get_param} is a whole number that JSON has as a float. */
    isFloat(name: string): boolean
  }
}

/** The compiled rules of all arguments of an endpoint. */
export interface CompiledArguments {
  /** Whether one schema of a library validates all parameters together. The rules of the endpoint then describe it. */
  readonly hasLibrarySchema: boolean
  /** Every default that is not null, by the name of its argument. Each request copies them. */
  readonly defaults: Readonly<ParameterMap>
  /**
   * Validates every parameter, writes the coerced values back into the sources they came from, and records the rejected
   * names in the request's `validation`.
   * @returns `rest_missing_callback_param`, `rest_invalid_param` or `rest_params_too_complex`; null when all parameters are
   *   accepted. A promise only for an asynchronous schema of a library.
   * @throws every error of a callback that is not a RestError.
   */
  check(request: RequestParameters): MaybePromise<RestError | null>
  /**
   * The reader of the arguments of a request that was not accepted by `check`. It leaves the request unchanged. A schema of a
   * library runs at the first read.
   */
  reader(request: RestRequest & LimitedWork): ArgumentReader
}

/**
 * Validates and sanitises one value as `check` does.
 * @param value not null.
 * @returns the value for the handler, an {@link ArgumentRefusal}, or a {@link PendingValidation} for a value that an
 *   asynchronous schema of a library has not returned yet.
 * @throws every error of a callback or a function of a schema that is not a RestError.
 */
export type ArgumentReader = (name: string, value: unknown) => unknown

/** Stands for the value of an argument while an asynchronous schema validates the arguments. */
export class PendingValidation {
  /** Fulfilled when the reader has all values; rejected with the error of the schema. */
  readonly ended: Promise<void>

  constructor(ended: Promise<void>) {
    this.ended = ended
  }
}

/** Arguments declared by rules. `check` never returns a promise, because callbacks of rules are synchronous. */
export interface CompiledRules extends CompiledArguments {
  check(request: RequestParameters): RestError | null
}

/**
 * Compiles the arguments of an endpoint.
 * @param sanitizers the sanitisers that a `sanitize_callback` may name.
 * @param isClosed whether parameters without rules are refused, except captures of the path and those of the service.
 * @param bind binds validators and sanitisers.
 */
export function compileArguments(
  args: ArgumentSchema,
  sanitizers: ReadonlyMap<string, SanitizeCallback>,
  { isClosed = false, bind = unbound }: { readonly isClosed?: boolean; readonly bind?: BindFunction } = {},
): CompiledRules {
  const compiledArguments = Object.entries(args).map(([name, rules]) =>
    compileArgument(name, rules, { sanitizers, bind }),
  )
  const required = compiledArguments.filter((argument) => argument.required)
  const validations = compiledArguments.flatMap(({ name, early }) => (early ? [{ name, ...early }] : []))
  const coercions = new Map(compiledArguments.flatMap(({ name, coercion }) => (coercion ? [[name, coercion]] : [])))
  const files = fileArguments(args)
  const defaults = parameterMap()
  for (const [name, { default: fallback }] of Object.entries(args)) {
    if (fallback !== undefined && fallback !== null) defaults[name] = fallback
  }
  const accepted: Validation = { args, refused: new Set() }
  return {
    hasLibrarySchema: false,
    defaults: Object.freeze(defaults),
    check: (request) =>
      limitWork(request, (work) => {
        const valid: ValidValues = new Map()
        const problem =
          (files && takeFiles(files, request)) ??
          (isClosed ? undeclaredProblem(args, request, files ? request.get_file_params() : null) : null) ??
          missingProblem(required, request) ??
          validate(validations, request, valid, work)
        if (problem) return problem
        const refusals = coerce(coercions, request, valid, work)
        request.validation = refusals ? { args, refused: new Set(refusals.keys()) } : accepted
        return refusals && invalidParameters(refusals)
      }),
    reader: (request) => (name, value) => {
      const read = limitWork(request, (work) => {
        const early = validations.find((argument) => argument.name === name)
        const refusal = early?.validator(value, request, name, work)
        if (refusal) return refusal
        const coercion = coercions.get(name)
        if (!coercion) return value
        return (early?.includesSchema ? coercion.coerceValid : coercion.coerce)(value, request, name, work)
      })
      return read instanceof RestError ? new ArgumentRefusal(read) : read
    },
  }
}

/** Parameters of the service itself, such as `_fields`. */
export const isOfService = (name: string): boolean => name.startsWith('_') || name === 'rest_route'

/** A misspelt name is reported before the argument that is therefore missing. */
function undeclaredProblem(
  args: ArgumentSchema,
  request: RequestParameters,
  files: Readonly<ParameterMap> | null,
): RestError | null {
  const captures = request.get_url_params()
  const refusals = new Map<string, ArgumentRefusal>()
  const sources: readonly Readonly<ParameterMap>[] = request.parameters.sources()
  for (const source of files ? [...sources, files] : sources) {
    for (const name in source) {
      if (Object.hasOwn(args, name) || name in captures || isOfService(name)) continue
      if (refusals.size === maxUndeclared) break
      refusals.set(name, new ArgumentRefusal(undeclaredArgument(name, Object.keys(args))))
    }
  }
  return refusals.size === 0 ? null : invalidParameters(refusals)
}

/** Maximum number of undeclared names in an error. */
const maxUndeclared = 10

interface Argument {
  readonly name: string
  readonly required: boolean
  readonly early: EarlyValidation | null
  readonly coercion: ArgumentCoercion | null
}

function compileArgument(name: string, rules: ArgumentRules, functions: ArgumentFunctions): Argument {
  let schema: CompiledSchema | null = null
  const schemaOf = (): CompiledSchema =>
    (schema ??= isFileArgument(rules) ? compileFileSchema(rules) : compileSchema(rules))
  return {
    name,
    required: rules.required === true,
    early: validatorOf(rules, schemaOf, functions),
    coercion: coercionOf(rules, schemaOf, functions),
  }
}

function missingProblem(required: readonly Argument[], request: RequestParameters): RestError | null {
  const names: string[] = []
  for (const { name } of required) if (request.get_param(name) === null) names.push(name)
  return names.length === 0 ? null : missingParameters(names)
}

/** The values that the schemas of their arguments have accepted, by the name of the argument. */
type ValidValues = Map<string, unknown>

/** Runs the validators in the order of declaration. A null is not validated. @param valid gets the values that a schema accepted. */
function validate(
  validations: readonly (EarlyValidation & { readonly name: string })[],
  request: RequestParameters,
  valid: ValidValues,
  work: WorkLimit,
): RestError | null {
  let refusals: Map<string, ArgumentRefusal> | null = null
  for (const { name, validator, includesSchema } of validations) {
    const value = request.get_param(name)
    // Only JSON has numbers, so that values of other sources need no look-up.
    const isFloat = typeof value === 'number' && request.parameters.isFloat(name)
    const refusal = value === null ? null : validator(value, request, name, work, isFloat)
    if (refusal) refusals = (refusals ?? new Map<string, ArgumentRefusal>()).set(name, refusal)
    else if (includesSchema && value !== null) valid.set(name, value)
  }
  return refusals && invalidParameters(refusals)
}

/**
 * Whether the source has none of the coerced arguments; false for more than {@link maxLookups} of them, which are not looked
 * up. Most sources have none, and looking up a few names is faster than listing all names of a source.
 */
function hasNone(source: ParameterMap, coercions: ReadonlyMap<string, ArgumentCoercion>): boolean {
  if (coercions.size > maxLookups) return false
  for (const name of coercions.keys()) if (name in source) return false
  return true
}

const maxLookups = 4

/**
 * Coerces the arguments in every source, including values that a source of higher precedence overrides.
 * @param valid values that are not validated again.
 * @returns the refusals, in the order of the sources and of the names in them; null when there are none.
 */
function coerce(
  coercions: ReadonlyMap<string, ArgumentCoercion>,
  request: RequestParameters,
  valid: ReadonlyMap<string, unknown>,
  work: WorkLimit,
): ReadonlyMap<string, ArgumentRefusal> | null {
  if (coercions.size === 0) return null
  let refusals: Map<string, ArgumentRefusal> | null = null
  for (const source of request.parameters.sources()) {
    if (hasNone(source, coercions)) continue
    const floats = floatsOf(source)
    // A `ParameterMap` has no prototype, so `for … in` lists own names only.
    for (const name in source) {
      const coercion = coercions.get(name)
      if (!coercion) continue
      const sourceValue = source[name]
      const isValid = valid.has(name) && valid.get(name) === sourceValue
      const value = (isValid ? coercion.coerceValid : coercion.coerce)(
        sourceValue,
        request,
        name,
        work,
        floats?.has(name),
      )
      if (value instanceof ArgumentRefusal) refusals = (refusals ?? new Map<string, ArgumentRefusal>()).set(name, value)
      else source[name] = value
    }
  }
  return refusals
}
