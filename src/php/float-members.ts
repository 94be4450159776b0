const floatKeys = new WeakMap<object, ReadonlySet<string>>()

/**
 * Records which members of a list or map are floats for PHP although their values are whole: JSON has them as `1.0` or
 * `1e0`. JavaScript has one type for all numbers, and a few rules of WordPress tell integers from floats.
 */
export function markFloats(container: object, keys: ReadonlySet<string> | undefined): void {
  if (keys !== undefined && keys.size > 0) floatKeys.set(container, keys)
}

/** The keys that {@link markFloats} has recorded; undefined for none, as in nearly every container. */
export function floatsOf(container: object): ReadonlySet<string> | undefined {
  return floatKeys.get(container)
}
