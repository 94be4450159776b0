/** The properties of an operation that its name is composed of. */
export interface NamedOperation {
  /** `ProductsApi.show` */
  readonly handler: string
  readonly method: string
  /** `shop/v1` */
  readonly namespace: string
}

/**
 * A unique name for each operation, in the order of the operations. A name begins with the name of the handler. When
 * handlers of several namespaces have that name (two versions of an API, for example), the namespace is added to each,
 * so that the order of the files does not matter. When a handler serves several routes, the method is added, and then a
 * number.
 * @param nameOf the name for a handler: `ProductsApi.show` → `productsShow`.
 * @param join appends words to a name: the words of a namespace, a method or a number.
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
  const usedNames = new Set<string>()
  return operations.map(({ handler, method, namespace }) => {
    const handlerName = nameOf(handler)
    const isShared = (namespaces.get(handlerName)?.size ?? 0) > 1
    const baseName = isShared ? join(handlerName, namespace.match(/[\p{ID_Continue}$]+/gu) ?? []) : handlerName
    const withMethod = join(baseName, [method.toLowerCase()])
    let name = usedNames.has(baseName) ? withMethod : baseName
    for (let count = 2; usedNames.has(name); count += 1) name = join(withMethod, [String(count)])
    usedNames.add(name)
    return name
  })
}
