import type { ArgumentSchema } from '../../src/validation/rules.js'

/** An endpoint as the index of the service describes it. */
export interface Operation {
  readonly method: string
  /** `/shop/v1/products/(?P<id>\d+)` */
  readonly pattern: string
  readonly args: ArgumentSchema
}

interface IndexDocument {
  readonly routes: Readonly<
    Record<string, { readonly endpoints: readonly { readonly methods: readonly string[]; readonly args: unknown }[] }>
  >
}

/** Every method of every route of the index, those of the service itself included. */
export function operationsOf(index: IndexDocument): readonly Operation[] {
  return Object.entries(index.routes).flatMap(([pattern, { endpoints }]) =>
    endpoints.flatMap(({ methods, args }) =>
      methods.map((method) => ({ method, pattern, args: Array.isArray(args) ? {} : (args as ArgumentSchema) })),
    ),
  )
}
