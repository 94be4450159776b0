import { fault, type Fault } from '../base/fault.js'
import { suggestion } from '../base/nearest.js'
import { isMap } from '../php/array-shape.js'
import { canonicalText } from '../http/canonical-text.js'
import { schemaCallbacks } from './callbacks.js'
import { isFileArgument } from './file-arguments.js'
import { ruleDiagnostics, withSubject } from './rule-faults.js'
import { ruleShapes } from './rule-shapes.js'
import type { ArgumentRules, ArgumentSchema, SanitizeCallback } from './rules.js'

/** Rules that have an effect on an argument without a type. */
const untypedRules = new Set([
  'title',
  'description',
  'context',
  'readonly',
  'default',
  'required',
  'validate_callback',
  'sanitize_callback',
])

/**
 * The mistakes in the arguments of an endpoint, at any depth, in sentences that name the argument: rules that do not
 * exist or have the wrong shape; unknown types, formats and sanitisers; patterns that are invalid or can take too long;
 * rules without effect; defaults that break their own rules.
 * @param sanitizers the sanitisers that a `sanitize_callback` may name.
 * @param validRules canonical texts of rules without mistakes, shared between calls. The function adds to the set.
 */
export function argumentDiagnostics(
  args: ArgumentSchema,
  sanitizers: ReadonlyMap<string, SanitizeCallback>,
  validRules = new Set<string>(),
): readonly Fault[] {
  return Object.entries(args).flatMap(([name, rules]) =>
    diagnosticsOf(`argument '${name}'`, rules, sanitizers, validRules),
  )
}

function diagnosticsOf(
  subject: string,
  declaration: unknown,
  sanitizers: ReadonlyMap<string, SanitizeCallback>,
  validRules: Set<string>,
): Fault[] {
  if (!isMap(declaration))
    return ruleDiagnostics(declaration, { subject, inherited: undefined, depth: 0, isArgument: true })
  const { validate_callback: validator, sanitize_callback: sanitizer, ...rules } = declaration
  const diagnostics = [
    untypedDiagnostic(rules),
    validatorDiagnostic(validator),
    sanitizerDiagnostic(sanitizer, sanitizers),
    fileSanitizerDiagnostic(rules, sanitizer, sanitizers),
  ]
  return [
    ...diagnostics.flatMap((diagnostic) => (diagnostic === null ? [] : [withSubject(subject, diagnostic)])),
    ...cachedDiagnostics(rules, subject, validRules),
  ]
}

/** Examines equal rules once: applications repeat a few kinds of argument, such as `per_page` and `id`. */
function cachedDiagnostics(
  rules: Readonly<Record<string, unknown>>,
  subject: string,
  validRules: Set<string>,
): Fault[] {
  const text = canonicalText(rules)
  if (text !== null && validRules.has(text)) return []
  const diagnostics = ruleDiagnostics(rules, { subject, inherited: undefined, depth: 0, isArgument: true })
  if (text !== null && diagnostics.length === 0) validRules.add(text)
  return diagnostics
}

/** WordPress ignores the rules of an argument without a type, which a reader of the declaration would not expect. */
function untypedDiagnostic(rules: Readonly<Record<string, unknown>>): Fault | null {
  if (rules['type'] !== undefined) return null
  const ineffective = Object.keys(rules).filter((name) => Object.hasOwn(ruleShapes, name) && !untypedRules.has(name))
  if (ineffective.length === 0) return null
  return fault(
    'argument-untyped',
    `without a 'type' nothing is checked, so ${ineffective.map((name) => `'${name}'`).join(', ')} would have no effect. Give it a type, or several.`,
  )
}

function validatorDiagnostic(validator: unknown): Fault | null {
  if (validator === undefined || validator === null || validator === schemaCallbacks.validate) return null
  if (typeof validator !== 'function')
    return fault('validate-callback-invalid', `'validate_callback' must be a function.`)
  return asynchronousDiagnostic('validate_callback', validator)
}

function sanitizerDiagnostic(sanitizer: unknown, sanitizers: ReadonlyMap<string, SanitizeCallback>): Fault | null {
  if (sanitizer === undefined || sanitizer === null || sanitizer === '') return null
  if (typeof sanitizer === 'function') return asynchronousDiagnostic('sanitize_callback', sanitizer)
  if (typeof sanitizer !== 'string')
    return fault('sanitize-callback-invalid', `'sanitize_callback' must be the name of a sanitiser, or a function.`)
  const names = [...sanitizers.keys(), schemaCallbacks.sanitize, schemaCallbacks.parse]
  return names.includes(sanitizer)
    ? null
    : fault('sanitizer-unknown', `sanitiser '${sanitizer}' is unknown.${suggestion(sanitizer, names)}`)
}

/** Reports a named sanitiser of a file argument: named sanitisers clean texts. */
function fileSanitizerDiagnostic(
  rules: ArgumentRules,
  sanitizer: unknown,
  sanitizers: ReadonlyMap<string, SanitizeCallback>,
): Fault | null {
  if (typeof sanitizer !== 'string' || !sanitizers.has(sanitizer) || !isFileArgument(rules)) return null
  return fault(
    'file-rule-invalid',
    `sanitiser '${sanitizer}' cleans texts, so it cannot be a rule of files. Remove it.`,
  )
}

function asynchronousDiagnostic(rule: string, callback: object): Fault | null {
  return Object.getPrototypeOf(callback) === asyncFunction
    ? fault('callback-asynchronous', `'${rule}' must not be asynchronous.`)
    : null
}

const asyncFunction: unknown = Object.getPrototypeOf(async () => undefined)
