import type { ConfigScope } from './config-scope.js'
import { known, scalarText, truth, unknown, type PhpScalar, type Read } from './config-values.js'

/** That of `??`, and of what follows the `:` of `? :`. */
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
export function binary(operator: string, left: Read, right: Read, scope: ConfigScope): Read {
  if (!left.isKnown) return left
  if (!right.isKnown) return right
  switch (operator) {
    case '.':
      return scope.text(scalarText(left.value) + scalarText(right.value))
    case '===':
      return known(left.value === right.value)
    case '!==':
      return known(left.value !== right.value)
    case '==':
      return looselyEqual(left.value, right.value)
    case '!=':
    case '<>':
      return not(looselyEqual(left.value, right.value))
    case 'xor':
      return known(truth(left) !== truth(right))
    default:
      return arithmetic(operator, left.value, right.value)
  }
}

export function not(read: Read): Read {
  const isTrue = truth(read)
  return isTrue === null ? read : known(!isTrue)
}

/** Only where all versions of PHP agree. */
function looselyEqual(left: PhpScalar, right: PhpScalar): Read {
  if (left === null && typeof right === 'string') return known(right === '')
  if (right === null && typeof left === 'string') return known(left === '')
  if (typeof left === 'boolean' || typeof right === 'boolean' || left === null || right === null)
    return known(truth(known(left)) === truth(known(right)))
  if (typeof left === typeof right && (typeof left === 'number' || !isNumeric(left) || !isNumeric(right)))
    return known(left === right)
  return unknown('it compares a number with a text')
}

function arithmetic(operator: string, left: PhpScalar, right: PhpScalar): Read {
  if (typeof left !== 'number' || typeof right !== 'number') return unknown(`it calculates with ${operator}`)
  switch (operator) {
    case '+':
      return known(left + right)
    case '-':
      return known(left - right)
    case '*':
      return known(left * right)
    case '|':
      // eslint-disable-next-line no-bitwise
      return known(left | right)
    default:
      return unknown(`it calculates with ${operator}`)
  }
}

const isNumeric = (value: PhpScalar): boolean => typeof value === 'string' && /^\s*[-+]?(\d|\.\d)/.test(value)

/** @param text as written in the code. */
export function numberOf(text: string): Read {
  const digits = text.replaceAll('_', '')
  const value = /^0\d+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits)
  return Number.isFinite(value) ? known(value) : unknown('it is no number')
}

/** @param type as written in a cast, in lower case. */
export function cast(type: string, read: Read): Read {
  if (!read.isKnown) return read
  switch (type) {
    case 'string':
      return known(scalarText(read.value))
    case 'bool':
    case 'boolean':
      return known(truth(read))
    case 'int':
    case 'integer':
      return known(Math.trunc(Number.parseFloat(scalarText(read.value))) || 0)
    default:
      return unknown(`it is converted to ${type}`)
  }
}
