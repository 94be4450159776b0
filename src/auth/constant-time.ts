import { timingSafeEqual } from 'node:crypto'
import { encodeText } from '../php/text.js'

/** Whether both texts have the same bytes. The time depends only on their lengths. */
export function equalInConstantTime(expected: string, given: string): boolean {
  const left = encodeText(expected)
  const right = encodeText(given)
  return left.length === right.length && timingSafeEqual(left, right)
}
