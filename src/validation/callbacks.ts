import type { BindFunction } from '../base/bind-function.js'
import { ignoreFailures, isThenable } from '../base/thenable.js'
import { type Problem, RestError } from '../http/rest-error.js'
import type { RestRequest } from '../http/rest-request.js'
import { hasTooManyItems, maxListItems } from '../sanitizers/lists.js'
import { tooManyItems } from './problems.js'
import { ArgumentRefusal } from './refusal.js'
import type { ArgumentRules, SanitizeCallback, ValidateCallback } from './rules.js'
import type { CompiledSchema } from './schema.js'
import type { WorkLimit } from './work-limit.js'

/** Validates the value of an argument as `get_param` returns it. Null accepts the value. `work` and `isFloat` as in `CompiledType`. */
export type Validator = (
  value: unknown,
  request: RestRequest,
  name: string,
  work: WorkLimit,
  isFloat?: boolean,
) => ArgumentRefusal | null

/** Returns the value for the handler, from the value of one parameter source; or an {@link ArgumentRefusal}. */
export type Coercer = (
  value: unknown,
  request: RestRequest,
  name: string,
  work: WorkLimit,
  isFloat?: boolean,
) => unknown

/** What is validated of an argument before any parameter source is sanitised. */
export interface EarlyValidation {
  readonly validator: Validator
  /** Whether the validator includes that of the schema, so that an accepted value needs no second validation. */
  readonly includesSchema: boolean
}

/** Coerces the value that an argument has in one parameter source. */
export interface ArgumentCoercion {
  /** For any value. If the argument has a type, the schema validates the value first. */
  readonly coerce: Coercer
  /** For a value that the schema has accepted. */
  readonly coerceValid: Coercer
}

/** What the arguments of all endpoints of an application share. */
export interface ArgumentFunctions {
  /** The sanitisers that a `sanitize_callback` may name. */
  readonly sanitizers: ReadonlyMap<string, SanitizeCallback>
  /** Binds validators, sanitisers, and the functions of schemas of libraries. */
  readonly bind: BindFunction
}

/** WordPress's callback names that stand for validation or coercion by the schema. */
export const schemaCallbacks = {
  validate: 'rest_validate_request_arg',
  sanitize: 'rest_sanitize_request_arg',
  parse: 'rest_parse_request_arg',
} as const

const isInPlaceOfSchema = Symbol('in place of the schema')

/**
 * Lets a sanitiser of a built-in endpoint validate a value in place of the schema. As in WordPress, the schema then only describes
 * the argument. Applications cannot use it: the rules that they declare always apply.
 */
export const inPlaceOfSchema = <Sanitizer extends SanitizeCallback>(sanitizer: Sanitizer): Sanitizer =>
  Object.assign(sanitizer, { [isInPlaceOfSchema]: true })

/** Whether the schema validates the value of an argument. */
const isValidatedBySchema = (rules: ArgumentRules): boolean =>
  hasType(rules) && !(typeof rules.sanitize_callback === 'function' && isInPlaceOfSchema in rules.sanitize_callback)

/**
 * The validator of an argument's `validate_callback`. As in WordPress, it runs before any parameter source is sanitised. An
 * argument with a type and a sanitiser that declares no validator is validated by its schema here, and not again when it
 * is coerced.
 * @param schemaOf returns the compiled `rules`.
 * @returns null when nothing is validated before the coercion.
 */
export function validatorOf(
  rules: ArgumentRules,
  schemaOf: () => CompiledSchema,
  { bind }: ArgumentFunctions,
): EarlyValidation | null {
  const { validate_callback: validator } = rules
  if (typeof validator === 'function') return { validator: callbackValidator(bind(validator)), includesSchema: false }
  if (validator !== schemaCallbacks.validate && !(hasSanitizer(rules) && isValidatedBySchema(rules))) return null
  const schema = schemaOf()
  return {
    validator: (value, _, name, work, isFloat) => refusalOf(schema.validate(value, name, isFloat, work)),
    includesSchema: true,
  }
}

/**
 * The coercion of an argument, which runs for every parameter source that has the argument. It validates the value by
 * the schema and then coerces it by the schema or by `sanitize_callback`. A `sanitize_callback` never replaces
 * validation, unlike in WordPress: declared rules would otherwise have no effect.
 * @param schemaOf returns the compiled `rules`.
 * @returns null when values stay unchanged.
 */
export function coercionOf(
  rules: ArgumentRules,
  schemaOf: () => CompiledSchema,
  functions: ArgumentFunctions,
): ArgumentCoercion | null {
  const { sanitize_callback: sanitizer, validate_callback: validator } = rules
  if (!hasSanitizer(rules))
    return hasType(rules) || sanitizer === schemaCallbacks.parse ? parsingCoercion(schemaOf()) : null
  const sanitize = sanitizerOf(sanitizer, schemaOf, functions)
  if (!isValidatedBySchema(rules) && validator !== schemaCallbacks.validate)
    return sanitize && { coerce: sanitize, coerceValid: sanitize }
  const coerceValid = sanitize ?? unchanged
  return { coerce: validatingCoercer(schemaOf(), coerceValid), coerceValid }
}

