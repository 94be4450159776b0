import { suggestion } from '../base/nearest.js'
import type { PostRow } from '../database/storage.js'
import { requireTaxonomy } from './declared-names.js'
import { RecordRejectedError, type NewRecord } from './record.js'
import type { WriteContext } from './write-context.js'

/**
 * Sets the terms of a record. The terms replace all others of their taxonomy. Other taxonomies do not change.
 * @throws RecordRejectedError `invalid_taxonomy` when the type of the record does not have the taxonomy, `invalid_term` for
 *   an unknown slug.
 */
export async function relateTerms(
  row: Pick<PostRow, 'ID' | 'post_type'>,
  terms: NonNullable<NewRecord['terms']>,
  { storage, types }: WriteContext,
): Promise<void> {
  const idsByTaxonomy: [taxonomy: string, ids: readonly number[]][] = []
  for (const [taxonomy, slugs = []] of Object.entries(terms)) {
    const taxonomies = types.get(row.post_type)?.taxonomies
    if (taxonomies && !taxonomies.has(taxonomy))
      throw new RecordRejectedError(
        'invalid_taxonomy',
        `Records of type ${row.post_type} do not have the taxonomy ${taxonomy}.${suggestion(taxonomy, taxonomies)}`,
      )
    if (!types.areOpen) requireTaxonomy(taxonomy, types)
    const ids: number[] = []
    for (const slug of new Set(slugs)) {
      const term = await storage.terms.find(taxonomy, { slug })
      if (term === null) throw new RecordRejectedError('invalid_term', `There is no ${taxonomy} with the slug ${slug}.`)
      ids.push(term.term_id)
    }
    idsByTaxonomy.push([taxonomy, ids])
  }
  // All writers use one order. A writer waits for another one that counts the records of the same term, so different
  // orders could make two writers wait for each other.
  idsByTaxonomy.sort(([left], [right]) => (left < right ? -1 : 1))
  for (const [taxonomy, ids] of idsByTaxonomy) await storage.posts.setTerms(row.ID, taxonomy, ids)
}

/** Puts a post into the site's default category, as WordPress does. The caller checks that its type is `post` and that it has none. */
export async function relateDefaultCategory(
  row: Pick<PostRow, 'ID' | 'post_status'>,
  { storage, site }: WriteContext,
): Promise<void> {
  if (row.post_status === 'auto-draft' || site.defaultCategory === 0) return
  const term = await storage.terms.find('category', { id: site.defaultCategory })
  if (term !== null) await storage.posts.setTerms(row.ID, 'category', [term.term_id])
}

/** Puts an existing post into the site's default category when it has no category. */
export async function ensureCategory(
  row: Pick<PostRow, 'ID' | 'post_type' | 'post_status'>,
  context: WriteContext,
): Promise<void> {
  if (row.post_type !== 'post') return
  const categories = await context.storage.posts.termsOf([row.ID], ['category'])
  if (categories.size === 0) await relateDefaultCategory(row, context)
}
