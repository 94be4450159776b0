import type { ResponseValue } from '../validation/response-value.js'
import type { SchemaValue } from '../validation/schema-value.js'
import type { Register } from './register.js'

// The names and types that the compiler knows of the content of the application: see `Register`.

type IsRegistered = Register extends { readonly content: object } ? true : false
type RecordTypes = Register extends { readonly content: { readonly record_types: infer Types } } ? Types : {}
type UserMeta = Register extends { readonly content: { readonly user_meta: infer Meta } } ? Meta : never
type TermMeta = Register extends { readonly content: { readonly term_meta: infer Meta } } ? Meta : never
type SiteOptions = Register extends { readonly content: { readonly site_options: infer Options } } ? Options : never

/** WordPress's own types of records. */
type BuiltInType = 'post' | 'page' | 'attachment' | 'revision'
/** WordPress's own statuses. */
type BuiltInStatus = 'publish' | 'draft' | 'pending' | 'private' | 'future' | 'trash' | 'auto-draft' | 'inherit'
/** WordPress's own taxonomies. */
type BuiltInTaxonomy = 'category' | 'post_tag' | 'post_format'

/** The name of a record type: a declared one or one of WordPress's. Any text while nothing is registered. */
export type RecordTypeName = IsRegistered extends true ? BuiltInType | (keyof RecordTypes & string) : string

type DeclarationOf<T> = T extends keyof RecordTypes ? RecordTypes[T] : {}

/** The statuses of a type: WordPress's and those of its declaration. */
export type RecordStatus<T extends RecordTypeName = RecordTypeName> = IsRegistered extends true
  ? BuiltInStatus | DeclaredStatus<T>
  : string

type DeclaredStatus<T> = T extends unknown
  ? DeclarationOf<T> extends { readonly statuses: readonly (infer Status extends string)[] }
    ? Status
    : never
  : never

/** A taxonomy that a type declares or that is one of WordPress's. */
export type TaxonomyName = IsRegistered extends true
  ? BuiltInTaxonomy | { [Name in keyof RecordTypes]: TaxonomiesIn<RecordTypes[Name], never> }[keyof RecordTypes]
  : string

type TaxonomiesIn<Declaration, Otherwise> = Declaration extends {
  readonly taxonomies: readonly (infer Taxonomy extends string)[]
}
  ? Taxonomy
  : Otherwise

/** The taxonomies whose terms a record of the type may have. */
export type TaxonomyOf<T extends RecordTypeName> = IsRegistered extends true
  ? T extends unknown
    ? TaxonomiesIn<DeclarationOf<T>, TaxonomyName>
    : never
  : string

/** The declared metadata of types; never for those that declare none. */
type MetaOf<T> = T extends keyof RecordTypes
  ? RecordTypes[T] extends { readonly meta: infer Meta }
    ? Meta
    : never
  : never

type KeyIn<Meta> = Meta extends unknown ? keyof Meta & string : never

/** A key of metadata that one of the types declares; any text where none of them declares metadata. */
export type MetaKey<T extends RecordTypeName = RecordTypeName> = KeyOf<MetaOf<T>>

// Here and below, a type takes the metadata as a parameter: the compiler would evaluate `MetaOf<T>` twice in
// `[MetaOf<T>] extends [never]`.
type KeyOf<Meta> = [Meta] extends [never] ? string : KeyIn<Meta>

type WrittenValue<Meta, Key> = Meta extends unknown
  ? Key extends keyof Meta
    ? ResponseValue<Meta[Key]>
    : never
  : never

/** Metadata as it is written. */
export type NewMeta<T extends RecordTypeName = RecordTypeName> = WrittenMeta<MetaOf<T>>

type WrittenMeta<Meta> = [Meta] extends [never]
  ? Readonly<Record<string, unknown>>
  : { readonly [Key in KeyIn<Meta>]?: WrittenValue<Meta, Key> | null | undefined }

/** The metadata of a record of one type as it is read. A key without a default may be absent. */
export type StoredMeta<T, Key> = ReadMeta<MetaOf<T>, Key>

type ReadMeta<Meta, Key> = [Meta] extends [never]
  ? Readonly<Record<string, unknown>>
  : { readonly [Name in Key & keyof Meta]: ReadValue<Meta[Name], undefined> }

type ReadValue<Declaration, Absent> = Declaration extends { readonly default: {} }
  ? SchemaValue<Declaration>
  : SchemaValue<Declaration> | Absent

/** Declared values as they are read. */
type ReadValues<Declarations> = [Declarations] extends [never]
  ? Readonly<Record<string, unknown>>
  : { readonly [Name in keyof Declarations]: ReadValue<Declarations[Name], undefined> }

/** Declared values as they are written. */
type NewValues<Declarations> = [Declarations] extends [never]
  ? Readonly<Record<string, unknown>>
  : { readonly [Name in keyof Declarations]?: ResponseValue<Declarations[Name]> | null | undefined }

/** The metadata of a user that the option `user_meta` declares. A key without a default may be absent. */
export type DeclaredUserMeta = ReadValues<UserMeta>
/** A change of the metadata of a user. */
export type NewUserMeta = NewValues<UserMeta>
/** The metadata of a term that the option `term_meta` declares. A key without a default may be absent. */
export type DeclaredTermMeta = ReadValues<TermMeta>
/** A change of the metadata of a term. */
export type NewTermMeta = NewValues<TermMeta>

/** The name of an option of the site: a declared one; any text where none are declared. */
export type OptionName = [SiteOptions] extends [never] ? string : keyof SiteOptions & string

/** An option as it is read; null without a value and a default. */
export type OptionValue<Name> = [SiteOptions] extends [never]
  ? unknown
  : Name extends keyof SiteOptions
    ? ReadValue<SiteOptions[Name], null>
    : unknown

/** An option as it is written. */
export type NewOptionValue<Name> = [SiteOptions] extends [never]
  ? unknown
  : Name extends keyof SiteOptions
    ? ResponseValue<SiteOptions[Name]>
    : unknown
