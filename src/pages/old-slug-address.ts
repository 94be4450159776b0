import { Permalinks } from '../content/permalinks.js'
import { anonymous } from '../http/caller.js'
import { segmentsOf } from '../content/permalink-structure.js'
import { storedSlug } from '../content/slug.js'
import type { PageContent } from './page-dependencies.js'
import { sitePath } from './record-address.js'

/** Maximum number of records with the same earlier slug that are read. */
const maxCandidates = 10

/** Maximum length of a path that is looked up. Permalinks of ordinary records are far shorter. */
const maxPathLength = 2048

/** The current address of a published record that had this path with an earlier slug; null when there is none. */
export async function oldSlugAddress(path: string, { storage, types, site }: PageContent): Promise<string | null> {
  const segments = path.length > maxPathLength ? [] : segmentsOf(path)
  const slug = storedSlug(segments.at(-1) ?? '')
  if (slug === '') return null
  const ids = await storage.posts.meta.ownersOf('_wp_old_slug', slug, maxCandidates)
  if (ids.length === 0) return null
  const permalinks = new Permalinks(storage, types, site, anonymous)
  for (const { post } of (await storage.posts.findWithMeta(ids)).rows) {
    if (post.post_status !== 'publish' || types.get(post.post_type)?.public !== true) continue
    const link = await permalinks.linkOf(post)
    const currentSegments = segmentsOf(sitePath(link, site))
    const isSameParent = currentSegments.slice(0, -1).join('/') === segments.slice(0, -1).join('/')
    if (new URL(link).search === '' && isSameParent) return link
  }
  return null
}
