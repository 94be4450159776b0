import type { ArchiveLinks } from '../content/archive-links.js'
import { applicationTypes } from '../content/archive.js'
import { html, nothing, type Html } from './html.js'
import type { PageContent, PageDependencies } from './page-dependencies.js'
import type { RecordLists } from './protected-records.js'
import type { PublicPage } from './public-page.js'
import { namedLink, pageNavigation, recordCards, type ListedRecord, type PageLinks } from './record-list.js'
import { RelatedLinks, type NamedLink } from './related-links.js'

/** Templates get it as `perPage`, so that a script that loads more posts asks for pages of the same size. */
const postsPerPage = 6

/** Number of records shown of each of the application's own types. */
const recordsPerType = 12

const maxCategories = 100

/**
 * The front page, `/`: the latest posts, {@link postsPerPage} at a time. The first page also shows the latest records of the application's own types.
 * The context of the templates has `posts`, `page`, `pageCount`, `perPage`, `nextPage` and `previousPage` (addresses, or
 * null), `records`, which maps each type to its latest records, and `categories` with records: `name`, `link`, `count`.
 * Records that are protected by a password have no content, unless the visitor has entered the password.
 * @param archives of this request. @param lists of this request.
 * @returns null for a page that does not exist.
 */
export async function frontPage(
  page: number,
  archives: ArchiveLinks,
  { content }: PageDependencies,
  lists: RecordLists,
): Promise<PublicPage | null> {
  const addressOf = (number: number): string => archives.page(`${content.site.home}/`, number)
  const count = await content.records.count({ type: 'post' })
  const pageCount = Math.max(1, Math.ceil(count / postsPerPage))
  if (page > pageCount) return null
  // Before the posts: the paths of their categories need the list too.
  const categories = page === 1 ? await categoriesOf(content, archives) : []
  const related = new RelatedLinks(content, archives)
  const latest = await content.records.list({ type: 'post', page, per_page: postsPerPage })
  const posts = await related.withLinks(await lists.visible(latest))
  const context = {
    posts,
    page,
    pageCount,
    perPage: postsPerPage,
    nextPage: page < pageCount ? addressOf(page + 1) : null,
    previousPage: page > 1 ? addressOf(page - 1) : null,
    records: page === 1 ? await latestByType(content, related, lists) : {},
    categories,
  }
  return {
    status: 200,
    title: page === 1 ? html`Home` : html`Page ${page}`,
    templates: ['front-page', 'home', 'index'],
    context,
    main: (linksByType) => plainFrontPage(context, linksByType),
    visitor: lists.visitor,
    canonical: addressOf(page),
    isCacheable: lists.isForEveryone,
  }
}

interface CategoryLink extends NamedLink {
  readonly count: number
}

/** The categories that have published records, by name. */
async function categoriesOf({ storage }: PageContent, archives: ArchiveLinks): Promise<readonly CategoryLink[]> {
  const terms = await storage.terms.list('category')
  archives.addTerms(terms)
  const used = terms.filter(({ count }) => count > 0).slice(0, maxCategories)
  return Promise.all(
    used.map(async (term) => ({ name: term.name, count: term.count, link: await archives.ofTerm(term) })),
  )
}

async function latestByType(
  content: PageContent,
  related: RelatedLinks,
  lists: RecordLists,
): Promise<Record<string, readonly ListedRecord[]>> {
  const recordsByType: Record<string, readonly ListedRecord[]> = Object.create(null) as Record<
    string,
    readonly ListedRecord[]
  >
  for (const { name } of applicationTypes(content.types)) {
    const latest = await content.records.list({ type: name, per_page: recordsPerType })
    recordsByType[name] = await related.withLinks(await lists.visible(latest))
  }
  return recordsByType
}

interface FrontPageContext extends PageLinks {
  readonly posts: readonly ListedRecord[]
  readonly records: Readonly<Record<string, readonly ListedRecord[]>>
  readonly categories: readonly CategoryLink[]
}

function plainFrontPage(context: FrontPageContext, archives: ReadonlyMap<string, string>): Html {
  const { posts, records, categories } = context
  return html`<h1>Latest posts</h1>
    ${posts.length === 0 ? html`<p class="soft">There are no posts yet.</p>` : recordCards(posts, 2)}
    ${pageNavigation(context)} ${Object.entries(records).map(([type, list]) => section(type, list, archives.get(type)))}
    ${categories.length === 0 ? nothing : categoryNavigation(categories)}`
}

function section(type: string, list: readonly ListedRecord[], archive: string | undefined): Html {
  if (list.length === 0) return nothing
  return html`<section>
    <h2>Latest of type “${type}”</h2>
    ${recordCards(list, 3)}
    ${archive === undefined ? nothing : html`<p><a href="${archive}">All of type “${type}”</a></p>`}
  </section>`
}

function categoryNavigation(categories: readonly CategoryLink[]): Html {
  return html`<nav aria-labelledby="categories">
    <h2 id="categories">Categories</h2>
    <ul>
      ${categories.map((category) => html`<li>${namedLink(category)} (${category.count})</li>`)}
    </ul>
  </nav>`
}
