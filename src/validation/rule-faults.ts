import { canonicalText } from '../http/canonical-text.js'
import { suggestion } from '../base/nearest.js'
import { isMap } from '../php/array-shape.js'
import { patternFault } from './pattern.js'
import { ranges, ruleShapes, type RuleShape } from './rule-shapes.js'
import { type ArgumentRules, formatNames, type TypeName, typeNames } from './rules.js'
import { compileSchema } from './schema.js'
import { type Rules, rulesOf } from './compiled-type.js'

/** Rules nested deeper than this are taken for rules that contain themselves. */
const maxDepth = 32

/** What other languages and people call the types. */
const otherNames: Readonly<Record<string, TypeName>> = {
  int: 'integer',
  bool: 'boolean',
  float: 'number',
  double: 'number',
  text: 'string',
  list: 'array',
  map: 'object',
}

/** Where rules stand. */
export interface RulePlace {
  /** Begins a sentence: `argument 'tags', items`. */
  readonly subject: string
  /** The type that the rules around hand down to `anyOf` and `oneOf`. */
  readonly inherited: unknown
  readonly depth: number
}

/** What is wrong with the rules of one value and of the values inside it, in sentences. */
export function ruleFaults(declared: unknown, place: RulePlace): string[] {
  const { subject, depth } = place
  if (!isMap(declared)) return [`${subject}: rules must be a map, such as { type: 'string' }.`]
  if (depth > maxDepth) return [`${subject}: rules are nested more than ${maxDepth} deep.`]
  const rules = rulesOf(declared)
  const faults = [
    ...Object.keys(rules).flatMap((name) => nameFaults(name, rules[name])),
    ...typeFaults(rules['type']),
    ...formatFaults(rules['format']),
    ...(typeof rules['pattern'] === 'string' ? patternFaults(rules['pattern'], rules['maxLength']) : []),
    ...Object.keys(rulesOf(rules['patternProperties'])).flatMap((pattern) => patternFaults(pattern, undefined)),
    ...idleFaults(rules, rules['type'] ?? place.inherited),
    ...rangeFaults(rules),
  ].map((sentence) => `${subject}: ${sentence}`)
  const inner = innerFaults(rules, place)
  if (faults.length > 0 || inner.length > 0) return [...faults, ...inner]
  return valueFaults(declared, place.inherited).map((sentence) => `${subject}: ${sentence}`)
}

const shapeOf = (name: string): RuleShape | undefined =>
  Object.hasOwn(ruleShapes, name) ? ruleShapes[name as keyof typeof ruleShapes] : undefined

function nameFaults(name: string, value: unknown): string[] {
  if (name === 'type') return []
  const shape = shapeOf(name)
  if (name.endsWith('_callback')) return [`'${name}' can only stand on the argument itself.`]
  if (!shape) return [`'${name}' is not a rule.${suggestion(name, ['type', ...Object.keys(ruleShapes)])}`]
  return shape.fits(value) ? [] : [`'${name}' must be ${shape.wanted}.`]
}

function typeFaults(type: unknown): string[] {
  if (type === undefined) return []
  const names: readonly unknown[] = Array.isArray(type) ? type : [type]
  if (names.length === 0) return [`'type' names no type.`]
  return names.flatMap((name) => {
    if (typeof name !== 'string') return [`'type' must be a type, or a list of types.`]
    if ((typeNames as readonly string[]).includes(name)) return []
    const other = Object.hasOwn(otherNames, name) ? ` Write '${otherNames[name]}'.` : suggestion(name, typeNames)
    return [`type '${name}' is unknown.${other}`]
  })
}

function formatFaults(format: unknown): string[] {
  if (typeof format !== 'string' || (formatNames as readonly string[]).includes(format)) return []
  return [`format '${format}' is unknown.${suggestion(format, formatNames)}`]
}

function patternFaults(pattern: string, maxLength: unknown): string[] {
  const fault = patternFault(pattern, typeof maxLength === 'number' ? maxLength : Infinity)
  return fault === null ? [] : [fault]
}

