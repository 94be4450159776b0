import { canonicalText } from '../http/canonical-text.js'
import { fault, type Fault } from '../base/fault.js'
import { suggestion } from '../base/nearest.js'
import { isMap } from '../php/array-shape.js'
import { patternFault } from './pattern.js'
import { ranges, ruleShapes, type RuleShape } from './rule-shapes.js'
import { type ArgumentRules, type FileType, formatNames, type TypeName, typeNames } from './rules.js'
import { compileSchema } from './schema.js'
import { type Rules, rulesOf } from './compiled-type.js'

/** Maximum nesting of rules. Rules that contain themselves exceed it. */
const maxDepth = 32

/** Names of rules in other libraries, which do not resemble the names here. */
const otherRuleNames: Readonly<Record<string, string>> = { min: 'minimum', max: 'maximum', regex: 'pattern' }

/** Names of the types in other languages. */
const otherTypeNames: Readonly<Record<string, TypeName>> = {
  int: 'integer',
  bool: 'boolean',
  float: 'number',
  double: 'number',
  text: 'string',
  list: 'array',
  map: 'object',
}

/** The position of rules in a declaration. */
export interface RulePosition {
  /** Starts each message: `argument 'tags', items`. */
  readonly subject: string
  /** The type of the enclosing rules, which applies to candidates of `anyOf` and `oneOf` without a type. */
  readonly inherited: unknown
  readonly depth: number
  /** Whether these are the rules of an argument, which may be a file. Default false. */
  readonly isArgument?: boolean
}

/** The same fault with a message that begins with the subject. */
export function withSubject(subject: string, { code, message }: Fault): Fault {
  return fault(code, `${subject}: ${message}`)
}

/** The mistakes in the rules of one value and of the values nested in it. */
export function ruleDiagnostics(declaration: unknown, position: RulePosition): Fault[] {
  const { subject, depth } = position
  if (!isMap(declaration))
    return [fault('rules-invalid', `${subject}: rules must be a map, such as { type: 'string' }.`)]
  if (depth > maxDepth) return [fault('rules-too-deep', `${subject}: rules are nested more than ${maxDepth} deep.`)]
  const rules = rulesOf(declaration)
  const diagnostics = [
    ...Object.keys(rules).flatMap((name) => nameDiagnostics(name, rules[name])),
    ...typeDiagnostics(rules['type'], position),
    ...formatDiagnostics(rules['format']),
    ...(typeof rules['pattern'] === 'string' ? patternDiagnostics(rules['pattern'], rules['maxLength']) : []),
    ...Object.keys(rulesOf(rules['patternProperties'])).flatMap((pattern) => patternDiagnostics(pattern, undefined)),
    ...(position.isArgument === true ? fileRuleDiagnostics(rules) : []),
    ...ineffectiveDiagnostics(rules, rules['type'] ?? position.inherited),
    ...rangeDiagnostics(rules),
  ].map((diagnostic) => withSubject(subject, diagnostic))
  const nested = nestedDiagnostics(rules, position)
  if (diagnostics.length > 0 || nested.length > 0) return [...diagnostics, ...nested]
  return valueDiagnostics(declaration, position.inherited).map((diagnostic) => withSubject(subject, diagnostic))
}

const shapeOf = (name: string): RuleShape | undefined =>
  Object.hasOwn(ruleShapes, name) ? ruleShapes[name as keyof typeof ruleShapes] : undefined

function nameDiagnostics(name: string, value: unknown): Fault[] {
  if (name === 'type') return []
  const shape = shapeOf(name)
  if (name.endsWith('_callback'))
    return [fault('callback-misplaced', `'${name}' can only stand on the argument itself.`)]
  if (!shape) {
    const remedy = Object.hasOwn(otherRuleNames, name)
      ? ` Did you mean '${otherRuleNames[name]}'?`
      : suggestion(name, ['type', ...Object.keys(ruleShapes)])
    return [fault('rule-unknown', `'${name}' is not a rule.${remedy}`)]
  }
  return shape.fits(value) ? [] : [fault('rule-invalid', `'${name}' must be ${shape.expected}.`)]
}

