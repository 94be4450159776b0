import { toInteger } from '../php/cast.js'

/** `absint`: the integer of the value without its sign; `'-5.9'` is 5, `'abc'` is 0. */
export function absint(value: unknown): number {
  return Math.abs(toInteger(value))
}
