import type { ArgumentSchema, SanitizeCallback, ValidateCallback } from '../../src/validation/rules.js'
import { RestError } from '../../src/http/rest-error.js'
import { toText } from '../../src/php/cast.js'
import { namedSanitizers } from '../../src/sanitizers/named-sanitizers.js'

/** As WordPress takes them: one may return anything. */
type RecordedValidator = (...args: Parameters<ValidateCallback>) => unknown

/** The callbacks of the recording; what each does is told in `recorded/vectors/README.md`. */
const validators: ReadonlyMap<unknown, RecordedValidator> = new Map<unknown, RecordedValidator>([
  ['vec_reject', () => false],
  ['vec_accept', () => true],
  ['vec_truthy_string', () => 'false'],
  ['vec_null', () => null],
  ['vec_zero', () => 0],
  ['vec_even_error', evenOrError],
  [
    'vec_two_errors',
    () =>
      new RestError('first', 'First.', { additional_errors: [{ code: 'second', message: 'Second.', data: { n: 2 } }] }),
  ],
])

export const recordedSanitizers: ReadonlyMap<string, SanitizeCallback> = new Map<string, SanitizeCallback>([
  ...namedSanitizers,
  [
    'vec_upper',
    (value) => (typeof value === 'string' ? value.replace(/[a-z]/g, (letter) => letter.toUpperCase()) : value),
  ],
  ['vec_key_tag', (value, _, name) => `${name}:${typeof value === 'object' ? 'x' : toText(value)}`],
  ['vec_san_error', (_, __, name) => new RestError('bad_sanitize', `cannot clean ${name}`, { status: 409 })],
  ['vec_san_null', () => null],
  ['vec_peek_other', (value, request) => `${toText(value)}/${toText(request.get_param('b'))}`],
])

function evenOrError(...[value, , name]: Parameters<ValidateCallback>): true | RestError {
  if (/^-?\d*[02468]$/.test(toText(value))) return true
  return new RestError('not_even', `${name} is not even`, { status: 422, got: value })
}

/** The arguments as recorded, with the validators that they name. */
export function argumentsOf(declared: unknown): ArgumentSchema {
  const rules = Object.entries((declared ?? {}) as ArgumentSchema)
  return Object.fromEntries(
    rules.map(([name, declaredRules]) => {
      const validator = validators.get((declaredRules as { readonly validate_callback?: unknown }).validate_callback)
      return [name, validator ? { ...declaredRules, validate_callback: validator as ValidateCallback } : declaredRules]
    }),
  )
}
