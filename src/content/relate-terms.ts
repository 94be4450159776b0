import type { PostRow } from '../database/storage.js'
import { RecordRejectedError, type NewRecord } from './record.js'
import type { WriteContext } from './write-context.js'

/**
 * Gives a record exactly these terms, taxonomy by taxonomy; taxonomies that are not named stay.
 * @throws RecordRejectedError `invalid_taxonomy` when its type has no such taxonomy, `invalid_term` for an unknown slug.
 */
export async function relateTerms(
  row: Pick<PostRow, 'ID' | 'post_type'>,
  terms: NonNullable<NewRecord['terms']>,
  { storage, types }: WriteContext,
): Promise<void> {
  for (const [taxonomy, slugs] of Object.entries(terms)) {
    const allowed = types.get(row.post_type)?.taxonomies
    if (allowed && !allowed.has(taxonomy))
      throw new RecordRejectedError('invalid_taxonomy', `Records of type ${row.post_type} have no ${taxonomy}.`)
    const ids: number[] = []
    for (const slug of new Set(slugs)) {
      const term = await storage.terms.find(taxonomy, { slug })
      if (term === null) throw new RecordRejectedError('invalid_term', `There is no ${taxonomy} with the slug ${slug}.`)
      ids.push(term.term_id)
    }
    await storage.posts.setTerms(row.ID, taxonomy, ids)
  }
}

/** A post is always in a category: without one of its own it gets the site's default. */
export async function relateDefaultCategory(
  row: Pick<PostRow, 'ID' | 'post_type' | 'post_status'>,
  { storage, site }: WriteContext,
): Promise<void> {
  if (row.post_type !== 'post' || row.post_status === 'auto-draft' || site.defaultCategory === 0) return
  const term = await storage.terms.find('category', { id: site.defaultCategory })
  if (term !== null) await storage.posts.setTerms(row.ID, 'category', [term.term_id])
}

/** The same for a post that is there already, and may have a category. */
export async function keepInCategory(
  row: Pick<PostRow, 'ID' | 'post_type' | 'post_status'>,
  context: WriteContext,
): Promise<void> {
  if (row.post_type !== 'post') return
  const categories = await context.storage.posts.termsOf(row.ID, 'category')
  if (categories.length === 0) await relateDefaultCategory(row, context)
}
