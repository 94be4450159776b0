/** The declaration of one metadata key. */
export interface MetaDeclaration {
  /** The type of the value in a record. With `number` and `integer`, `orderby: { meta }` sorts numerically. */
  readonly type: MetaType
  /** The value in a record that does not have the key. Without a default the key is absent. */
  readonly default?: unknown
}

export type MetaType = 'number' | 'integer' | 'string' | 'boolean' | 'array' | 'object'

/** The declaration of a record type: one entry of the boot option `record_types`. */
export interface RecordTypeDeclaration {
  /**
   * The path of its permalinks, without slashes at the ends: `shop/item`. Default: the name of the type. `false`: no pretty
   * permalinks.
   */
  readonly permalink?: string | false
  /** Whether its permalinks begin with the fixed part of the permalink structure (`/archives`). Default true. */
  readonly with_front?: boolean
  /**
   * Whether visitors see its published records on the front page and at their permalinks. Default false, as in WordPress:
   * then only your own routes show them.
   */
  readonly public?: boolean
  /** Whether a record may have a parent. Default false. */
  readonly hierarchical?: boolean
  /**
   * The features of its records. Default: `title` and `editor`. A type with `title`, `editor` and `excerpt` refuses a
   * record without any of the three, as in WordPress. With `comments` and `trackbacks`, these are open by default. With
   * `revisions`, the versions of a record are stored.
   */
  readonly supports?: readonly string[]
  /** The taxonomies whose terms its records may have. Default: all taxonomies. */
  readonly taxonomies?: readonly string[]
  /** The stem of its primitive capabilities: `book` for `edit_books` and so on. Default `post`. */
  readonly capability_type?: string
  /**
   * Whether meta capabilities such as `edit_post` are mapped to primitive capabilities. Default, as in WordPress: true for
   * the stems `post` and `page`.
   */
  readonly map_meta_cap?: boolean
  readonly meta?: Readonly<Record<string, MetaDeclaration>>
}

export type RecordTypeDeclarations = Readonly<Record<string, RecordTypeDeclaration>>

/** A registered record type, with all defaults. */
export interface RecordType {
  readonly name: string
  readonly public: boolean
  readonly hierarchical: boolean
  readonly supports: ReadonlySet<string>
  /** `null` for all taxonomies. */
  readonly taxonomies: ReadonlySet<string> | null
  /** `null` when it has no pretty permalinks. */
  readonly permalink: string | null
  readonly with_front: boolean
  readonly capability_type: string
  readonly map_meta_cap: boolean
  readonly meta: ReadonlyMap<string, MetaDeclaration>
}