function sanitizerOf(
  sanitizer: ArgumentRules['sanitize_callback'],
  schemaOf: () => CompiledSchema,
  { sanitizers, bind }: ArgumentFunctions,
): Coercer | null {
  if (typeof sanitizer === 'function') return callbackCoercer(bind(sanitizer))
  if (typeof sanitizer !== 'string' || sanitizer === '') return null
  const namedSanitizer = sanitizers.get(sanitizer)
  if (namedSanitizer)
    return listSanitizers.has(sanitizer) ? listCoercer(namedSanitizer) : callbackCoercer(namedSanitizer)
  if (sanitizer === schemaCallbacks.sanitize) return schemaCoercer(schemaOf())
  return () => {
    throw new TypeError(`There is no sanitiser '${sanitizer}'.`)
  }
}

const unchanged: Coercer = (value) => value

/**
 * Validates before it sanitises. A null is sanitised first, and the result (`''`, 0 or false) must pass the schema. A
 * sanitiser that returns null for it leaves the argument absent.
 */
function validatingCoercer(schema: CompiledSchema, sanitize: Coercer): Coercer {
  return (value, request, name, work, isFloat) => {
    if (value !== null)
      return refusalOf(schema.validate(value, name, isFloat, work)) ?? sanitize(value, request, name, work, isFloat)
    const result = sanitize(value, request, name, work)
    if (result instanceof ArgumentRefusal || (result === null && sanitize !== unchanged)) return result
    return refusalOf(schema.validate(result, name, false, work)) ?? result
  }
}

/** Whether values are validated by the schema. WordPress validates arguments with a type only. */
export function hasType({ type }: ArgumentRules): boolean {
  return typeof type === 'object' && type !== null ? Object.keys(type).length > 0 : Boolean(type)
}

/**
 * Whether the argument declares its own sanitiser. `null` and `''` count: they declare that the value stays unchanged.
 * WordPress's default sanitiser by name does not count.
 */
export function hasSanitizer({ sanitize_callback: sanitizer }: ArgumentRules): boolean {
  return sanitizer !== undefined && sanitizer !== schemaCallbacks.parse
}

function callbackValidator(callback: ValidateCallback): Validator {
  return (value, request, name) => {
    const result = resultOf(callback, value, request, name)
    if (result === false) return new ArgumentRefusal(null)
    return result instanceof ArgumentRefusal ? result : null
  }
}

const callbackCoercer =
  (callback: SanitizeCallback): Coercer =>
  (value, request, name) =>
    resultOf(callback, value, request, name)

/** Sanitisers whose work grows with the number of items in a text. */
const listSanitizers = new Set(['wp_parse_list', 'wp_parse_id_list', 'wp_parse_slug_list'])

function listCoercer(callback: SanitizeCallback): Coercer {
  const coerce = callbackCoercer(callback)
  return (value, request, name, work) =>
    hasTooManyItems(value) ? new ArgumentRefusal(tooManyItems(name, maxListItems)) : coerce(value, request, name, work)
}

/**
 * Calls a callback.
 * @returns its result; an {@link ArgumentRefusal} when it returns or throws a RestError.
 */
function resultOf(callback: SanitizeCallback, value: unknown, request: RestRequest, name: string): unknown {
  let result: unknown
  try {
    result = callback(value, request, name)
  } catch (error) {
    if (error instanceof RestError) return new ArgumentRefusal(error)
    throw error
  }
  if (result instanceof RestError) return new ArgumentRefusal(result)
  // A promise is truthy, so an asynchronous validator would accept every value.
  // A list of promises is what `map` makes with an asynchronous function.
  if (isThenable(result) || (Array.isArray(result) && result.some(isThenable))) {
    ignoreFailures(result)
    throw new TypeError(`A callback of the argument '${name}' must not be asynchronous.`)
  }
  return result
}

function parsingCoercion(schema: CompiledSchema): ArgumentCoercion {
  const coerceValid = schemaCoercer(schema)
  return {
    coerce: (value, request, name, work, isFloat) =>
      refusalOf(schema.validate(value, name, isFloat, work)) ?? coerceValid(value, request, name, work, isFloat),
    coerceValid,
  }
}

function schemaCoercer(schema: CompiledSchema): Coercer {
  return (value, _, name, work, isFloat) => {
    const { value: coerced, problem } = schema.sanitize(value, name, isFloat, work)
    return problem === null ? coerced : new ArgumentRefusal(problem)
  }
}

const refusalOf = (problem: Problem | null): ArgumentRefusal | null =>
  problem === null ? null : new ArgumentRefusal(problem)
