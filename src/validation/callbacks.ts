import { type Problem, RestError } from '../http/rest-error.js'
import type { RestRequest } from '../http/rest-request.js'
import { ArgumentRefusal } from './refusal.js'
import type { ArgumentRules, SanitizeCallback, ValidateCallback } from './rules.js'
import type { CompiledSchema } from './schema.js'

/** Judges the value that counts; null accepts. */
export type Validator = (value: unknown, request: RestRequest, name: string) => ArgumentRefusal | null

/** Makes the value that the handler reads of the value of one source, or refuses it. */
export type Coercer = (value: unknown, request: RestRequest, name: string) => unknown

/** WordPress's names for the schema itself as a callback. */
export const schemaCallbacks = {
  validate: 'rest_validate_request_arg',
  sanitize: 'rest_sanitize_request_arg',
  parse: 'rest_parse_request_arg',
} as const

/**
 * What judges an argument before any source is sanitised: its `validate_callback`
 * (docs/wire.md#the-phases-of-validation).
 * @param schemaOf compiles `rules`.
 */
export function validatorOf(rules: ArgumentRules, schemaOf: () => CompiledSchema): Validator | null {
  const { validate_callback: declared } = rules
  if (typeof declared === 'function') return callbackValidator(declared)
  if (declared !== schemaCallbacks.validate) return null
  const schema = schemaOf()
  return (value, _, name) => refusalOf(schema.validate(value, name))
}

/**
 * What is done to the argument in every source that has it: validation by its schema, then coercion by its schema or its
 * `sanitize_callback`, which never takes the place of validation (docs/wordpress.md#on-purpose). Null: nothing.
 * @param schemaOf compiles `rules`.
 */
export function coercerOf(
  rules: ArgumentRules,
  schemaOf: () => CompiledSchema,
  sanitizers: ReadonlyMap<string, SanitizeCallback>,
): Coercer | null {
  const { sanitize_callback: declared, validate_callback: validator } = rules
  if (!hasSanitizer(rules)) return hasType(rules) || declared === schemaCallbacks.parse ? parsing(schemaOf()) : null
  const sanitized = sanitizerOf(declared, schemaOf, sanitizers)
  if (!hasType(rules) && validator !== schemaCallbacks.validate) return sanitized
  return validating(schemaOf(), sanitized ?? asSent)
}

function sanitizerOf(
  declared: ArgumentRules['sanitize_callback'],
  schemaOf: () => CompiledSchema,
  sanitizers: ReadonlyMap<string, SanitizeCallback>,
): Coercer | null {
  if (typeof declared === 'function') return callbackCoercer(declared)
  if (typeof declared !== 'string' || declared === '') return null
  const named = sanitizers.get(declared)
  if (named) return callbackCoercer(named)
  if (declared === schemaCallbacks.sanitize) return coercing(schemaOf())
  return () => {
    throw new TypeError(`There is no sanitiser '${declared}'.`)
  }
}

const asSent: Coercer = (value) => value

/** A null is what the sanitiser makes of it: `''`, 0 or false, which has to be a value that the schema accepts. */
function validating(schema: CompiledSchema, sanitized: Coercer): Coercer {
  return (value, request, name) => {
    if (value !== null) return refusalOf(schema.validate(value, name)) ?? sanitized(value, request, name)
    const made = sanitized(value, request, name)
    return made instanceof ArgumentRefusal ? made : (refusalOf(schema.validate(made, name)) ?? made)
  }
}

/** Whether values are held against the schema at all; WordPress does that only for arguments with a type. */
export function hasType({ type }: ArgumentRules): boolean {
  return typeof type === 'object' && type !== null ? Object.keys(type).length > 0 : Boolean(type)
}

/** `null` and `''` count: they declare that nothing is to be done to the value. WordPress's default is none of its own. */
export function hasSanitizer({ sanitize_callback: declared }: ArgumentRules): boolean {
  return declared !== undefined && declared !== schemaCallbacks.parse
}

function callbackValidator(callback: ValidateCallback): Validator {
  return (value, request, name) => {
    const verdict = called(callback, value, request, name)
    if (verdict === false) return new ArgumentRefusal(null)
    return verdict instanceof ArgumentRefusal ? verdict : null
  }
}

const callbackCoercer =
  (callback: SanitizeCallback): Coercer =>
  (value, request, name) =>
    called(callback, value, request, name)

/** @returns a refusal for a RestError, returned or thrown. */
function called(callback: SanitizeCallback, value: unknown, request: RestRequest, name: string): unknown {
  let result: unknown
  try {
    result = callback(value, request, name)
  } catch (error) {
    if (error instanceof RestError) return new ArgumentRefusal(error)
    throw error
  }
  if (result instanceof RestError) return new ArgumentRefusal(result)
  // A promise is truthy, so that an asynchronous validator would accept everything.
  if (result instanceof Promise) throw new TypeError(`A callback of the argument '${name}' must not be asynchronous.`)
  return result
}

function parsing(schema: CompiledSchema): Coercer {
  const coerce = coercing(schema)
  return (value, request, name) => refusalOf(schema.validate(value, name)) ?? coerce(value, request, name)
}

function coercing(schema: CompiledSchema): Coercer {
  return (value, _, name) => {
    const { value: coerced, problem } = schema.sanitize(value, name)
    return problem === null ? coerced : new ArgumentRefusal(problem)
  }
}

const refusalOf = (problem: Problem | null): ArgumentRefusal | null =>
  problem === null ? null : new ArgumentRefusal(problem)
