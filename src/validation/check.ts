import { suggestion } from '../base/nearest.js'
import { isMap } from '../php/array-shape.js'
import { canonicalText } from '../http/canonical-text.js'
import { schemaCallbacks } from './callbacks.js'
import { ruleFaults } from './rule-faults.js'
import { ruleShapes } from './rule-shapes.js'
import type { ArgumentSchema, SanitizeCallback } from './rules.js'

/** Rules that mean something to an argument without a type. */
const untypedRules = new Set(['title', 'description', 'default', 'required', 'validate_callback', 'sanitize_callback'])

/**
 * What is wrong with the arguments of an endpoint, in sentences that name the argument: rules that do not exist or have
 * the wrong shape, at any depth; types, formats and sanitisers that nobody knows; patterns that cannot be used or can
 * take too long; rules without effect; defaults that break their own rules.
 * @param sanitizers what a `sanitize_callback` may name.
 * @param fitRules rules that were found without fault, which may be those of other arguments; grows.
 */
export function faultsOf(
  args: ArgumentSchema,
  sanitizers: ReadonlyMap<string, SanitizeCallback>,
  fitRules = new Set<string>(),
): readonly string[] {
  return Object.entries(args).flatMap(([name, rules]) =>
    argumentFaults(`argument '${name}'`, rules, sanitizers, fitRules),
  )
}

function argumentFaults(
  subject: string,
  declared: unknown,
  sanitizers: ReadonlyMap<string, SanitizeCallback>,
  fitRules: Set<string>,
): string[] {
  if (!isMap(declared)) return ruleFaults(declared, { subject, inherited: undefined, depth: 0 })
  const { validate_callback: validator, sanitize_callback: sanitizer, ...rules } = declared
  const sentences = [untypedFault(rules), validatorFault(validator), sanitizerFault(sanitizer, sanitizers)]
  return [
    ...sentences.flatMap((sentence) => (sentence === null ? [] : [`${subject}: ${sentence}`])),
    ...faultsUnlessKnown(rules, subject, fitRules),
  ]
}

/** An application has a few kinds of argument, which come again and again: `per_page`, `id`. */
function faultsUnlessKnown(rules: Readonly<Record<string, unknown>>, subject: string, fit: Set<string>): string[] {
  const text = canonicalText(rules)
  if (text !== null && fit.has(text)) return []
  const faults = ruleFaults(rules, { subject, inherited: undefined, depth: 0 })
  if (text !== null && faults.length === 0) fit.add(text)
  return faults
}

/** WordPress holds an argument against its rules only when it has a type; a reader would think that it always does. */
function untypedFault(rules: Readonly<Record<string, unknown>>): string | null {
  if (rules['type'] !== undefined) return null
  const idle = Object.keys(rules).filter((name) => Object.hasOwn(ruleShapes, name) && !untypedRules.has(name))
  if (idle.length === 0) return null
  return `without a 'type' nothing is checked, so ${idle.map((name) => `'${name}'`).join(', ')} would mean nothing. Give it a type, or several.`
}

function validatorFault(validator: unknown): string | null {
  if (validator === undefined || validator === null || validator === schemaCallbacks.validate) return null
  if (typeof validator !== 'function') return `'validate_callback' must be a function.`
  return isAsynchronous(validator) ? `'validate_callback' must not be asynchronous.` : null
}

function sanitizerFault(sanitizer: unknown, sanitizers: ReadonlyMap<string, SanitizeCallback>): string | null {
  if (sanitizer === undefined || sanitizer === null || sanitizer === '') return null
  if (typeof sanitizer === 'function') {
    return isAsynchronous(sanitizer) ? `'sanitize_callback' must not be asynchronous.` : null
  }
  if (typeof sanitizer !== 'string') return `'sanitize_callback' must be the name of a sanitiser, or a function.`
  const known = [...sanitizers.keys(), schemaCallbacks.sanitize, schemaCallbacks.parse]
  return known.includes(sanitizer) ? null : `sanitiser '${sanitizer}' is unknown.${suggestion(sanitizer, known)}`
}

const isAsynchronous = (callback: object): boolean => Object.getPrototypeOf(callback) === asyncFunction

const asyncFunction: unknown = Object.getPrototypeOf(async () => undefined)
