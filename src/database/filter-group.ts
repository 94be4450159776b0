/** Several filters of which all (`and`) or any (`or`) hold. An empty `and` is true, an empty `or` is false. */
export interface FilterGroup<Filter> {
  readonly relation: 'and' | 'or'
  readonly filters: readonly Filter[]
}