function typeDiagnostics(type: unknown, { isArgument = false }: RulePosition): Fault[] {
  if (type === undefined) return []
  if (type === fileType) return isArgument ? [] : [misplacedFile]
  const names: readonly unknown[] = Array.isArray(type) ? type : [type]
  if (names.length === 0) return [fault('type-invalid', `'type' names no type.`)]
  return names.flatMap((name) => {
    if (typeof name !== 'string') return [fault('type-invalid', `'type' must be a type, or a list of types.`)]
    if (name === fileType) return [misplacedFile]
    if ((typeNames as readonly string[]).includes(name)) return []
    const remedy = Object.hasOwn(otherTypeNames, name)
      ? ` Write '${otherTypeNames[name]}'.`
      : suggestion(name, typeNames)
    return [fault('type-unknown', `type '${name}' is unknown.${remedy}`)]
  })
}

const fileType: FileType = 'file'

const misplacedFile = fault(
  'file-misplaced',
  "'file' can only be the type of an argument of a POST, without other types beside it, or the type of its items: { type: 'array', items: { type: 'file' } }.",
)

/** Why a rule cannot be declared for files. They are no values that rules could compare, and their contents are not read. */
const rulesAgainstFiles = {
  default: 'is a value, and only a request contains a file',
  enum: 'lists values, and no file equals one of them',
  anyOf: 'is not applied to files',
  oneOf: 'is not applied to files',
  uniqueItems: 'compares values, and the contents of files are not read',
} as const

/** Reports rules that no file can satisfy, or that are not applied to files. */
function fileRuleDiagnostics(rules: Rules): Fault[] {
  const isFile = rules['type'] === fileType
  if (!isFile && rulesOf(rules['items'])['type'] !== fileType) return []
  const subject = isFile ? 'a file' : 'a list of files'
  const invalid = Object.entries(rulesAgainstFiles).flatMap(([name, reason]) => {
    const rule = rules[name]
    if (rule === undefined || rule === false) return []
    // A list may be empty without a request. That a single file has no items is reported as for all other types.
    if (isFile ? name === 'uniqueItems' : name === 'default' && isEmptyList(rule)) return []
    return [fault('file-rule-invalid', `'${name}' ${reason}, so it cannot be a rule of ${subject}. Remove it.`)]
  })
  const isMixed = !isFile && rules['type'] !== undefined && rules['type'] !== 'array'
  return isMixed ? [misplacedFile, ...invalid] : invalid
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

function formatDiagnostics(format: unknown): Fault[] {
  if (typeof format !== 'string' || (formatNames as readonly string[]).includes(format)) return []
  return [fault('format-unknown', `format '${format}' is unknown.${suggestion(format, formatNames)}`)]
}

function patternDiagnostics(pattern: string, maxLength: unknown): Fault[] {
  const diagnostic = patternFault(pattern, typeof maxLength === 'number' ? maxLength : Infinity)
  return diagnostic === null ? [] : [diagnostic]
}

/** Reports rules that have no effect on values of this type. A reader of the declaration would rely on them. */
function ineffectiveDiagnostics(rules: Rules, type: unknown): Fault[] {
  // A schema with candidates and without a type of its own has the type of the matching candidate.
  if (type === undefined && (rules['anyOf'] !== undefined || rules['oneOf'] !== undefined)) return []
  const types: readonly unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type]
  return Object.keys(rules).flatMap((name) => {
    if (name === 'required' && Array.isArray(rules[name]) && !types.includes('object')) {
      return [fault('rule-without-effect', `a list of names as 'required' has no effect without the type object.`)]
    }
    const { types: ruleTypes = null } = shapeOf(name) ?? {}
    if (ruleTypes === null || types.some((valueType) => (ruleTypes as readonly unknown[]).includes(valueType)))
      return []
    if (name === 'format' && type === undefined) return []
    return [fault('rule-without-effect', `'${name}' has no effect without the type ${ruleTypes.join(' or ')}.`)]
  })
}

