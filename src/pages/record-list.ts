import type { StoredRecord } from '../content/record.js'
import { html, nothing, storedText, type Html } from './html.js'
import type { NamedLink, Related } from './related-links.js'

export type ListedRecord = StoredRecord & Related

/** The pages before and after the current one. */
export interface PageLinks {
  readonly page: number
  readonly pageCount: number
  /** Null on the last page. */
  readonly nextPage: string | null
  /** Null on the first page. */
  readonly previousPage: string | null
}

export function recordCards(records: readonly ListedRecord[], headingLevel: 2 | 3): Html {
  return html`<ul class="cards">
    ${records.map((record) => card(record, headingLevel))}
  </ul>`
}

function card(record: ListedRecord, level: 2 | 3): Html {
  const { title, link, date, excerpt, authorLink, terms } = record
  const heading = html`<a href="${link}">${titleHtml(title)}</a>`
  return html`<li class="card">
    ${level === 2 ? html`<h2>${heading}</h2>` : html`<h3>${heading}</h3>`}
    <p>
      <time datetime="${date}">${date.slice(0, 10)}</time>${excerpt === '' ? nothing : html` · ${storedText(excerpt)}`}
    </p>
    ${relatedLine(authorLink, terms)}
  </li>`
}

/** A line with links to the author and the terms of a record. */
export function relatedLine(author: NamedLink | null, terms: readonly NamedLink[]): Html {
  if (author === null && terms.length === 0) return nothing
  const links = terms.map((term, index) => html`${index === 0 ? '' : ', '}${namedLink(term)}`)
  return html`<p class="related">
    ${author === null ? nothing : html`By ${namedLink(author)}`}${author === null || terms.length === 0 ? '' : ' · '}${links}
  </p>`
}

export function namedLink({ name, link }: NamedLink): Html {
  return html`<a href="${link}">${storedText(name)}</a>`
}

/** Empty for a list of one page. */
export function pageNavigation({ page, pageCount, previousPage, nextPage }: PageLinks): Html {
  if (pageCount <= 1) return nothing
  return html`<nav class="pages" aria-label="Pages">
    ${previousPage ? html`<a class="button plain" rel="prev" href="${previousPage}">Previous page</a>` : nothing}
    <span>Page ${page} of ${pageCount}</span>
    ${nextPage ? html`<a class="button plain" rel="next" href="${nextPage}">Next page</a>` : nothing}
  </nav>`
}

/** @param search the words of the current search. */
export function searchForm(home: string, search = ''): Html {
  return html`<form role="search" class="search" method="get" action="${home}">
    <label for="search-words">Search</label>
    <input type="search" id="search-words" name="s" value="${search}" maxlength="200" />
    <button type="submit">Search</button>
  </form>`
}

/** The title of a record as HTML. A record without a title gets a text, because a link without text cannot be seen. */
export function titleHtml(title: string): Html {
  return title === '' ? html`(no title)` : storedText(title)
}
