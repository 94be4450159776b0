/** What a name is made for. */
export interface NamedOperation {
  /** `ProductsApi.show` */
  readonly handler: string
  readonly method: string
  /** `shop/v1` */
  readonly namespace: string
}

/**
 * A name for each operation that no other has: that of its handler; where that would be one for several namespaces, as
 * for the versions of an API, each with its namespace, so that it does not matter which file comes first. Where a handler
 * serves several, the method is added, and then a number.
 * @param nameOf the name of a handler: `ProductsApi.show` → `productsShow`.
 * @param join puts words behind a name: those of a namespace, a method or a number.
 */
export function operationNames(
  operations: readonly NamedOperation[],
  nameOf: (handler: string) => string,
  join: (name: string, words: readonly string[]) => string,
): readonly string[] {
  const namespaces = new Map<string, Set<string>>()
  for (const { handler, namespace } of operations) {
    const name = nameOf(handler)
    namespaces.set(name, (namespaces.get(name) ?? new Set()).add(namespace))
  }
  const taken = new Set<string>()
  return operations.map(({ handler, method, namespace }) => {
    const own = nameOf(handler)
    const isShared = (namespaces.get(own)?.size ?? 0) > 1
    const plain = isShared ? join(own, namespace.match(/[\p{ID_Continue}$]+/gu) ?? []) : own
    const withMethod = join(plain, [method.toLowerCase()])
    let name = taken.has(plain) ? withMethod : plain
    for (let count = 2; taken.has(name); count += 1) name = join(withMethod, [String(count)])
    taken.add(name)
    return name
  })
}
