import type { SignedInVisitor } from '../auth/authenticator.js'
import type { ArchiveLinks } from '../content/archive-links.js'
import { archiveOfPath, archiveParameters, hasPostsPage, type ArchivePage } from '../content/archive-of-path.js'
import { archiveQuery, type Archive } from '../content/archive.js'
import type { Site } from '../content/site.js'
import type { Taxonomy } from '../content/taxonomies.js'
import { decodePercent } from '../http/percent.js'
import { frontPage } from './front-page.js'
import { html, nothing, storedText, type Html } from './html.js'
import type { PageContent, PageDependencies } from './page-dependencies.js'
import type { PageRequest } from './page-request.js'
import type { PublicPage } from './public-page.js'
import { RecordLists } from './protected-records.js'
import { namesRecord, sitePath } from './record-address.js'
import { pageNavigation, recordCards, searchForm, type ListedRecord, type PageLinks } from './record-list.js'
import { RelatedLinks } from './related-links.js'

/** Maximum number of records on a page. The option `posts_per_page` of a site may be larger, or -1. */
const maxPageSize = 100

/** The fields of listed records. The content of many records could be large. */
const listedFields = [
  'type',
  'status',
  'title',
  'excerpt',
  'slug',
  'author',
  'parent',
  'date',
  'modified',
  'link',
  'isProtected',
  'meta',
] as const

/**
 * The page of an archive, or the address to which it has moved; null when there is no archive at the address, or it has
 * fewer pages. The context of the templates has `archive` (`kind`, `name`, `description`, `link`, `search`), `records`
 * without their content and with `authorLink` and `terms`, `count`, `page`, `pageCount`, `nextPage` and `previousPage`.
 * @param archives of this request.
 */
export async function archivePage(
  request: PageRequest,
  query: URLSearchParams,
  archives: ArchiveLinks,
  dependencies: PageDependencies,
  visitor: SignedInVisitor | null,
): Promise<{ readonly page: PublicPage } | { readonly movedTo: string } | null> {
  const { content } = dependencies
  const { storage, types, site } = content
  const isPostsPage = hasPostsPage(site) && Number(query.get('page_id')) === site.pageForPosts
  if (request.path === '/' && namesRecord(query, types) && !isPostsPage) return null
  const { taxonomies } = archives
  const location = await archiveOfPath(request.path, query, { storage, types, site, taxonomies })
  if (location === null) return null
  const { archive, number } = location
  const count = archive.kind === 'author' ? await content.records.count(archiveQuery(archive, types)) : null
  if (!isVisible(archive, count, site, visitor)) return null
  const link = await archives.of(archive)
  const movedTo = canonicalAddress(request.path, query, archives.page(link, number), site, taxonomies)
  if (movedTo !== null) return { movedTo }
  const lists = new RecordLists(dependencies, request, visitor)
  const page =
    archive.kind === 'front'
      ? await frontPage(number, archives, dependencies, lists)
      : await listPage({ archive, number, link, count }, archives, content, lists)
  return page && { page }
}

/**
 * Whether a visitor may see an archive. The page of an author without published records would tell every visitor
 * which users exist: only its author and users who may list users see it.
 * @param count of the records of an author; null for another archive.
 */
function isVisible(archive: Archive, count: number | null, site: Site, visitor: SignedInVisitor | null): boolean {
  if (archive.kind === 'front') return site.frontPage === 0
  if (archive.kind !== 'author' || count !== 0) return true
  if (visitor === null) return false
  const { caller } = visitor.account
  return caller.id === archive.user.ID || caller.capabilities.has('list_users')
}

/** The canonical address, when the request has another address of the page. Other parameters are preserved. */
function canonicalAddress(
  path: string,
  query: URLSearchParams,
  canonical: string,
  site: Site,
  taxonomies: readonly Taxonomy[],
): string | null {
  const expected = new URL(canonical)
  const names = archiveParameters(taxonomies)
  const isSame =
    decodePercent(path) === decodePercent(sitePath(canonical, site)) &&
    names.every((name) => (query.get(name) ?? '') === (expected.searchParams.get(name) ?? ''))
  if (isSame) return null
  const others = new URLSearchParams(query)
  for (const name of names) others.delete(name)
  if (others.size === 0) return canonical
  return `${canonical}${expected.search === '' ? '?' : '&'}${others.toString()}`
}

