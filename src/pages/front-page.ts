import type { SignedInVisitor } from '../auth/authenticator.js'
import type { StoredRecord } from '../content/record.js'
import { html, nothing, stored, type Html } from './html.js'
import type { PageDependencies } from './page-parts.js'
import type { PageRequest } from './page-request.js'
import { shownInLists } from './protected-records.js'
import { ownTypes } from './record-address.js'
import type { PublicPage } from './public-page.js'

/** As many as one answer of the partial-HTML endpoint holds, so that "load more" goes on where the page ends. */
const postsPerPage = 6

/** Of each of the application's own types. */
const recordsPerType = 12

/**
 * `/`: the latest posts, and beside the first of them the latest records of the application's own types. Further pages
 * are `/?page=2`. Templates are given `posts`, `page`, `perPage`, `nextPage` and `previousPage` (addresses, or null) and
 * `records`, which maps each type to its latest records; what a password protects is there without content.
 * @returns null for a page that does not exist.
 */
export async function frontPage(
  request: PageRequest,
  parts: PageDependencies,
  visitor: SignedInVisitor | null,
): Promise<PublicPage | null> {
  const page = pageNumber(request)
  const count = await parts.records.count({ type: 'post' })
  const pages = Math.max(1, Math.ceil(count / postsPerPage))
  if (page > pages) return null
  const latest = await parts.records.list({ type: 'post', page, per_page: postsPerPage })
  const posts = await shownInLists(latest, parts, visitor)
  const records = page === 1 ? await latestByType(parts, visitor) : {}
  const addressOf = (number: number) => `${parts.site.home}/${number === 1 ? '' : `?page=${number}`}`
  const shown = {
    posts,
    page,
    perPage: postsPerPage,
    nextPage: page < pages ? addressOf(page + 1) : null,
    previousPage: page > 1 ? addressOf(page - 1) : null,
    records,
  }
  return {
    status: 200,
    title: page === 1 ? html`Home` : html`Page ${page}`,
    templates: ['front-page', 'home', 'index'],
    context: shown,
    main: () => plainFrontPage(shown),
    visitor,
    canonical: addressOf(page),
  }
}

function pageNumber(request: PageRequest): number {
  const asked = request.query('page') || request.query('paged')
  return /^\d{1,9}$/.test(asked) ? Math.max(1, Number(asked)) : 1
}

async function latestByType(
  parts: PageDependencies,
  visitor: SignedInVisitor | null,
): Promise<Record<string, readonly StoredRecord[]>> {
  const lists: Record<string, readonly StoredRecord[]> = Object.create(null) as Record<string, readonly StoredRecord[]>
  for (const { name } of ownTypes(parts.types)) {
    const latest = await parts.records.list({ type: name, per_page: recordsPerType })
    lists[name] = await shownInLists(latest, parts, visitor)
  }
  return lists
}

interface Shown {
  readonly posts: readonly StoredRecord[]
  readonly records: Readonly<Record<string, readonly StoredRecord[]>>
  readonly nextPage: string | null
  readonly previousPage: string | null
}

function plainFrontPage({ posts, records, nextPage, previousPage }: Shown): Html {
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
    <h2><a href="${link}">${titleOrNone(title)}</a></h2>
    <p><time datetime="${date}">${date.slice(0, 10)}</time>${excerpt === '' ? nothing : html` · ${stored(excerpt)}`}</p>
  </li>`
}

function section(type: string, list: readonly StoredRecord[]): Html {
  if (list.length === 0) return nothing
  return html`<section>
    <h2>Latest of type “${type}”</h2>
    <ul>
      ${list.map(({ title, link }) => html`<li><a href="${link}">${titleOrNone(title)}</a></li>`)}
    </ul>
  </section>`
}

/** A link needs a text. */
export function titleOrNone(title: string): Html {
  return title === '' ? html`(no title)` : stored(title)
}
