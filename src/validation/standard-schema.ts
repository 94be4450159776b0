/**
 * A schema of a library that follows Standard Schema (standardschema.dev), such as Zod, Valibot and ArkType.
 * @typeParam Input the type that it accepts. @typeParam Output the type that it returns.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown, options?: never) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** The type that a schema accepts. */
export type StandardInput<Schema> = StandardTypes<Schema> extends { readonly input: infer Input } ? Input : unknown

/** The type that a schema returns. */
export type StandardOutput<Schema> = StandardTypes<Schema> extends { readonly output: infer Output } ? Output : unknown

type StandardTypes<Schema> = Schema extends { readonly '~standard': { readonly types?: infer Types } }
  ? NonNullable<Types>
  : never

/** The version of JSON Schema that is requested from libraries. */
const jsonSchemaVersion = { target: 'draft-2020-12' }

/** Whether a value is a schema of a library. ArkType's schemas are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || !('~standard' in value))
    return false
  const standard: unknown = value['~standard']
  return typeof standard === 'object' && standard !== null && 'validate' in standard
}

/** The names and indexes that lead to the value an issue is about; empty for the value as a whole. */
export function pathOf({ path = [] }: StandardIssue): readonly string[] {
  return path.map((segment) => String(typeof segment === 'object' ? segment.key : segment))
}

/**
 * The JSON Schema of the input or output of a schema, by Standard JSON Schema; null when the library offers none, or none
 * for this schema.
 */
export function jsonSchemaFrom(schema: StandardSchema, side: 'input' | 'output'): Record<string, unknown> | null {
  const { jsonSchema } = schema['~standard'] as {
    readonly jsonSchema?: Readonly<Record<typeof side, (options: typeof jsonSchemaVersion) => Record<string, unknown>>>
  }
  try {
    return jsonSchema?.[side](jsonSchemaVersion) ?? null
  } catch {
    // A library throws for what JSON Schema cannot say, such as a Date.
    return null
  }
}
