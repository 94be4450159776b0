import type { UserRow } from '../database/storage.js'
import type { TermRow } from '../database/term-rows.js'
import { isBuiltIn } from './built-in-types.js'
import type { RecordType } from './record-type.js'
import type { RecordQuery } from './record.js'
import type { RecordTypes } from './record-types.js'

/** A list of published records that has an address of its own. */
export type Archive =
  /** The latest posts, at the address of the site. */
  | { readonly kind: 'front' }
  /** The latest posts, at the page that the option `page_for_posts` names. `link` is the permalink of that page. */
  | { readonly kind: 'posts'; readonly link: string }
  | { readonly kind: 'type'; readonly type: RecordType }
  | { readonly kind: 'term'; readonly term: TermRow }
  | { readonly kind: 'author'; readonly user: UserRow }
  | { readonly kind: 'search'; readonly search: string }

/** The query for the records of an archive. Only published records are found. */
export function archiveQuery(archive: Archive, types: RecordTypes): RecordQuery {
  const names = listedTypes(types)
  switch (archive.kind) {
    case 'front':
    case 'posts':
      return { type: 'post' }
    case 'type':
      return { type: archive.type.name }
    case 'term': {
      const { taxonomy, slug } = archive.term
      return { type: names.filter((name) => hasTaxonomy(types, name, taxonomy)), term: { taxonomy, slug } }
    }
    case 'author':
      return { type: names, author: archive.user.ID }
    case 'search':
      return { type: [...names, 'page'], search: archive.search }
  }
}

/** The types whose records archives list: posts, and the public types of the application. */
export function listedTypes(types: RecordTypes): readonly string[] {
  return ['post', ...applicationTypes(types).map(({ name }) => name)]
}

/** The application's own public types. The plain permalink of their records has the type's name: `?product=lamp`. */
export function applicationTypes(types: RecordTypes): readonly RecordType[] {
  return types.all().filter(({ name, public: isPublic }) => isPublic && !isBuiltIn(name))
}

/** Whether the records of a type may have terms of a taxonomy. */
export function hasTaxonomy(types: RecordTypes, type: string, taxonomy: string): boolean {
  const taxonomies = types.get(type)?.taxonomies
  return taxonomies === null || taxonomies?.has(taxonomy) === true
}