function rangeDiagnostics(rules: Rules): Fault[] {
  const contradictions = ranges.flatMap(([lowerRule, upperRule]) => {
    const [lower, upper] = [rules[lowerRule], rules[upperRule]]
    return typeof lower === 'number' && typeof upper === 'number' && lower > upper
      ? [fault('range-empty', `'${lowerRule}' is above '${upperRule}', so that no value passes.`)]
      : []
  })
  const withoutLimit = (['Minimum', 'Maximum'] as const).flatMap((side) =>
    rules[`exclusive${side}`] === true && rules[side.toLowerCase()] === undefined
      ? [fault('rule-without-effect', `'exclusive${side}' has no effect without '${side.toLowerCase()}'.`)]
      : [],
  )
  return [...contradictions, ...withoutLimit]
}

function nestedDiagnostics(rules: Rules, { subject, inherited, depth, isArgument = false }: RulePosition): Fault[] {
  const nestedPosition = (name: string): RulePosition => ({
    subject: `${subject}, ${name}`,
    inherited: undefined,
    depth: depth + 1,
  })
  const byName = (rule: string): Fault[] =>
    Object.entries(rulesOf(isMap(rules[rule]) ? rules[rule] : null)).flatMap(([name, nested]) =>
      ruleDiagnostics(nested, nestedPosition(`${rule} '${name}'`)),
    )
  const candidates = (rule: string): Fault[] =>
    (Array.isArray(rules[rule]) ? (rules[rule] as unknown[]) : []).flatMap((nested, position) =>
      ruleDiagnostics(nested, { ...nestedPosition(`${rule} ${position + 1}`), inherited: rules['type'] ?? inherited }),
    )
  const single = (rule: string, isArgument = false): Fault[] =>
    isMap(rules[rule]) ? ruleDiagnostics(rules[rule], { ...nestedPosition(rule), isArgument }) : []
  return [
    ...single('items', isArgument && depth === 0),
    ...byName('properties'),
    ...byName('patternProperties'),
    ...single('additionalProperties'),
    ...candidates('anyOf'),
    ...candidates('oneOf'),
  ]
}

/** Reports values of `enum` and `default` that break the rules beside them. */
function valueDiagnostics(declaration: ArgumentRules, inherited: unknown): Fault[] {
  const rules = (
    declaration.type === undefined && inherited !== undefined ? { ...declaration, type: inherited } : declaration
  ) as ArgumentRules
  const diagnostics: Fault[] = []
  for (const value of rules.enum ?? []) {
    const problem = problemOf({ ...rules, enum: [value] }, value)
    if (problem !== null)
      diagnostics.push(
        fault('enum-impossible', `'enum' lists ${textOf(value)}, which no valid value can equal: ${problem}`),
      )
  }
  if (rules.default !== undefined && rules.default !== null) {
    const problem = problemOf(rules, rules.default)
    if (problem !== null)
      diagnostics.push(
        fault(
          'default-invalid',
          `the default ${textOf(rules.default)} breaks the argument's own rules: ${problem.replace(/\.?$/, '.')}`,
        ),
      )
    else if (canonicalText(rules.default) === null)
      diagnostics.push(
        fault(
          'default-not-json',
          'the default contains a value without a JSON form, so requests cannot get copies of it',
        ),
      )
  }
  return diagnostics
}

/** The message of the first rule that a value breaks, in which the value is called `it`; null when it breaks none. */
function problemOf(rules: ArgumentRules, value: unknown): string | null {
  const schema = compileSchema(rules)
  const problem = schema.validate(value, 'it') ?? schema.sanitize(value, 'it').problem
  return problem?.message ?? null
}

const textOf = (value: unknown): string => JSON.stringify(value) ?? String(value)
