import { dataTags } from './data-tags.js'
import { globalAttributes, postTags } from './post-tags.js'

/** The tags that text may have, in lower case, each with the names of its attributes; `data-*` stands for all such. */
export type AllowedTags = ReadonlyMap<string, ReadonlySet<string>>

/** The tags of `wp_kses_post`. */
export const allowedInPosts: AllowedTags = tagsOf(postTags, globalAttributes)

/** The tags of titles and comments. */
export const allowedInData: AllowedTags = tagsOf(dataTags, '')

function tagsOf(table: ReadonlyMap<string, string>, everywhere: string): AllowedTags {
  return new Map(
    Array.from(table, ([tag, attributes]) => [tag, new Set(`${everywhere} ${attributes}`.split(' ').filter(Boolean))]),
  )
}
