import type { Problem } from '../http/rest-error.js'
import { compileArray, isArrayLike } from './array.js'
import { booleanChecks, isBooleanLike } from './boolean.js'
import { type CompiledType, type Rules, rulesOf, CoercionFailures } from './compiled-type.js'
import { candidatesOf, type Match, type Candidate, matchAny, matchOne } from './combining.js'
import { compileEnum } from './enum.js'
import { formatChecks } from './format.js'
import { compileInteger, isIntegral } from './integer.js'
import { compileNumber } from './number.js'
import { compileObject, isObjectLike } from './object.js'
import { isNumeric } from '../php/numeric-text.js'
import { notOfType } from './problems.js'
import type { ArgumentRules, TypeName } from './rules.js'
import { compileString } from './string.js'

/** Rules that have been read once; a value pays only for the comparisons they ask for. */
export interface CompiledSchema {
  /**
   * @param name how messages call the value.
   * @returns the first rule that the value breaks; null when it breaks none.
   */
  validate(value: unknown, name: string): Problem | null
  /** The value as its type wants it, even if it does not pass {@link validate}. */
  sanitize(value: unknown, name: string): Coerced
}

/** A value after coercion. */
export interface Coerced {
  /** What WordPress hands on: with the problem in the place of a value, at any depth, that cannot be coerced. */
  readonly value: unknown
  /** The first of these problems; null when there is none, and only then is the value fit for a handler. */
  readonly problem: Problem | null
}

/** Compiles the rules of one argument. Rules that mean nothing are ignored, as WordPress does; `check.ts` finds them. */
export function compileSchema(rules: ArgumentRules): CompiledSchema {
  const checks = compile(rules)
  return {
    validate: checks.validate,
    sanitize(value, name) {
      const trouble = new CoercionFailures()
      const coerced = checks.coerce(value, name, trouble)
      return { value: coerced, problem: trouble.first }
    },
  }
}

function compile(declared: unknown): CompiledType {
  const rules = rulesOf(declared)
  return compileFor(rules, rules['type'])
}

/** First `anyOf`, then `oneOf`, then the rules themselves; without a type of its own a schema takes the match's. */
function compileFor(rules: Rules, type: unknown): CompiledType {
  const { anyOf, oneOf } = rules
  if (anyOf === undefined) return compileOneOf(rules, oneOf, type)
  const candidates = candidatesOf(anyOf, type, compileFor)
  return combined(candidates, matchAny(candidates), (matched) => compileOneOf(rules, oneOf, type ?? matched))
}

function compileOneOf(rules: Rules, oneOf: unknown, type: unknown): CompiledType {
  if (oneOf === undefined) return compileTypes(rules, type)
  const candidates = candidatesOf(oneOf, type, compileFor)
  return combined(candidates, matchOne(candidates), (matched) => compileTypes(rules, type ?? matched))
}

/** The candidate that matches, and then what stands beside `anyOf` or `oneOf`. */
function combined(
  candidates: readonly Candidate[],
  match: Match,
  compileRest: (type: unknown) => CompiledType,
): CompiledType {
  const steps = candidates.map((candidate) => ({ candidate, rest: compileRest(candidate.type) }))
  return {
    validate(value, path) {
      const matched = match(value, path)
      return typeof matched === 'number' ? (steps[matched]?.rest.validate(value, path) ?? null) : matched
    },
    coerce(value, path, trouble) {
      const matched = match(value, path)
      if (typeof matched !== 'number') return trouble.add(matched)
      const step = steps[matched]
      const coerced = step?.candidate.coerce(value, path, trouble)
      return trouble.has(coerced) ? coerced : step?.rest.coerce(coerced, path, trouble)
    },
  }
}

interface Type {
  /** Whether the type is the one to choose among several. */
  readonly accepts: (value: unknown) => boolean
  readonly compile: (rules: Rules) => CompiledType
}

const types: Readonly<Record<TypeName, Type>> = {
  array: { accepts: isArrayLike, compile: (rules) => compileArray(rules, compile) },
  object: { accepts: isObjectLike, compile: (rules) => compileObject(rules, compile) },
  integer: { accepts: isIntegral, compile: compileInteger },
  number: { accepts: isNumeric, compile: compileNumber },
  boolean: { accepts: isBooleanLike, compile: () => booleanChecks },
  string: { accepts: (value) => typeof value === 'string', compile: compileString },
  null: {
    accepts: (value) => value === null || value === undefined,
    compile: () => ({
      validate: (value, path) => (value === null || value === undefined ? null : notOfType(path, 'null')),
      coerce: () => null,
    }),
  },
}

const typeOf = (name: unknown): Type | null =>
  typeof name === 'string' && Object.hasOwn(types, name) ? types[name as TypeName] : null

/** Several types: the first that accepts the value judges it; `''` is text where text is allowed (docs/wire.md#types). */
function compileTypes(rules: Rules, type: unknown): CompiledType {
  if (typeof type !== 'object' || type === null) return compileType(rules, type)
  const names: unknown[] = Object.values(type)
  const options = names.flatMap((name) => {
    const known = typeOf(name)
    return known ? [{ name, accepts: known.accepts, checks: compileType(rules, name) }] : []
  })
  const text = options.find(({ name }) => name === 'string')
  // A name that is no type admits whatever no real type wants.
  const fallback = options.length < names.length ? compileType(rules, undefined) : null
  const choose = (value: unknown): CompiledType | null =>
    (value === '' && text ? text : options.find(({ accepts }) => accepts(value)))?.checks ?? fallback
  return {
    validate(value, path) {
      const chosen = choose(value)
      return chosen ? chosen.validate(value, path) : notOfType(path, names.join(','))
    },
    coerce: (value, path, trouble) => choose(value)?.coerce(value, path, trouble) ?? null,
  }
}

const unchanged: CompiledType = { validate: () => null, coerce: (value) => value }

/** The type with its bounds, then `enum`, then `format`, which is for text and for values of no known type. */
function compileType(rules: Rules, type: unknown): CompiledType {
  const known = typeOf(type)
  const typed = known?.compile(rules) ?? unchanged
  const format = known === null || type === 'string' ? formatChecks(rules['format']) : null
  const coerce = (format ?? typed).coerce
  const inEnum = rules['enum'] === undefined ? null : compileEnum(rules['enum'], coercionFor(rules, type, coerce))
  if (!inEnum && !format) return typed
  return {
    validate: (value, path) =>
      typed.validate(value, path) ?? inEnum?.(value, path) ?? format?.validate(value, path) ?? null,
    coerce,
  }
}

/** What `enum` compares: the value as the whole schema coerces it, `anyOf` and `oneOf` included. */
function coercionFor(rules: Rules, type: unknown, coerce: CompiledType['coerce']): CompiledType['coerce'] {
  if (rules['anyOf'] === undefined && rules['oneOf'] === undefined) return coerce
  const { enum: _, ...others } = rules
  return compileFor(others, type).coerce
}
