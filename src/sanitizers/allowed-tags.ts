import { dataTags } from './data-tags.js'
import { globalAttributes, postTags } from './post-tags.js'

/** The allowed tags in lower case, each with its allowed attribute names. `data-*` allows every `data-` attribute, and itself. */
export type AllowedTags = ReadonlyMap<string, ReadonlySet<string>>

/** The tags of `wp_kses_post`. */
export const allowedInPosts: AllowedTags = tagsOf(postTags, globalAttributes)

/** The tags of titles and comments. */
export const allowedInData: AllowedTags = tagsOf(dataTags, '')

/** The tags of the descriptions of users and terms, whose links may have more attributes. */
export const allowedInDescriptions: AllowedTags = new Map([
  ...allowedInData,
  ['a', new Set([...(allowedInData.get('a') ?? []), 'rel', 'target'])],
])

function tagsOf(table: ReadonlyMap<string, string>, globalNames: string): AllowedTags {
  return new Map(
    Array.from(table, ([tag, attributes]) => [tag, new Set(`${globalNames} ${attributes}`.split(' ').filter(Boolean))]),
  )
}
