/** What may be registered about one metadata key. */
export interface MetaDeclaration {
  /** What reading gives. `number` and `integer` also make `orderby: { meta }` numeric. */
  readonly type: MetaType
  /** What reading gives when the record has no such key. Left out: the key is absent. */
  readonly default?: unknown
}

export type MetaType = 'number' | 'integer' | 'string' | 'boolean' | 'array' | 'object'

/** How an application declares a type of record: one entry of the boot option `record_types`. */
export interface RecordTypeDeclaration {
  /** Where its permalinks lie, without slashes at the ends: `shop/item`. Default: its name. `false`: no pretty permalinks. */
  readonly permalink?: string | false
  /** Whether the fixed part of the permalink structure (`/archives`) comes before its permalinks. Default true. */
  readonly with_front?: boolean
  /**
   * Whether visitors may see its published records: on the front page, and at their permalinks. Default false, as in
   * WordPress: then only your own routes show them.
   */
  readonly public?: boolean
  /** Whether a record may lie below another one. Default false. */
  readonly hierarchical?: boolean
  /**
   * What its records have. Default `title` and `editor`. A type with `title`, `editor` and `excerpt` refuses a record
   * that has none of the three. `comments` and `trackbacks` open them, `revisions` keeps old versions.
   */
  readonly supports?: readonly string[]
  /** Taxonomies whose terms its records may have. Default: every taxonomy may be used. */
  readonly taxonomies?: readonly string[]
  /** Stem of the primitive capabilities that rule it: `post` (default), or `book` for `edit_books` and so on. */
  readonly capability_type?: string
  /** Whether `edit_post` and its like are mapped to primitives. Default: true for the stems `post` and `page` (WordPress). */
  readonly map_meta_cap?: boolean
  readonly meta?: Readonly<Record<string, MetaDeclaration>>
}

export type RecordTypeDeclarations = Readonly<Record<string, RecordTypeDeclaration>>

/** A registered type of record, every default filled in. */
export interface RecordType {
  readonly name: string
  readonly public: boolean
  readonly hierarchical: boolean
  readonly supports: ReadonlySet<string>
  /** `null`: every taxonomy. */
  readonly taxonomies: ReadonlySet<string> | null
  /** `null`: it has no pretty permalinks. */
  readonly permalink: string | null
  readonly with_front: boolean
  readonly capability_type: string
  readonly map_meta_cap: boolean
  readonly meta: ReadonlyMap<string, MetaDeclaration>
}
