/**
 * Whether a new row may be given this id. Those that come after it go on from there, and must be numbers that JavaScript can
 * tell apart: behind `2 ** 53 - 1` two rows would have one id.
 */
export function isAssignableId(id: number): boolean {
  return Number.isInteger(id) && id > 0 && id <= 2 ** 52
}
