import { nearest } from '../base/nearest.js'
import type { DiagnosticCode } from '../base/startup-errors.js'
import { suggestion } from '../base/nearest.js'
import { isMap } from '../php/array-shape.js'
import { ruleDiagnostics } from '../validation/rule-faults.js'
import { canonicalText } from '../http/canonical-text.js'
import type { MetaType } from './record-type.js'

/** Names that WordPress reserves, for types of its own or for parameters of its queries. */
const reservedNames = new Set([
  'attachment',
  'revision',
  'nav_menu_item',
  'custom_css',
  'customize_changeset',
  'oembed_cache',
  'user_request',
  'wp_block',
  'action',
  'author',
  'order',
  'theme',
])

const extensibleTypes = new Set(['post', 'page'])
/** The options that the declaration of a built-in type may have. */
const extensions = new Set(['statuses', 'meta', 'after_commit'])
const hookNames = ['inserted', 'updated', 'deleted']
const mustBeFunctions = 'must map inserted, updated and deleted to functions'
const metaTypes: readonly MetaType[] = ['number', 'integer', 'string', 'boolean', 'array', 'object']

/** A check for each option of a declaration. It returns the rest of a sentence that begins with "it", or null. */
const checks: Readonly<Record<string, (value: unknown) => string | null>> = {
  permalink: (value) =>
    value === false || (typeof value === 'string' && /^[a-z0-9_-]+(\/[a-z0-9_-]+)*$/.test(value))
      ? null
      : 'must be false or path segments of a-z, 0-9, _ and -, without slashes at the ends',
  with_front: mustBeBoolean,
  public: mustBeBoolean,
  hierarchical: mustBeBoolean,
  map_meta_cap: mustBeBoolean,
  supports: mustBeNames,
  taxonomies: mustBeNames,
  statuses: (value) =>
    Array.isArray(value) && value.every((name) => typeof name === 'string' && /^[a-z0-9_-]{1,20}$/.test(name))
      ? null
      : 'must be a list of names of 1 to 20 characters of a-z, 0-9, _ and -',
  capability_type: (value) =>
    typeof value === 'string' && /^[a-z0-9_-]+$/.test(value) ? null : 'must be a name of a-z, 0-9, _ and -',
  meta: (value) => (isMap(value) ? null : 'must map metadata keys to { type, default }'),
  after_commit: (value) => (isMap(value) ? null : mustBeFunctions),
}

/** An error in a declaration. `part` is `.meta.price`, or `''` for the whole declaration. */
type Diagnostic = readonly [part: string, code: DiagnosticCode, message: string]

/**
 * The errors in the boot option `record_types`. Each has the path of the wrong part, `record_types.book.meta.pages`, a
 * code and a message. A declaration may be any value, because the compiler does not check a configuration file in JavaScript.
 */
export function recordTypeDiagnostics(declarations: Readonly<Record<string, unknown>> = {}): Diagnostic[] {
  return Object.entries(declarations).flatMap(([name, declaration]) =>
    [...nameDiagnostics(name), ...declarationDiagnostics(name, declaration)].map(([part, code, message]) =>
      sentence(`record_types.${name}${part}`, code, message),
    ),
  )
}

const sentence = (path: string, code: DiagnosticCode, message: string): Diagnostic => [
  path,
  code,
  /[.?]$/.test(message) ? message : `${message}.`,
]

/** The errors in the option `term_meta` or `site_options`. */
export function valueDiagnostics(option: string, declarations: Readonly<Record<string, unknown>> = {}): Diagnostic[] {
  return metaDiagnostics(declarations).map(([part, code, message]) =>
    sentence(part.replace(/^\.meta/, option), code, message),
  )
}

/** Metadata that the service keeps of a user: roles, sessions, application passwords. */
const metaOfService = /capabilities$|user_level$|^session_tokens$|^_application_passwords$/

/** The errors in the option `user_meta`. Databases compare keys without case and accents, so keys are ASCII. */
export function userMetaDiagnostics(declarations: Readonly<Record<string, unknown>> = {}): Diagnostic[] {
  const keyFaults = Object.keys(declarations).flatMap((key): Diagnostic[] => {
    if (!/^[\w-]+$/.test(key))
      return [['user_meta', 'meta-invalid', `a key must be of letters, digits, _ and -; '${key}' is not.`]]
    return metaOfService.test(key.toLowerCase())
      ? [[`user_meta.${key}`, 'meta-invalid', 'the service itself keeps this metadata; choose another key.']]
      : []
  })
  return [...keyFaults, ...valueDiagnostics('user_meta', declarations)]
}

function nameDiagnostics(name: string): Diagnostic[] {
  if (reservedNames.has(name)) return [['', 'record-type-reserved', 'WordPress reserves this name; choose another one']]
  if (!/^[a-z0-9_-]{1,20}$/.test(name))
    return [['', 'record-type-name-invalid', 'it must be named with 1 to 20 characters of a-z, 0-9, _ and -']]
  return []
}

