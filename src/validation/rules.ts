import type { RestError } from '../http/rest-error.js'
import type { RestRequest } from '../http/rest-request.js'

/** The types that an argument may have, by their WordPress names. */
export const typeNames = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'] as const
export type TypeName = (typeof typeNames)[number]

/** The type of an uploaded file: for an argument of a POST, and for the items of an argument. */
export type FileType = 'file'

/** The formats that a text may have. `uri`, `text-field` and `textarea-field` clean the text and reject none. */
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

/** The result of a `validate_callback`. `undefined` and `null` accept the value, as `true` does. */
export type ValidateCallbackResult = boolean | RestError | null | undefined | void

/**
 * Validates the value of one argument. It is called only when the argument is present and not null. `false` rejects the
 * value with the message `Invalid parameter.`; a RestError, returned or thrown, rejects it with its own message. Every
 * other result accepts the value, including a text: put the reason into a RestError.
 */
export type ValidateCallback = (value: unknown, request: RestRequest, name: string) => ValidateCallbackResult

/** Returns the value that the handler reads. A RestError, returned or thrown, rejects the argument. */
export type SanitizeCallback = (value: unknown, request: RestRequest, name: string) => unknown

/**
 * The rules of one argument, or of a value nested in it. They are the rules of WordPress. The service does not start
 * with a rule that is not listed here.
 */
export interface ArgumentRules {
  /** Documentation. Error messages of `anyOf` and `oneOf` contain it. */
  readonly title?: string
  /** Documentation only. */
  readonly description?: string
  /** Documentation only: the contexts in which WordPress's schemas show a property. */
  readonly context?: readonly string[]
  /** Documentation only: a property that a client cannot change. */
  readonly readonly?: boolean
  /** One type, or several of which the value must have one. An argument without a type is not validated. */
  readonly type?: TypeName | FileType | readonly TypeName[]
  /** The value of an absent argument. `null` is the same as no default. */
  readonly default?: unknown
  /** `true`: the argument, or the property of an object, must be present. An object may instead list required names. */
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
  /**
   * The media types that a file may have, such as `['image/png', 'audio/*']`. The type of the extension of its name and the type
   * that the client sends must both be among them. The bytes are not read. Default: any.
   */
  readonly media_types?: readonly string[]
  /** The maximum size of a file, in bytes. */
  readonly max_size?: number
  /** The rules of the properties of an object, by name. */
  readonly properties?: ArgumentSchema
  /**
   * Rules by PCRE expression, for properties that `properties` does not name. The first matching expression applies.
   */
  readonly patternProperties?: ArgumentSchema
  /** Whether properties without rules of their own are allowed, or the rules for them. Default true. */
  readonly additionalProperties?: boolean | ArgumentRules
  readonly minProperties?: number
  readonly maxProperties?: number
  /** At least one must match. The first that matches coerces the value. */
  readonly anyOf?: readonly ArgumentRules[]
  /** Exactly one must match. */
  readonly oneOf?: readonly ArgumentRules[]
  /** Validates the argument before its schema does. */
  readonly validate_callback?: ValidateCallback | 'rest_validate_request_arg'
  /**
   * A sanitising function, or the name of one. It replaces the coercion to the type, after the schema has validated the
   * value. Null and `''` leave the validated value unchanged.
   */
  readonly sanitize_callback?: string | SanitizeCallback | null
}

/** Rules by argument name. */
export type ArgumentSchema = Readonly<Record<string, ArgumentRules>>
