import { compileArray, isArrayLike } from './array.js'
import { booleanChecks, isBooleanLike } from './boolean.js'
import { type CompiledType, type Rules, rulesOf, Coercion } from './compiled-type.js'
import { candidatesOf, type Match, type Candidate, matchAny, matchOne } from './combining.js'
import { compileEnum } from './enum.js'
import { fileTypeChecks } from './file.js'
import { formatChecks } from './format.js'
import { compileInteger, isIntegral } from './integer.js'
import { compileNumber } from './number.js'
import { compileObject, isObjectLike } from './object.js'
import { isNumeric } from '../php/numeric-text.js'
import { notOfType, type ValueProblem } from './problems.js'
import type { ArgumentRules, TypeName } from './rules.js'
import { compileString } from './string.js'
import { unlimitedWork, type WorkLimit } from './work-limit.js'

/** Compiled rules. The rules are read once, so that the validation of a value costs only the comparisons. */
export interface CompiledSchema {
  /**
   * @param name names the value in messages.
   * @param isFloat the value is a whole number that JSON has as a float. Members of the value have their own mark.
   * @param work counts what the validation takes. Default: it is not limited.
   * @returns the problem with the first rule that the value breaks; null when it breaks none.
   */
  validate(value: unknown, name: string, isFloat?: boolean, work?: WorkLimit): ValueProblem | null
  /** Coerces the value to its type, even if it does not pass {@link validate}. */
  sanitize(value: unknown, name: string, isFloat?: boolean, work?: WorkLimit): Coerced
}

/** A value after coercion. */
export interface Coerced {
  /** As in WordPress, a value that cannot be coerced is replaced by a problem, at any depth. */
  readonly value: unknown
  /** The first of these problems; null when there is none. A handler may receive the value only then. */
  readonly problem: ValueProblem | null
}

/** Compiles the rules of one argument. Like WordPress, it ignores rules without effect; `rule-faults.ts` reports them. */
export function compileSchema(rules: ArgumentRules): CompiledSchema {
  return schemaOf(compile(rules))
}

/** Compiles the rules of an argument that is a file, or a list of files. In other rules, as in WordPress, `file` is an unknown type. */
export function compileFileSchema(rules: ArgumentRules): CompiledSchema {
  const ruleMap = rulesOf(rules)
  const ofFile = (inner: unknown): CompiledType => fileTypeChecks(rulesOf(inner))
  return schemaOf(rules.type === 'file' ? ofFile(rules) : compileArray(ruleMap, ofFile))
}

function schemaOf(checks: CompiledType): CompiledSchema {
  return {
    validate: (value, name, isFloat, work = unlimitedWork) => checks.validate(value, name, work, isFloat),
    sanitize(value, name, isFloat, work = unlimitedWork) {
      const coercion = new Coercion(work)
      const coerced = checks.coerce(value, name, coercion, isFloat)
      return { value: coerced, problem: coercion.first }
    },
  }
}

function compile(declaration: unknown): CompiledType {
  const rules = rulesOf(declaration)
  return compileFor(rules, rules['type'])
}

/** Every schema counts the work that it takes. */
function compileFor(rules: Rules, type: unknown): CompiledType {
  const { validate, coerce } = compileAnyOf(rules, type)
  return {
    validate(value, path, work, isFloat) {
      work.spendOn(value)
      return validate(value, path, work, isFloat)
    },
    coerce(value, path, coercion, isFloat) {
      coercion.work.spendOn(value)
      return coerce(value, path, coercion, isFloat)
    },
  }
}

/**
 * Applies `anyOf` first, then `oneOf`, then the other rules. A schema without a type has that of the matching
 * candidate.
 */
function compileAnyOf(rules: Rules, type: unknown): CompiledType {
  const { anyOf, oneOf } = rules
  if (anyOf === undefined) return compileOneOf(rules, oneOf, type)
  const candidates = candidatesOf(anyOf, type, compileFor)
  return combined(candidates, matchAny(candidates), (candidateType) =>
    compileOneOf(rules, oneOf, type ?? candidateType),
  )
}

function compileOneOf(rules: Rules, oneOf: unknown, type: unknown): CompiledType {
  if (oneOf === undefined) return compileTypes(rules, type)
  const candidates = candidatesOf(oneOf, type, compileFor)
  return combined(candidates, matchOne(candidates), (candidateType) => compileTypes(rules, type ?? candidateType))
}

