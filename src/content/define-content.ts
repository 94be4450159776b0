import type { ValueDeclarations } from './declared-values.js'
import type { RecordTypeDeclarations } from './record-type.js'

/** The declarations of content: options of `boot`. */
export interface ContentDeclaration {
  /** Record types besides `post` and `page`, with their statuses, metadata and taxonomies. */
  readonly record_types?: RecordTypeDeclarations
  /** The metadata that `Users` reads and writes: `{ card: { type: 'string', pattern: '^[0-9]{8}$' } }`. Default: none. */
  readonly user_meta?: ValueDeclarations
  /** The metadata that `Terms` reads and writes. Default: none. */
  readonly term_meta?: ValueDeclarations
  /**
   * The options that `SiteOptions` takes, with their rules and defaults; it takes no others then. Default: any options, which
   * are read as WordPress stores them.
   */
  readonly site_options?: ValueDeclarations
}

/**
 * Keeps the literal types of what an application declares of its content, for the interface `Register`. Spread the result
 * into the configuration: `defineConfig({ ...content })`.
 * @returns the same object.
 */
export function defineContent<const C extends ContentDeclaration>(content: C): C {
  return content
}
