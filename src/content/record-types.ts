import type { MetaKeyOfType } from '../database/storage.js'
import { builtInTypes, defaultSupports } from './built-in-types.js'
import type { MetaDeclaration, RecordType, RecordTypeDeclaration, RecordTypeDeclarations } from './record-type.js'

export type {
  AfterCommit,
  MetaDeclaration,
  MetaType,
  RecordType,
  RecordTypeDeclaration,
  RecordTypeDeclarations,
} from './record-type.js'

/**
 * The record types of a service: WordPress's `post`, `page`, `attachment` and `revision`, and those of the application. A
 * declaration with the name `post` or `page` adds statuses, metadata and `after_commit` to the built-in type.
 */
export class RecordTypes {
  readonly #types = new Map<string, RecordType>()
  /** Whether records with an undeclared type, status or taxonomy are read. */
  readonly areOpen: boolean
  /** Whether records of an undeclared type are written. */
  readonly areWritable: boolean

  /**
   * @param declarations the boot option `record_types`, which `recordTypeDiagnostics` has checked.
   * @param undeclared what happens with undeclared types, statuses and taxonomies. They are `readable` on the
   *   database of a WordPress site, where plugins declare more, and `writable` too where an application declares no type.
   */
  constructor(declarations: RecordTypeDeclarations = {}, undeclared: 'refused' | 'readable' | 'writable' = 'refused') {
    this.areOpen = undeclared !== 'refused'
    this.areWritable = undeclared === 'writable'
    for (const type of builtInTypes) this.#types.set(type.name, type)
    for (const [name, declaration] of Object.entries(declarations)) {
      const builtIn = this.#types.get(name)
      const declared = {
        statuses: new Set(declaration.statuses),
        declaresMeta: declaration.meta !== undefined,
        meta: new Map(Object.entries(declaration.meta ?? {})),
        afterCommit: declaration.after_commit ?? null,
      }
      this.#types.set(name, builtIn ? { ...builtIn, ...declared } : recordTypeOf(name, declaration, declared))
    }
  }

  /** `null` for an undeclared type. */
  get(name: string): RecordType | null {
    return this.#types.get(name) ?? null
  }

  /** The built-in types, then those of the application in the order of their declarations. */
  all(): RecordType[] {
    return [...this.#types.values()]
  }

  /** The metadata keys whose order the database keeps. */
  indexedKeys(): MetaKeyOfType[] {
    return this.all().flatMap(({ name, meta }) =>
      [...meta].filter(([, { indexed }]) => indexed === true).map(([key]) => ({ type: name, key })),
    )
  }

  /** The declared ones among these types. */
  named(names: readonly string[]): RecordType[] {
    return names.flatMap((name) => this.#types.get(name) ?? [])
  }

  /** The declaration of a metadata key of a type; `null` when there is none. */
  metaOf(type: string, key: string): MetaDeclaration | null {
    return this.#types.get(type)?.meta.get(key) ?? null
  }
}

function recordTypeOf(
  name: string,
  declaration: RecordTypeDeclaration,
  declared: Pick<RecordType, 'statuses' | 'declaresMeta' | 'meta' | 'afterCommit'>,
): RecordType {
  const capabilityType = declaration.capability_type ?? 'post'
  return {
    name,
    public: declaration.public ?? false,
    hierarchical: declaration.hierarchical ?? false,
    supports: new Set(declaration.supports ?? defaultSupports),
    taxonomies: declaration.taxonomies ? new Set(declaration.taxonomies) : null,
    permalink: declaration.permalink === false ? null : (declaration.permalink ?? name),
    with_front: declaration.with_front ?? true,
    capability_type: capabilityType,
    map_meta_cap: declaration.map_meta_cap ?? (capabilityType === 'post' || capabilityType === 'page'),
    ...declared,
  }
}
