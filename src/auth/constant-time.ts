import { timingSafeEqual } from 'node:crypto'
import { encodeText } from '../php/text.js'

/**
 * Whether two texts have the same bytes. The duration reveals only whether the lengths are equal, so that a client
 * cannot guess a secret byte by byte.
 */
export function equalInConstantTime(expected: string, actual: string): boolean {
  const left = encodeText(expected)
  const right = encodeText(actual)
  return left.length === right.length && timingSafeEqual(left, right)
}
