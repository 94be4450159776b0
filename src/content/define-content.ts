import type { RecordTypeDeclarations } from './record-type.js'

/** What an application declares of its content: options of `boot`. */
export interface ContentDeclaration {
  readonly record_types?: RecordTypeDeclarations
}

/**
 * Keeps the literal types of what an application declares of its content, for the interface `Register`. Spread the result
 * into the configuration: `defineConfig({ ...content })`.
 * @returns the same object.
 */
export function defineContent<const C extends ContentDeclaration>(content: C): C {
  return content
}
