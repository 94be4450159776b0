import type { RestError } from '../http/rest-error.js'
import type { RestRequest } from '../http/rest-request.js'

/** The types an argument may have, in WordPress's words. */
export const typeNames = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'] as const
export type TypeName = (typeof typeNames)[number]

/** What a text may have to look like. `uri`, `text-field` and `textarea-field` only clean, they refuse nothing. */
export const formatNames = [
  'date-time',
  'email',
  'ip',
  'uuid',
  'hex-color',
  'uri',
  'text-field',
  'textarea-field',
] as const
export type FormatName = (typeof formatNames)[number]

/** What a validator may say. Nothing, and null, accept as `true` does. */
export type Verdict = boolean | RestError | null | undefined | void

/**
 * Judges the value of one argument; called only when the argument is present and not null. `false` refuses it with
 * `Invalid parameter.`; a RestError, returned or thrown, refuses it with its own message. Everything else
 * accepts, also a text: say why in a RestError.
 */
export type ValidateCallback = (value: unknown, request: RestRequest, name: string) => Verdict

/** Makes the value that the handler reads. A RestError, returned or thrown, refuses the argument. */
export type SanitizeCallback = (value: unknown, request: RestRequest, name: string) => unknown

/**
 * The rules of one argument, or of a value inside it. They are WordPress's own; a rule that is not listed here stops the
 * start.
 */
export interface ArgumentRules {
  /** For people; part of the error messages of `anyOf` and `oneOf`. */
  readonly title?: string
  /** For people. */
  readonly description?: string
  /** One type, or several of which the value must have one. Without a type an argument is not validated. */
  readonly type?: TypeName | readonly TypeName[]
  /** Used when the argument is absent. `null` means none. */
  readonly default?: unknown
  /** `true`: the argument, or the property of an object, must be there. On an object also: the names that must be there. */
  readonly required?: boolean | readonly string[]
  /** The value must be one of these, after coercion to its type. */
  readonly enum?: readonly unknown[]
  readonly format?: FormatName
  readonly minimum?: number
  readonly maximum?: number
  /** `true`: `minimum` itself is too small. */
  readonly exclusiveMinimum?: boolean
  /** `true`: `maximum` itself is too large. */
  readonly exclusiveMaximum?: boolean
  readonly multipleOf?: number
  /** In Unicode code points. */
  readonly minLength?: number
  /** In Unicode code points. */
  readonly maxLength?: number
  /** A PCRE expression, not anchored, without delimiters. */
  readonly pattern?: string
  /** The rules of every item of an array. */
  readonly items?: ArgumentRules
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  /** The rules of the properties of an object, by name. */
  readonly properties?: ArgumentSchema
  /** The rules of properties by PCRE expression, for those that `properties` does not name; the first match counts. */
  readonly patternProperties?: ArgumentSchema
  /** Whether properties that nothing else names are allowed, or their rules. Default true. */
  readonly additionalProperties?: boolean | ArgumentRules
  readonly minProperties?: number
  readonly maxProperties?: number
  /** At least one must match; the first that does coerces the value. */
  readonly anyOf?: readonly ArgumentRules[]
  /** Exactly one must match. */
  readonly oneOf?: readonly ArgumentRules[]
  /** Judges the argument before its schema does. */
  readonly validate_callback?: ValidateCallback | 'rest_validate_request_arg'
  /**
   * The name of a sanitising function, or one. It takes the place of the coercion to the type, after the value has been
   * validated against its schema; null and `''` leave the validated value as it was sent.
   */
  readonly sanitize_callback?: string | SanitizeCallback | null
}

/** Rules by argument name. */
export type ArgumentSchema = Readonly<Record<string, ArgumentRules>>
