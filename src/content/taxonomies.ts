import type { RecordTypes } from './record-types.js'
import type { Site } from './site.js'

/** A taxonomy whose terms have pages. */
export interface Taxonomy {
  readonly name: string
  /** The path before the slugs of its terms: `/category/`. */
  readonly base: string
  /** Whether the path of a term contains the slugs of the terms above it. */
  readonly isNested: boolean
}

/**
 * The taxonomies with pages: `category`, `post_tag`, and those that a public record type names. The options
 * `category_base` and `tag_base` replace the first part of the path, and then the fixed part of the permalink structure
 * does not precede it, as in WordPress.
 */
export function publicTaxonomies(types: RecordTypes, site: Site): readonly Taxonomy[] {
  const { front, root } = site.permalinkStructure
  const baseOf = (option: string, standard: string): string =>
    option === '' ? `${front}${standard}/` : `${root}${option.replace(/^\/+|\/+$/g, '')}/`
  const named = types.all().flatMap((type) => (type.public ? [...(type.taxonomies ?? [])] : []))
  const others = [...new Set(named)].filter((name) => name !== 'category' && name !== 'post_tag')
  return [
    { name: 'category', base: baseOf(site.categoryBase, 'category'), isNested: true },
    { name: 'post_tag', base: baseOf(site.tagBase, 'tag'), isNested: false },
    ...others.map((name) => ({ name, base: `${front}${name}/`, isNested: false })),
  ]
}
