import { toInteger } from '../php/cast.js'

/** `absint`: the absolute value of the value cast to an integer; `'-5.9'` is 5, `'abc'` is 0. */
export function absint(value: unknown): number {
  return Math.abs(toInteger(value))
}
