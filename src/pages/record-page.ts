import type { SignedInVisitor } from '../auth/authenticator.js'
import { storedLookup } from '../auth/capability-lookup.js'
import { statusToRead } from '../auth/status-to-read.js'
import type { StoredRecord } from '../content/record.js'
import { rowOfPath } from '../content/record-of-path.js'
import type { PostRow } from '../database/storage.js'
import { titleHtml } from './front-page.js'
import { html, Html } from './html.js'
import { oldSlugAddress } from './old-slug-address.js'
import type { PageContent, PageDependencies, PageRest } from './page-dependencies.js'
import type { PageRequest } from './page-request.js'
import { canonicalAddress, namesRecord } from './record-address.js'
import { requiresPassword, withoutContent } from './protected-records.js'
import type { PublicPage } from './public-page.js'

/** A page, or the address to which it has moved permanently; null when no record has the requested address. */
export type RecordPageResult = { readonly page: PublicPage } | { readonly movedTo: string } | null

/**
 * The page of the record at a permalink. Other spellings of the address redirect to the permalink. The context of the
 * templates has `record` and `passwordRequired`. `record.content` is HTML: it was filtered when it was stored, unless
 * its author has the capability to write any HTML. With `passwordRequired` the visitor needs a password and `record`
 * has no content.
 */
export async function recordPage(
  request: PageRequest,
  dependencies: PageDependencies,
  visitor: SignedInVisitor | null,
): Promise<RecordPageResult> {
  const query = new URLSearchParams(request.incoming.query)
  const { content } = dependencies
  const row = await rowAt(request, query, content)
  if (row === null) {
    const movedTo = await oldSlugAddress(request.path, content)
    return movedTo === null ? null : { movedTo }
  }
  const record = (await mayRead(row, dependencies, visitor)) ? await content.records.get(row.ID) : null
  if (record === null) return null
  const movedTo = canonicalAddress(request.path, query, record.link, content)
  if (movedTo !== null) return { movedTo }
  return { page: await pageOf(record, dependencies, visitor) }
}

async function rowAt(
  request: PageRequest,
  query: URLSearchParams,
  { storage, types, site }: PageContent,
): Promise<PostRow | null> {
  const match = await rowOfPath(request.path, query, { storage, types, site })
  if (match !== null) return match.post
  const isFront = request.path === '/' && !namesRecord(query, types)
  return isFront && site.frontPage > 0 ? storage.posts.find(site.frontPage) : null
}

/**
 * Every visitor may read a published record. For another status the visitor needs the capability to read this record.
 */
async function mayRead(
  row: PostRow,
  { content: { storage, types }, authentication }: PageDependencies,
  visitor: SignedInVisitor | null,
): Promise<boolean> {
  if (types.get(row.post_type)?.public !== true) return false
  if ((await statusToRead(row, storedLookup(storage, types))) === 'publish') return true
  return visitor !== null && authentication.contextOf(visitor.account.caller).can('read_post', row.ID)
}

async function pageOf(
  storedRecord: StoredRecord,
  dependencies: PageDependencies,
  visitor: SignedInVisitor | null,
): Promise<PublicPage> {
  const { type, id } = storedRecord
  const passwordRequired = await requiresPassword(storedRecord, dependencies.authentication, visitor)
  const record = passwordRequired ? withoutContent(storedRecord) : storedRecord
  return {
    status: 200,
    title: titleHtml(record.title),
    templates: type === 'page' ? ['page', 'single'] : [`single-${type}`, 'single'],
    context: { record, passwordRequired },
    main: () => plainRecord(record, passwordRequired),
    visitor,
    canonical: record.link,
    json: jsonAddress(type, id, dependencies.rest),
  }
}

function plainRecord(record: StoredRecord, passwordRequired: boolean): Html {
  const { title, content, type, status, date, isProtected } = record
  const isDated = type === 'post' && status === 'publish'
  return html`<article>
    <h1>${isProtected ? 'Protected: ' : ''}${titleHtml(title)}</h1>
    ${isDated ? html`<p class="soft"><time datetime="${date}">${date.slice(0, 10)}</time></p>` : ''}
    ${status === 'publish' || status === 'inherit' ? '' : html`<p class="notice">Only some people can see this: its status is ${status}.</p>`}
    ${passwordRequired ? html`<p>This content is protected by a password.</p>` : new Html(content)}
  </article>`
}

/** The address of a post or page in the REST API, when the application declares WordPress's route for it. */
function jsonAddress(type: string, id: number, { hasRoute, root }: PageRest): string | null {
  const base = type === 'post' ? 'posts' : type === 'page' ? 'pages' : null
  return base !== null && hasRoute(`/wp/v2/${base}/${id}`) ? `${root()}wp/v2/${base}/${id}` : null
}
