import { builtInTypes, defaultSupports } from './built-in-types.js'
import type { MetaDeclaration, RecordType, RecordTypeDeclaration, RecordTypeDeclarations } from './record-type.js'

export type {
  MetaDeclaration,
  MetaType,
  RecordType,
  RecordTypeDeclaration,
  RecordTypeDeclarations,
} from './record-type.js'

/**
 * The types of record a service knows: WordPress's `post`, `page`, `attachment` and `revision`, and the application's.
 * A declaration named `post` or `page` adds metadata to the built-in type.
 */
export class RecordTypes {
  readonly #types = new Map<string, RecordType>()

  /** @param declarations the boot option `record_types`, without faults (`recordTypeFaults`). */
  constructor(declarations: RecordTypeDeclarations = {}) {
    for (const type of builtInTypes) this.#types.set(type.name, type)
    for (const [name, declaration] of Object.entries(declarations)) {
      const builtIn = this.#types.get(name)
      const meta = new Map(Object.entries(declaration.meta ?? {}))
      this.#types.set(name, builtIn ? { ...builtIn, meta } : complete(name, declaration, meta))
    }
  }

  /** `null` for a type that nobody declared. */
  get(name: string): RecordType | null {
    return this.#types.get(name) ?? null
  }

  /** Built-in types first, then the application's in their order. */
  all(): RecordType[] {
    return [...this.#types.values()]
  }

  /** How this type registered this metadata key; `null` when it did not. */
  metaOf(type: string, key: string): MetaDeclaration | null {
    return this.#types.get(type)?.meta.get(key) ?? null
  }
}

function complete(name: string, given: RecordTypeDeclaration, meta: RecordType['meta']): RecordType {
  const capabilityType = given.capability_type ?? 'post'
  return {
    name,
    public: given.public ?? false,
    hierarchical: given.hierarchical ?? false,
    supports: new Set(given.supports ?? defaultSupports),
    taxonomies: given.taxonomies ? new Set(given.taxonomies) : null,
    permalink: given.permalink === false ? null : (given.permalink ?? name),
    with_front: given.with_front ?? true,
    capability_type: capabilityType,
    map_meta_cap: given.map_meta_cap ?? (capabilityType === 'post' || capabilityType === 'page'),
    meta,
  }
}
