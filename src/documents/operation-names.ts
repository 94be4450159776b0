/** What a name is made for. */
export interface NamedOperation {
  /** `ProductsApi.show` */
  readonly handler: string
  readonly method: string
}

/**
 * A name for each operation that no other has: that of its handler; where a handler serves several, the method is added,
 * and then a number.
 * @param nameOf the name of a handler: `ProductsApi.show` → `productsShow`.
 * @param join puts a suffix behind a name.
 */
export function operationNames(
  operations: readonly NamedOperation[],
  nameOf: (handler: string) => string,
  join: (name: string, suffix: string) => string,
): readonly string[] {
  const taken = new Set<string>()
  return operations.map(({ handler, method }) => {
    const plain = nameOf(handler)
    const withMethod = join(plain, method.toLowerCase())
    let name = taken.has(plain) ? withMethod : plain
    for (let count = 2; taken.has(name); count += 1) name = join(withMethod, String(count))
    taken.add(name)
    return name
  })
}