/** Applies the matching candidate, and then the rules beside `anyOf` or `oneOf`. */
function combined(
  candidates: readonly Candidate[],
  match: Match,
  compileRest: (type: unknown) => CompiledType,
): CompiledType {
  const steps = candidates.map((candidate) => ({ candidate, rest: compileRest(candidate.type) }))
  return {
    validate(value, path, work, isFloat) {
      const position = match(value, path, work, isFloat)
      return typeof position === 'number'
        ? (steps[position]?.rest.validate(value, path, work, isFloat) ?? null)
        : position
    },
    coerce(value, path, coercion, isFloat) {
      const position = match(value, path, coercion.work, isFloat)
      if (typeof position !== 'number') return coercion.add(position)
      const step = steps[position]
      const coerced = step?.candidate.coerce(value, path, coercion, isFloat)
      return coercion.isProblem(coerced) ? coerced : step?.rest.coerce(coerced, path, coercion, coercion.isFloat)
    },
  }
}

interface Type {
  /** Whether the type applies to the value when several types are declared. */
  readonly accepts: (value: unknown, work: WorkLimit, isFloat?: boolean) => boolean
  readonly compile: (rules: Rules) => CompiledType
}

const types: Readonly<Record<TypeName, Type>> = {
  array: { accepts: isArrayLike, compile: (rules) => compileArray(rules, compile) },
  object: { accepts: isObjectLike, compile: (rules) => compileObject(rules, compile) },
  integer: { accepts: isIntegral, compile: compileInteger },
  number: { accepts: isNumeric, compile: compileNumber },
  boolean: { accepts: (value, _, isFloat) => isBooleanLike(value, isFloat), compile: () => booleanChecks },
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

/**
 * With several types, the first that accepts the value applies. As in WordPress, `''` is a string where strings are
 * allowed.
 */
function compileTypes(rules: Rules, type: unknown): CompiledType {
  if (typeof type !== 'object' || type === null) return compileType(rules, type)
  const names: unknown[] = Object.values(type)
  const options = names.flatMap((name) => {
    const namedType = typeOf(name)
    return namedType ? [{ name, accepts: namedType.accepts, checks: compileType(rules, name) }] : []
  })
  const stringOption = options.find(({ name }) => name === 'string')
  // As in WordPress, an unknown type accepts every value that the known types do not accept.
  const fallback = options.length < names.length ? compileType(rules, undefined) : null
  const choose = (value: unknown, work: WorkLimit, isFloat?: boolean): CompiledType | null => {
    const accepting = ({ accepts }: (typeof options)[number]): boolean => accepts(value, work, isFloat)
    return (value === '' && stringOption ? stringOption : options.find(accepting))?.checks ?? fallback
  }
  return {
    validate(value, path, work, isFloat) {
      const checks = choose(value, work, isFloat)
      return checks ? checks.validate(value, path, work, isFloat) : notOfType(path, names.join(','))
    },
    coerce: (value, path, coercion, isFloat) =>
      choose(value, coercion.work, isFloat)?.coerce(value, path, coercion, isFloat) ?? null,
  }
}

const unchanged: CompiledType = {
  validate: () => null,
  coerce(value, _path, coercion, isFloat) {
    coercion.isFloat = isFloat === true
    return value
  },
}

/** Checks the type with its bounds, then `enum`, then `format`. `format` applies to strings and to unknown types. */
function compileType(rules: Rules, type: unknown): CompiledType {
  const namedType = typeOf(type)
  const typed = namedType?.compile(rules) ?? unchanged
  const format = namedType === null || type === 'string' ? formatChecks(rules['format']) : null
  const coerce = (format ?? typed).coerce
  const inEnum = rules['enum'] === undefined ? null : compileEnum(rules['enum'], coercionFor(rules, type, coerce))
  if (!inEnum && !format) return typed
  return {
    validate: (value, path, work, isFloat) =>
      typed.validate(value, path, work, isFloat) ??
      inEnum?.(value, path, work, isFloat) ??
      format?.validate(value, path, work, isFloat) ??
      null,
    coerce,
  }
}

/** The coercion before the comparison with `enum`: that of the whole schema, including `anyOf` and `oneOf`. */
function coercionFor(rules: Rules, type: unknown, coerce: CompiledType['coerce']): CompiledType['coerce'] {
  if (rules['anyOf'] === undefined && rules['oneOf'] === undefined) return coerce
  const { enum: _, ...otherRules } = rules
  return compileFor(otherRules, type).coerce
}
