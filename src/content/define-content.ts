import type { ValueDeclarations } from './declared-values.js'
import type { Complaint } from '../base/complaint.js'
import type { RecordTypeOptions } from './record-type.js'

/** The declarations of content: options of `boot`. */
export interface ContentDeclaration extends ValueDeclarationsOfContent {
  /** Record types besides `post` and `page`, with their statuses, metadata and taxonomies. */
  readonly record_types?: Readonly<Record<string, ContentTypeDeclaration>>
}

/** A record type without functions: those take records, whose types follow from this declaration. */
export interface ContentTypeDeclaration extends RecordTypeOptions {
  readonly after_commit?: Complaint<'after_commit takes records of the types that defineContent declares: write it in defineConfig, in record_types: { ...content.record_types, book: { ...content.record_types.book, after_commit: { … } } }'>
}

/** The declarations of content besides record types: options of `boot`. */
export interface ValueDeclarationsOfContent {
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