function declarationDiagnostics(name: string, declaration: unknown): Diagnostic[] {
  if (!isMap(declaration))
    return [['', 'record-type-invalid', 'it must be an object; write {} for a type with all defaults']]
  return Object.entries(declaration).flatMap(([option, value]): Diagnostic[] => {
    const check = Object.hasOwn(checks, option) ? checks[option] : undefined
    if (check === undefined)
      return [
        [
          '',
          'record-type-option-unknown',
          `it has the unknown option ${option}.${suggestion(option, Object.keys(checks))}`,
        ],
      ]
    if (extensibleTypes.has(name) && !extensions.has(option))
      return [
        ['', 'record-type-built-in', `it is built in and takes only statuses, meta and after_commit, not ${option}`],
      ]
    if (value === undefined) return []
    const problem = check(value)
    if (problem !== null) return [[`.${option}`, 'record-type-option-invalid', `it ${problem}`]]
    if (option === 'after_commit') return hookDiagnostics(value)
    return option === 'meta' ? [...metaDiagnostics(value, ['indexed']), ...indexDiagnostics(value)] : []
  })
}

function hookDiagnostics(hooks: unknown): Diagnostic[] {
  return Object.entries(isMap(hooks) ? hooks : {}).flatMap(([name, hook]): Diagnostic[] => {
    const fault = (message: string): Diagnostic => [
      '.after_commit',
      'record-type-option-invalid',
      `it ${mustBeFunctions}; ${name} ${message}`,
    ]
    if (hookNames.includes(name))
      return hook === undefined || typeof hook === 'function' ? [] : [fault('is not a function')]
    const meant = nearest(name, hookNames)
    return [fault(`is none of them${meant === null ? '' : `, but ${meant} is`}`)]
  })
}

function indexDiagnostics(declarations: unknown): Diagnostic[] {
  return Object.entries(isMap(declarations) ? declarations : {}).flatMap(([key, declaration]): Diagnostic[] => {
    const { indexed, type } = isMap(declaration) ? declaration : {}
    const fault = (message: string): Diagnostic[] => [[`.meta.${key}`, 'meta-invalid', `'indexed' ${message}`]]
    if (indexed !== undefined && typeof indexed !== 'boolean') return fault('must be true or false')
    return indexed === true && type !== 'number' && type !== 'integer'
      ? fault('keeps the order of numbers: the type must be number or integer')
      : []
  })
}

/** @param others options of a key besides its type, default and rules. */
function metaDiagnostics(declarations: unknown, others: readonly string[] = []): Diagnostic[] {
  return Object.entries(isMap(declarations) ? declarations : {}).flatMap(([key, declaration]): Diagnostic[] => {
    if (key === '' || key.length > 255)
      return [['.meta', 'meta-invalid', `a key must have 1 to 255 characters; '${key}' does not`]]
    const part = `.meta.${key}`
    const type = isMap(declaration) ? declaration['type'] : undefined
    if (!isMap(declaration) || !metaTypes.includes(type as MetaType))
      return [[part, 'meta-invalid', `its type must be one of ${metaTypes.join(', ')}`]]
    const { default: defaultValue, ...options } = declaration
    const rules = Object.fromEntries(Object.entries(options).filter(([name]) => !others.includes(name)))
    const ruleFaults = metaRuleDiagnostics(rules).map((message) => [part, 'meta-invalid', message] as const)
    if (defaultValue === undefined || ruleFaults.length > 0) return ruleFaults
    if (!isOfType(defaultValue, type as MetaType))
      return [[part, 'meta-default-invalid', `its default is not of type ${type as MetaType}`]]
    return canonicalText(defaultValue) === null
      ? [
          [
            part,
            'meta-default-invalid',
            'its default contains a value that JSON cannot represent, so it cannot be copied for each record',
          ],
        ]
      : ruleMessages({ ...rules, default: defaultValue }).map(
          (message) => [part, 'meta-default-invalid', message] as const,
        )
  })
}

const rulesOfArguments = ['required', 'validate_callback', 'sanitize_callback']

/** What is wrong with the rules of a key. */
function metaRuleDiagnostics(rules: Readonly<Record<string, unknown>>): string[] {
  const argumentRule = rulesOfArguments.find((name) => rules[name] !== undefined)
  return argumentRule === undefined
    ? ruleMessages(rules)
    : [`'${argumentRule}' is a rule of arguments, and has no effect on metadata`]
}

function ruleMessages(rules: unknown): string[] {
  const faults = ruleDiagnostics(rules, { subject: '', inherited: undefined, depth: 0 })
  return faults.map(({ message }) => message.replace(/^[:,] /, ''))
}

function isOfType(value: unknown, type: MetaType): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isMap(value)
  if (type === 'integer') return Number.isSafeInteger(value)
  if (type === 'number') return Number.isFinite(value)
  return typeof value === type
}

function mustBeBoolean(value: unknown): string | null {
  return typeof value === 'boolean' ? null : 'must be true or false'
}

function mustBeNames(value: unknown): string | null {
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && /^[a-z0-9_-]+$/.test(name))
    ? null
    : 'must be a list of names of a-z, 0-9, _ and -'
}
