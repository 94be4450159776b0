import { timingSafeEqual } from 'node:crypto'
import { encodeText } from '../php/text.js'

/** Whether both texts have the same bytes; the time taken tells no more than their lengths. */
export function equalInConstantTime(expected: string, given: string): boolean {
  const left = encodeText(expected)
  const right = encodeText(given)
  return left.length === right.length && timingSafeEqual(left, right)
}
