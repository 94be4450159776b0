/** Several filters, all of which (`and`) or one of which (`or`) must hold. An empty `and` is true, an empty `or` is false. */
export interface FilterGroup<Filter> {
  readonly relation: 'and' | 'or'
  readonly filters: readonly Filter[]
}
