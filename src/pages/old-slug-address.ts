import { Permalinks } from '../content/permalinks.js'
import { anonymous } from '../http/caller.js'
import { sanitizeTitle } from '../sanitizers/title.js'
import { segmentsOf } from '../content/permalink-structure.js'
import type { PageDependencies } from './page-parts.js'
import { sitePath } from './record-address.js'

/** How many records that once had the same slug are looked at. */
const maxCandidates = 10

/** Longer addresses than any permalink were never anybody's. */
const maxPathLength = 2048

/** Where a published record is now that lay at this path under an earlier slug; null when none did. */
export async function oldSlugAddress(path: string, { storage, types, site }: PageDependencies): Promise<string | null> {
  const segments = path.length > maxPathLength ? [] : segmentsOf(path)
  const slug = sanitizeTitle(segments.at(-1) ?? '', 'save')
  if (slug === '') return null
  const ids = await storage.posts.meta.ownersOf('_wp_old_slug', slug, maxCandidates)
  if (ids.length === 0) return null
  const permalinks = new Permalinks(storage, types, site, anonymous)
  for (const { post } of (await storage.posts.findWithMeta(ids)).rows) {
    if (post.post_status !== 'publish' || types.get(post.post_type)?.public !== true) continue
    const link = await permalinks.linkOf(post)
    const now = segmentsOf(sitePath(link, site))
    if (new URL(link).search === '' && now.slice(0, -1).join('/') === segments.slice(0, -1).join('/')) return link
  }
  return null
}
