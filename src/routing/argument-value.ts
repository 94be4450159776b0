import type { SanitizerTypes } from '../sanitizers/sanitizer-types.js'
import type { SchemaValue } from '../validation/schema-value.js'

/** WordPress's sanitisers that coerce a value to its schema. The value has the type of the schema. */
export type SchemaSanitizer = 'rest_sanitize_request_arg' | 'rest_parse_request_arg'

/** Sanitisers that clean each item of a list or map, and convert any other value to text. */
type ItemwiseSanitizer = 'sanitize_html_class' | 'sanitize_mime_type' | 'wp_kses_data' | 'wp_kses_post'

/**
 * The type of a present argument as a handler reads it. Without a `type` nothing is validated, so the type is unknown.
 */
export type ArgumentValue<Rules> = Rules extends { readonly sanitize_callback: infer Sanitizer }
  ? Sanitized<Sanitizer, Rules>
  : Rules extends { readonly type: unknown }
    ? SchemaValue<Rules>
    : unknown

type Sanitized<Sanitizer, Rules> = Sanitizer extends keyof SanitizerTypes
  ? Sanitizer extends ItemwiseSanitizer
    ? // A value that was validated as text has no items.
      Rules extends { readonly type: 'string' }
      ? string
      : SanitizerTypes[Sanitizer]
    : SanitizerTypes[Sanitizer]
  : Sanitizer extends SchemaSanitizer
    ? SchemaValue<Rules>
    : Sanitizer extends (...parameters: never[]) => infer Returned
      ? Exclude<Returned, Error>
      : // Null and '' leave the value as it was sent: validated, but not coerced. A valid string is then still a string.
        Rules extends { readonly type: 'string' }
        ? SchemaValue<Rules>
        : unknown

/** Whether an argument is always present. */
export type IsPresent<Rules> = Rules extends { readonly required: true }
  ? true
  : Rules extends { readonly default: {} }
    ? true
    : false