interface ListedArchive extends ArchivePage {
  /** The address of its first page. */
  readonly link: string
  /** Number of its records; null when they are not counted yet. */
  readonly count: number | null
}

async function listPage(
  { archive, number, link, count: knownCount }: ListedArchive,
  archives: ArchiveLinks,
  content: PageContent,
  lists: RecordLists,
): Promise<PublicPage | null> {
  const { records: store, types, site } = content
  const perPage = site.postsPerPage < 1 ? maxPageSize : Math.min(site.postsPerPage, maxPageSize)
  // A search without words would list everything.
  const isEmpty = archive.kind === 'search' && archive.search.trim() === ''
  const query = archiveQuery(archive, types)
  const count = knownCount ?? (isEmpty ? 0 : await store.count(query))
  const pageCount = Math.max(1, Math.ceil(count / perPage))
  if (number > pageCount) return null
  const listed = isEmpty ? [] : await store.list({ ...query, page: number, per_page: perPage, fields: listedFields })
  const visible = await lists.visible(listed.map((record) => ({ ...record, content: '' })))
  const records = await new RelatedLinks(content, archives).withLinks(visible)
  const name = nameOf(archive)
  const addressOf = (page: number): string => archives.page(link, page)
  const pageLinks: PageLinks = {
    page: number,
    pageCount,
    nextPage: number < pageCount ? addressOf(number + 1) : null,
    previousPage: number > 1 ? addressOf(number - 1) : null,
  }
  const search = archive.kind === 'search' ? archive.search : null
  const description = archive.kind === 'term' ? archive.term.description : ''
  return {
    status: 200,
    title: number === 1 ? name : html`${name} – Page ${number}`,
    templates: templatesOf(archive),
    context: {
      archive: { kind: archive.kind, name: name.text, description, link, search },
      records,
      count,
      ...pageLinks,
    },
    main: () => plainArchive(archive, name, records, count, pageLinks, `${site.home}/`),
    visitor: lists.visitor,
    canonical: addressOf(number),
    isCacheable: lists.isForEveryone,
    isIndexed: archive.kind !== 'search',
  }
}

function nameOf(archive: Archive): Html {
  switch (archive.kind) {
    case 'front':
    case 'posts':
      return html`Latest posts`
    case 'type':
      return html`All of type “${archive.type.name}”`
    case 'term':
      return storedText(archive.term.name)
    case 'author':
      return storedText(archive.user.display_name || archive.user.user_nicename)
    case 'search':
      return archive.search.trim() === '' ? html`Search` : html`Search results for “${archive.search}”`
  }
}

/** In WordPress's order. Names from the database are not in them, because a view engine may take them for paths. */
function templatesOf(archive: Archive): readonly string[] {
  switch (archive.kind) {
    case 'front':
    case 'posts':
      return ['home', 'archive']
    case 'type':
      return [`archive-${archive.type.name}`, 'archive']
    case 'term': {
      const { taxonomy } = archive.term
      const termTemplate =
        taxonomy === 'category' ? 'category' : taxonomy === 'post_tag' ? 'tag' : `taxonomy-${taxonomy}`
      return [termTemplate, 'archive']
    }
    case 'author':
      return ['author', 'archive']
    case 'search':
      return ['search', 'archive']
  }
}

function plainArchive(
  archive: Archive,
  name: Html,
  records: readonly ListedRecord[],
  count: number,
  pageLinks: PageLinks,
  home: string,
): Html {
  const description = archive.kind === 'term' ? archive.term.description : ''
  const isEmptySearch = archive.kind === 'search' && archive.search.trim() === ''
  return html`<h1>${name}</h1>
    ${description === '' ? nothing : html`<p class="soft">${storedText(description)}</p>`}
    ${archive.kind === 'search' ? searchForm(home, archive.search) : nothing}
    ${isEmptySearch ? nothing : html`<p class="soft">${countText(count, archive.kind === 'search')}</p>`}
    ${records.length === 0 ? nothing : recordCards(records, 2)} ${pageNavigation(pageLinks)}`
}

function countText(count: number, isSearch: boolean): string {
  if (count === 0) return isSearch ? 'Nothing was found.' : 'There is nothing here yet.'
  const [one, many] = isSearch ? ['result', 'results'] : ['entry', 'entries']
  return `${count} ${count === 1 ? one : many}`
}
