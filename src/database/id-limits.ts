/**
 * Whether a new row may have this id. Later rows get the ids after it, which must be safe integers: beyond `2 ** 53 - 1`
 * JavaScript would read two ids as one.
 */
export function isAssignableId(id: number): boolean {
  return Number.isInteger(id) && id > 0 && id <= 2 ** 52
}
