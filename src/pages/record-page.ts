import type { SignedInVisitor } from '../auth/authenticator.js'
import { storedLookup } from '../auth/capability-lookup.js'
import { statusToRead } from '../auth/status-to-read.js'
import type { StoredRecord } from '../content/record.js'
import type { ArchiveLinks } from '../content/archive-links.js'
import { archiveParameters, hasPostsPage } from '../content/archive-of-path.js'
import { rowOfPath } from '../content/record-of-path.js'
import type { PostRow } from '../database/storage.js'
import type { RecordPasswordResult } from '../auth/record-passwords.js'
import { html, Html, nothing } from './html.js'
import type { PageContent, PageDependencies, PageRest } from './page-dependencies.js'
import type { PageRequest } from './page-request.js'
import { canonicalAddress, namesRecord } from './record-address.js'
import { requiresPassword, withoutContent } from './protected-records.js'
import type { PublicPage } from './public-page.js'
import { recordPasswordForm } from './record-password-form.js'
import type { SiteLinks } from './site-links.js'
import { relatedLine, titleHtml } from './record-list.js'
import { RelatedLinks, type Related } from './related-links.js'

/** A page, or the address to which it has moved permanently; null when no record has the requested address. */
export type RecordPageResult = { readonly page: PublicPage } | { readonly movedTo: string } | null

/**
 * The page of the record at a permalink. Other spellings of the address redirect to the permalink. The context of the
 * templates has `record`, `passwordRequired`, `passwordForm`, `authorLink` and `terms`. `record.content` is HTML: it was
 * filtered when it was stored, unless its author has the capability to write any HTML. With `passwordRequired` the visitor
 * needs a password: `record` has no content, and `passwordForm` is the HTML of the form.
 * @param archives of this request.
 */
export async function recordPage(
  request: PageRequest,
  query: URLSearchParams,
  archives: ArchiveLinks,
  dependencies: PageDependencies,
  visitor: SignedInVisitor | null,
  links: SiteLinks,
): Promise<RecordPageResult> {
  const { content, authentication } = dependencies
  const row = await rowAt(request, query, archives, content)
  if (row === null) return null
  const record = (await mayRead(row, dependencies, visitor)) ? await content.records.get(row.ID) : null
  if (record === null) return null
  const movedTo = canonicalAddress(request.path, query, record.link, content)
  if (movedTo !== null) return { movedTo }
  const access = (await requiresPassword(record, authentication, visitor))
    ? await passwordAccess(record, row.post_password, request, dependencies)
    : 'right'
  const related = await new RelatedLinks(content, archives).of(record)
  return { page: pageOf(record, access, related, dependencies.rest, visitor, links.login) }
}

async function rowAt(
  request: PageRequest,
  query: URLSearchParams,
  { taxonomies }: ArchiveLinks,
  { storage, types, site }: PageContent,
): Promise<PostRow | null> {
  const match = await rowOfPath(request.path, query, { storage, types, site })
  // The page of posts lists the posts.
  if (match !== null) return hasPostsPage(site) && match.post.ID === site.pageForPosts ? null : match.post
  const namesArchive = archiveParameters(taxonomies).some((name) => query.has(name))
  const isFront = request.path === '/' && !namesRecord(query, types) && !namesArchive
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

function pageOf(
  storedRecord: StoredRecord,
  access: RecordPasswordResult,
  related: Related,
  rest: PageRest,
  visitor: SignedInVisitor | null,
  loginAddress: string,
): PublicPage {
  const { type, id, isProtected } = storedRecord
  const passwordRequired = access !== 'right'
  const record = passwordRequired ? withoutContent(storedRecord) : storedRecord
  const passwordForm = passwordRequired ? recordPasswordForm(record, access, loginAddress) : nothing
  return {
    status: typeof access === 'number' ? 429 : 200,
    title: titleHtml(record.title),
    templates: type === 'page' ? ['page', 'single'] : [`single-${type}`, 'single'],
    context: { record, passwordRequired, passwordForm: passwordForm.text, ...related },
    main: () => plainRecord(record, passwordForm, related),
    visitor,
    canonical: record.link,
    json: jsonAddress(type, id, rest),
    isCacheable: !isProtected,
    ...(typeof access === 'number' && { retryAfter: access }),
  }
}

/**
 * The state of the visitor's cookie for the password of the record. As in WordPress, a wrong one is mentioned only to a
 * visitor who comes from the form.
 */
async function passwordAccess(
  { id, link }: StoredRecord,
  password: string,
  { cookies, incoming }: PageRequest,
  { authentication }: PageDependencies,
): Promise<RecordPasswordResult> {
  const cookie = cookies.get(authentication.cookies().recordPassword)
  const result = await authentication.recordPasswords.check(cookie, { id, password }, incoming.address)
  return result === 'wrong' && incoming.headers['referer'] !== link ? 'missing' : result
}

function plainRecord(record: StoredRecord, passwordForm: Html, { authorLink, terms }: Related): Html {
  const { title, content, type, status, date, isProtected } = record
  const isDated = type === 'post' && status === 'publish'
  return html`<article>
    <h1>${isProtected ? 'Protected: ' : ''}${titleHtml(title)}</h1>
    ${isDated ? html`<p class="soft"><time datetime="${date}">${date.slice(0, 10)}</time></p>` : ''}
    ${status === 'publish' || status === 'inherit' ? '' : html`<p class="notice">Only some people can see this: its status is ${status}.</p>`}
    ${passwordForm} ${new Html(content)} ${relatedLine(authorLink, terms)}
  </article>`
}

/** The address of a post or page in the REST API, when the application declares WordPress's route for it. */
function jsonAddress(type: string, id: number, { hasRoute, root }: PageRest): string | null {
  const base = type === 'post' ? 'posts' : type === 'page' ? 'pages' : null
  return base !== null && hasRoute(`/wp/v2/${base}/${id}`) ? `${root()}wp/v2/${base}/${id}` : null
}
