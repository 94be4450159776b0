import { toText } from '../php/cast.js'
import { parseDate } from '../sanitizers/date.js'
import { isEmail } from '../sanitizers/email.js'
import { parseHexColor } from '../sanitizers/hex-color.js'
import { isIpAddress } from '../sanitizers/ip-address.js'
import { sanitizeTextField, sanitizeTextareaField } from '../sanitizers/text-field.js'
import { sanitizeUrl } from '../sanitizers/url.js'
import { isUuid } from '../sanitizers/uuid.js'
import type { CompiledType } from './compiled-type.js'
import { invalidAddress, invalidDate, invalidEmail, invalidHexColor, invalidUuid } from './problems.js'
import type { FormatName } from './rules.js'
import type { WorkLimit } from './work-limit.js'

const anything = (): null => null

/** The validation and the coercion of each `format`. Both treat the value as text. */
const formats: Readonly<Record<FormatName, CompiledType>> = {
  'date-time': {
    validate: (value, path) => (parseDate(value) === null ? invalidDate(path) : null),
    coerce: sanitizeTextField,
  },
  email: { validate: (value, path) => (isEmail(value) ? null : invalidEmail(path)), coerce: sanitizeTextField },
  ip: { validate: (value, path) => (isIpAddress(value) ? null : invalidAddress(path)), coerce: sanitizeTextField },
  uuid: { validate: (value, path) => (isUuid(value) ? null : invalidUuid(path)), coerce: sanitizeTextField },
  'hex-color': {
    validate: (value, path) => (parseHexColor(value) === null ? invalidHexColor(path) : null),
    coerce: (value) => parseHexColor(value) ?? '',
  },
  uri: { validate: anything, coerce: (value) => sanitizeUrl(toText(value)) },
  'text-field': { validate: anything, coerce: sanitizeTextField },
  'textarea-field': { validate: anything, coerce: sanitizeTextareaField },
}

/** The checks of a format; null for an unknown name, which WordPress ignores. */
export function formatChecks(name: unknown): CompiledType | null {
  if (typeof name !== 'string' || !Object.hasOwn(formats, name)) return null
  const { validate, coerce } = formats[name as FormatName]
  return {
    validate(value, path, work, isFloat) {
      spendOnText(value, work)
      return validate(value, path, work, isFloat)
    },
    coerce(value, path, coercion, isFloat) {
      spendOnText(value, coercion.work)
      return coerce(value, path, coercion, isFloat)
    },
  }
}

/** Counts one unit of work for eight characters: a sanitiser takes longer than a comparison. */
function spendOnText(value: unknown, work: WorkLimit): void {
  if (typeof value === 'string') work.spend(value.length / 8)
}
