import { isMap } from '../php/array-shape.js'
import { isMediaRange } from './file.js'
import type { ArgumentRules, FileType, TypeName } from './rules.js'

/** The shape that the value of a rule must have, and the types that the rule applies to. */
export interface RuleShape {
  readonly fits: (value: unknown) => boolean
  /** Ends the sentence "'minimum' must be …". */
  readonly expected: string
  /** Null: the rule applies to all types. */
  readonly types: readonly (TypeName | FileType)[] | null
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isFlag = (value: unknown): boolean => typeof value === 'boolean'
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value)
const isStep = (value: unknown): boolean => isNumber(value) && Number(value) > 0
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0
const isRequired = (value: unknown): boolean => isFlag(value) || (Array.isArray(value) && value.every(isText))
const isChoice = (value: unknown): boolean => Array.isArray(value) && value.length > 0
const areMediaTypes = (value: unknown): boolean => isChoice(value) && (value as unknown[]).every(isMediaRange)
const isOpenness = (value: unknown): boolean => isFlag(value) || isMap(value)

const text = { fits: isText, expected: 'text' }
const flag = { fits: isFlag, expected: 'true or false' }
const number = { fits: isNumber, expected: 'a number' }
const count = { fits: isCount, expected: 'a whole number that is not negative' }
const rules = { fits: isMap, expected: 'a map of rules' }
const rulesByName = { fits: isMap, expected: 'a map of names to rules' }
const choice = { fits: isChoice, expected: 'a list with at least one entry' }

const numeric: readonly TypeName[] = ['integer', 'number']

/** The shapes of all rules but `type` and the callbacks. */
export const ruleShapes: Readonly<Record<Exclude<keyof ArgumentRules, 'type' | `${string}_callback`>, RuleShape>> = {
  title: { ...text, types: null },
  description: { ...text, types: null },
  context: { fits: (value) => Array.isArray(value) && value.every(isText), expected: 'a list of names', types: null },
  readonly: { ...flag, types: null },
  default: { fits: () => true, expected: 'anything', types: null },
  required: { fits: isRequired, expected: 'true, false or a list of names', types: null },
  enum: { ...choice, types: null },
  format: { ...text, types: ['string'] },
  minimum: { ...number, types: numeric },
  maximum: { ...number, types: numeric },
  exclusiveMinimum: { ...flag, expected: "true or false, beside 'minimum'", types: numeric },
  exclusiveMaximum: { ...flag, expected: "true or false, beside 'maximum'", types: numeric },
  multipleOf: { fits: isStep, expected: 'a number above 0', types: numeric },
  minLength: { ...count, types: ['string'] },
  maxLength: { ...count, types: ['string'] },
  pattern: { ...text, types: ['string'] },
  items: { ...rules, types: ['array'] },
  minItems: { ...count, types: ['array'] },
  maxItems: { ...count, types: ['array'] },
  uniqueItems: { ...flag, types: ['array'] },
  media_types: {
    fits: areMediaTypes,
    expected: "a list of media types, such as ['image/png', 'audio/*']",
    types: ['file'],
  },
  max_size: { ...count, expected: 'a whole number of bytes', types: ['file'] },
  properties: { ...rulesByName, types: ['object'] },
  patternProperties: { ...rulesByName, types: ['object'] },
  additionalProperties: { fits: isOpenness, expected: 'true, false or a map of rules', types: ['object'] },
  minProperties: { ...count, types: ['object'] },
  maxProperties: { ...count, types: ['object'] },
  anyOf: { ...choice, types: null },
  oneOf: { ...choice, types: null },
}

/** Pairs of rules of which the first must not exceed the second. */
export const ranges = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const
