import type { SignedInVisitor } from '../auth/authenticator.js'
import type { StoredRecord } from '../content/record.js'
import { html, nothing, storedText, type Html } from './html.js'
import type { PageDependencies } from './page-dependencies.js'
import type { PageRequest } from './page-request.js'
import { recordsForLists } from './protected-records.js'
import { ownTypes } from './record-address.js'
import type { PublicPage } from './public-page.js'

/**
 * Equal to the page size of the partial-HTML endpoint, so that "load more" continues after the last post of the page.
 */
const postsPerPage = 6

/** Number of records shown of each of the application's own types. */
const recordsPerType = 12

/**
 * The front page, `/`: the latest posts. The first page also shows the latest records of the application's own types.
 * Further pages are `/?page=2`. The context of the templates has `posts`, `page`, `perPage`, `nextPage` and
 * `previousPage` (addresses, or null), and `records`, which maps each type to its latest records. Records that are
 * protected by a password have no content.
 * @returns null for a page that does not exist.
 */
export async function frontPage(
  request: PageRequest,
  dependencies: PageDependencies,
  visitor: SignedInVisitor | null,
): Promise<PublicPage | null> {
  const page = pageNumber(request)
  const count = await dependencies.content.records.count({ type: 'post' })
  const pageCount = Math.max(1, Math.ceil(count / postsPerPage))
  if (page > pageCount) return null
  const latest = await dependencies.content.records.list({ type: 'post', page, per_page: postsPerPage })
  const posts = await recordsForLists(latest, dependencies.authentication, visitor)
  const records = page === 1 ? await latestByType(dependencies, visitor) : {}
  const addressOf = (number: number) => `${dependencies.content.site.home}/${number === 1 ? '' : `?page=${number}`}`
  const context = {
    posts,
    page,
    perPage: postsPerPage,
    nextPage: page < pageCount ? addressOf(page + 1) : null,
    previousPage: page > 1 ? addressOf(page - 1) : null,
    records,
  }
  return {
    status: 200,
    title: page === 1 ? html`Home` : html`Page ${page}`,
    templates: ['front-page', 'home', 'index'],
    context,
    main: () => plainFrontPage(context),
    visitor,
    canonical: addressOf(page),
  }
}

function pageNumber(request: PageRequest): number {
  const text = request.query('page') || request.query('paged')
  return /^\d{1,9}$/.test(text) ? Math.max(1, Number(text)) : 1
}

async function latestByType(
  dependencies: PageDependencies,
  visitor: SignedInVisitor | null,
): Promise<Record<string, readonly StoredRecord[]>> {
  const lists: Record<string, readonly StoredRecord[]> = Object.create(null) as Record<string, readonly StoredRecord[]>
  for (const { name } of ownTypes(dependencies.content.types)) {
    const latest = await dependencies.content.records.list({ type: name, per_page: recordsPerType })
    lists[name] = await recordsForLists(latest, dependencies.authentication, visitor)
  }
  return lists
}

interface FrontPageContext {
  readonly posts: readonly StoredRecord[]
  readonly records: Readonly<Record<string, readonly StoredRecord[]>>
  readonly nextPage: string | null
  readonly previousPage: string | null
}

function plainFrontPage({ posts, records, nextPage, previousPage }: FrontPageContext): Html {
  return html`<h1>Latest posts</h1>
    ${
      posts.length === 0
        ? html`<p class="soft">There are no posts yet.</p>`
        : html`<ul class="cards">
            ${posts.map(card)}
          </ul>`
    }
    <div class="actions">
      ${previousPage ? html`<a class="button plain" rel="prev" href="${previousPage}">Newer posts</a>` : nothing}
      ${nextPage ? html`<a class="button plain" rel="next" href="${nextPage}">Older posts</a>` : nothing}
    </div>
    ${Object.entries(records).map(([type, list]) => section(type, list))}`
}

function card({ title, link, date, excerpt }: StoredRecord): Html {
  return html`<li class="card">
    <h2><a href="${link}">${titleHtml(title)}</a></h2>
    <p>
      <time datetime="${date}">${date.slice(0, 10)}</time>${excerpt === '' ? nothing : html` · ${storedText(excerpt)}`}
    </p>
  </li>`
}

function section(type: string, list: readonly StoredRecord[]): Html {
  if (list.length === 0) return nothing
  return html`<section>
    <h2>Latest of type “${type}”</h2>
    <ul>
      ${list.map(({ title, link }) => html`<li><a href="${link}">${titleHtml(title)}</a></li>`)}
    </ul>
  </section>`
}

/** The title of a record as HTML. A record without a title gets a text, because a link without text cannot be seen. */
export function titleHtml(title: string): Html {
  return title === '' ? html`(no title)` : storedText(title)
}
