import type { ConfigScope } from './config-scope.js'
import {
  knownValue,
  scalarText,
  truth,
  unknownValue,
  withUnset,
  type PhpScalar,
  type Evaluation,
} from './config-values.js'

/** The precedence of `??`, and of the operand after the `:` of `? :`. */
export const coalescePrecedence = 6

/** How strongly PHP's binary operators bind. Assignments and `? :` are read elsewhere. */
export const precedences: ReadonlyMap<string, number> = new Map([
  ['or', 1],
  ['xor', 2],
  ['and', 3],
  ['?', 5],
  ['??', coalescePrecedence],
  ['||', 7],
  ['&&', 8],
  ['|', 9],
  ['^', 10],
  ['&', 11],
  ...['==', '!=', '===', '!==', '<>', '<=>'].map((mark) => [mark, 12] as const),
  ...['<', '<=', '>', '>='].map((mark) => [mark, 13] as const),
  ['.', 14],
  ['<<', 15],
  ['>>', 15],
  ['+', 16],
  ['-', 16],
  ['*', 17],
  ['/', 17],
  ['%', 17],
  ['instanceof', 18],
  ['**', 19],
])

export const assignmentPrecedence = 4
export const unaryPrecedence = 18

/** The value of an operator that always needs both sides. */
export function binary(operator: string, left: Evaluation, right: Evaluation, scope: ConfigScope): Evaluation {
  if (!left.isKnown) return left
  if (!right.isKnown) return right
  switch (operator) {
    case '.':
      return withUnset(scope.text(scalarText(left.value) + scalarText(right.value)), left, right)
    case '===':
      return knownValue(left.value === right.value)
    case '!==':
      return knownValue(left.value !== right.value)
    case '==':
      return looselyEqual(left.value, right.value)
    case '!=':
    case '<>':
      return not(looselyEqual(left.value, right.value))
    case 'xor':
      return knownValue(truth(left) !== truth(right))
    default:
      return withUnset(arithmetic(operator, left.value, right.value), left, right)
  }
}

export function not(operand: Evaluation): Evaluation {
  const isTrue = truth(operand)
  return isTrue === null ? operand : knownValue(!isTrue)
}

/** Only where all versions of PHP agree. */
function looselyEqual(left: PhpScalar, right: PhpScalar): Evaluation {
  if (left === null && typeof right === 'string') return knownValue(right === '')
  if (right === null && typeof left === 'string') return knownValue(left === '')
  if (typeof left === 'boolean' || typeof right === 'boolean' || left === null || right === null)
    return knownValue(truth(knownValue(left)) === truth(knownValue(right)))
  if (typeof left === typeof right && (typeof left === 'number' || !isNumeric(left) || !isNumeric(right)))
    return knownValue(left === right)
  return unknownValue('it compares a number with a text')
}

function arithmetic(operator: string, left: PhpScalar, right: PhpScalar): Evaluation {
  if (typeof left !== 'number' || typeof right !== 'number') return unknownValue(`it calculates with ${operator}`)
  switch (operator) {
    case '+':
      return knownValue(left + right)
    case '-':
      return knownValue(left - right)
    case '*':
      return knownValue(left * right)
    case '|':
      // eslint-disable-next-line no-bitwise
      return knownValue(left | right)
    default:
      return unknownValue(`it calculates with ${operator}`)
  }
}

const isNumeric = (value: PhpScalar): boolean => typeof value === 'string' && /^\s*[-+]?(\d|\.\d)/.test(value)

/** @param text as written in the code. */
export function numberOf(text: string): Evaluation {
  const digits = text.replaceAll('_', '')
  const value = /^0\d+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits)
  return Number.isFinite(value) ? knownValue(value) : unknownValue('it is no number')
}

/** @param type as written in a cast, in lower case. */
export function cast(type: string, operand: Evaluation): Evaluation {
  return operand.isKnown ? withUnset(converted(type, operand.value), operand) : operand
}

function converted(type: string, value: PhpScalar): Evaluation {
  switch (type) {
    case 'string':
      return knownValue(scalarText(value))
    case 'bool':
    case 'boolean':
      return knownValue(truth(knownValue(value)))
    case 'int':
    case 'integer':
      return knownValue(Math.trunc(Number.parseFloat(scalarText(value))) || 0)
    default:
      return unknownValue(`it is converted to ${type}`)
  }
}

/** The names of casts. */
export const casts: ReadonlySet<string> = new Set([
  'string',
  'int',
  'integer',
  'bool',
  'boolean',
  'float',
  'double',
  'array',
  'object',
])