/** Rules that say nothing about values of this type; a reader would think that they protect something. */
function idleFaults(rules: Rules, type: unknown): string[] {
  // Without a type of its own, a schema with candidates has the type of the one that matches.
  if (type === undefined && (rules['anyOf'] !== undefined || rules['oneOf'] !== undefined)) return []
  const types: readonly unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type]
  return Object.keys(rules).flatMap((name) => {
    if (name === 'required' && Array.isArray(rules[name]) && !types.includes('object')) {
      return [`a list of names as 'required' means nothing without the type object.`]
    }
    const { types: concerned = null } = shapeOf(name) ?? {}
    if (concerned === null || types.some((one) => (concerned as readonly unknown[]).includes(one))) return []
    if (name === 'format' && type === undefined) return []
    return [`'${name}' means nothing without the type ${concerned.join(' or ')}.`]
  })
}

function rangeFaults(rules: Rules): string[] {
  const crossed = ranges.flatMap(([low, high]) => {
    const [from, to] = [rules[low], rules[high]]
    return typeof from === 'number' && typeof to === 'number' && from > to
      ? [`'${low}' is above '${high}', so that no value passes.`]
      : []
  })
  const limitless = (['Minimum', 'Maximum'] as const).flatMap((side) =>
    rules[`exclusive${side}`] === true && rules[side.toLowerCase()] === undefined
      ? [`'exclusive${side}' means nothing without '${side.toLowerCase()}'.`]
      : [],
  )
  return [...crossed, ...limitless]
}

function innerFaults(rules: Rules, { subject, inherited, depth }: RulePlace): string[] {
  const inside = (name: string): RulePlace => ({
    subject: `${subject}, ${name}`,
    inherited: undefined,
    depth: depth + 1,
  })
  const byName = (rule: string): string[] =>
    Object.entries(rulesOf(isMap(rules[rule]) ? rules[rule] : null)).flatMap(([name, inner]) =>
      ruleFaults(inner, inside(`${rule} '${name}'`)),
    )
  const candidates = (rule: string): string[] =>
    (Array.isArray(rules[rule]) ? (rules[rule] as unknown[]) : []).flatMap((inner, position) =>
      ruleFaults(inner, { ...inside(`${rule} ${position + 1}`), inherited: rules['type'] ?? inherited }),
    )
  const single = (rule: string): string[] => (isMap(rules[rule]) ? ruleFaults(rules[rule], inside(rule)) : [])
  return [
    ...single('items'),
    ...byName('properties'),
    ...byName('patternProperties'),
    ...single('additionalProperties'),
    ...candidates('anyOf'),
    ...candidates('oneOf'),
  ]
}

/** Values that the rules themselves name and that break them. */
function valueFaults(declared: ArgumentRules, inherited: unknown): string[] {
  const rules = (
    declared.type === undefined && inherited !== undefined ? { ...declared, type: inherited } : declared
  ) as ArgumentRules
  const faults: string[] = []
  for (const value of rules.enum ?? []) {
    const { problem } = verdictOn({ ...rules, enum: [value] }, value, 'it')
    if (problem !== null) faults.push(`'enum' lists ${shown(value)}, which can never be met: ${problem}`)
  }
  if (rules.default !== undefined && rules.default !== null) {
    const { problem } = verdictOn(rules, rules.default, 'it')
    if (problem !== null) faults.push(`the default ${shown(rules.default)} breaks the argument's own rules: ${problem}`)
    else if (canonicalText(rules.default) === null)
      faults.push('the default holds what JSON cannot say, so requests cannot get copies of it')
  }
  return faults
}

function verdictOn(rules: ArgumentRules, value: unknown, name: string): { problem: string | null } {
  const schema = compileSchema(rules)
  const problem = schema.validate(value, name) ?? schema.sanitize(value, name).problem
  return { problem: problem?.message ?? null }
}

const shown = (value: unknown): string => JSON.stringify(value) ?? String(value)
