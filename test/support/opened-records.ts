import { anonymous } from '../../src/http/caller.js'
import { siteFrom } from '../../src/content/site.js'
import { RecordTypes } from '../../src/content/record-types.js'
import { rowOfPath } from '../../src/content/record-of-path.js'
import { Records } from '../../src/content/records.js'
import { openTestStorage } from './test-database.js'

/** Records of an editor in a database of its own, with four types besides those of WordPress. */
export async function openRecords(
  structure = '/%postname%/',
  capabilities = new Set(['unfiltered_html', 'read', 'read_private_posts']),
) {
  const storage = await openTestStorage()
  const types = new RecordTypes({
    product: { public: true },
    item: { public: true, permalink: 'shop/item' },
    folder: { public: true, hierarchical: true },
    note: {},
  })
  const site = siteFrom(
    new Map([
      ['home', 'http://example.test'],
      ['permalink_structure', structure],
    ]),
  )
  const editor = { ...anonymous, id: 2, capabilities }
  const clock = (): number => Date.parse('2026-01-15T12:00:00Z')
  const records = new Records({ storage, types, site, clock, caller: () => editor })
  const idOfPath = async (path: string, query: URLSearchParams) =>
    (await rowOfPath(path, query, { storage, types, site }))?.post.ID ?? null
  return { storage, records, idOfPath }
}
