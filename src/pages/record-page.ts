import type { SignedInVisitor } from '../auth/authenticator.js'
import { storedLookup } from '../auth/capability-lookup.js'
import { statusToRead } from '../auth/status-to-read.js'
import type { StoredRecord } from '../content/record.js'
import { rowOfPath } from '../content/record-of-path.js'
import type { PostRow } from '../database/storage.js'
import { titleOrNone } from './front-page.js'
import { html, Html } from './html.js'
import { oldSlugAddress } from './old-slug-address.js'
import type { PageDependencies } from './page-parts.js'
import type { PageRequest } from './page-request.js'
import { canonicalAddress, namesRecord } from './record-address.js'
import { asksForPassword, withoutContent } from './protected-records.js'
import type { PublicPage } from './public-page.js'

/** A page, or where it has gone for good; null when there is nothing at the address. */
export type RecordAnswer = { readonly page: PublicPage } | { readonly movedTo: string } | null

/**
 * What a permalink leads to, in any of its spellings (docs/wire.md#pages-for-visitors). Templates are given `record`, whose
 * `content` is HTML of authors who may write it, or was filtered when it was stored, and `passwordRequired` (a password is
 * asked of this visitor, who gets no content here).
 */
export async function recordPage(
  request: PageRequest,
  parts: PageDependencies,
  visitor: SignedInVisitor | null,
): Promise<RecordAnswer> {
  const query = new URLSearchParams(request.incoming.query)
  const row = await rowAt(request, query, parts)
  if (row === null) {
    const movedTo = await oldSlugAddress(request.path, parts)
    return movedTo === null ? null : { movedTo }
  }
  const record = (await mayRead(row, parts, visitor)) ? await parts.records.get(row.ID) : null
  if (record === null) return null
  const movedTo = canonicalAddress(request.path, query, record.link, parts)
  if (movedTo !== null) return { movedTo }
  return { page: await pageOf(record, parts, visitor) }
}

async function rowAt(request: PageRequest, query: URLSearchParams, parts: PageDependencies): Promise<PostRow | null> {
  const { storage, types, site } = parts
  const found = await rowOfPath(request.path, query, { storage, types, site })
  if (found !== null) return found.post
  const isFront = request.path === '/' && !namesRecord(query, types)
  return isFront && site.frontPage > 0 ? storage.posts.find(site.frontPage) : null
}

/** Published records are for everybody; for others the caller must be allowed to read this one. */
async function mayRead(row: PostRow, parts: PageDependencies, visitor: SignedInVisitor | null): Promise<boolean> {
  if (parts.types.get(row.post_type)?.public !== true) return false
  if ((await statusToRead(row, storedLookup(parts.storage, parts.types))) === 'publish') return true
  return visitor !== null && parts.contextOf(visitor.account.caller).can('read_post', row.ID)
}

async function pageOf(
  found: StoredRecord,
  parts: PageDependencies,
  visitor: SignedInVisitor | null,
): Promise<PublicPage> {
  const { type, id } = found
  const passwordRequired = await asksForPassword(found, parts, visitor)
  const record = passwordRequired ? withoutContent(found) : found
  return {
    status: 200,
    title: titleOrNone(record.title),
    templates: type === 'page' ? ['page', 'single'] : [`single-${type}`, 'single'],
    context: { record, passwordRequired },
    main: () => plainRecord(record, passwordRequired),
    visitor,
    canonical: record.link,
    json: jsonAddress(type, id, parts),
  }
}

function plainRecord(record: StoredRecord, passwordRequired: boolean): Html {
  const { title, content, type, status, date, isProtected } = record
  const isDated = type === 'post' && status === 'publish'
  return html`<article>
    <h1>${isProtected ? 'Protected: ' : ''}${titleOrNone(title)}</h1>
    ${isDated ? html`<p class="soft"><time datetime="${date}">${date.slice(0, 10)}</time></p>` : ''}
    ${status === 'publish' || status === 'inherit' ? '' : html`<p class="notice">Only some people can see this: its status is ${status}.</p>`}
    ${passwordRequired ? html`<p>This content is protected by a password.</p>` : new Html(content)}
  </article>`
}

/** WordPress's own routes for posts and pages, where an application declares them. */
function jsonAddress(type: string, id: number, { hasRoute, root }: PageDependencies): string | null {
  const base = type === 'post' ? 'posts' : type === 'page' ? 'pages' : null
  return base !== null && hasRoute(`/wp/v2/${base}/${id}`) ? `${root()}wp/v2/${base}/${id}` : null
}
