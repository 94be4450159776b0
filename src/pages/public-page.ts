import type { SignedInVisitor } from '../auth/authenticator.js'
import type { OutgoingResponse } from '../http/exchange.js'
import { pageResponse, publicHeaders } from './page-responses.js'
import { htmlDocument } from './frame.js'
import { html, Html, nothing } from './html.js'
import type { PageDependencies } from './page-dependencies.js'
import { pathOfAddress } from '../content/path-of-address.js'
import { siteOrigins } from '../http/site-addresses.js'
import { namedLink } from './record-list.js'
import type { SiteLinks } from './site-links.js'

/** The contents of a public page, before it is rendered. */
export interface PublicPage {
  readonly status: number
  /** HTML, because stored titles contain character references. */
  readonly title: Html
  /** Names of templates. The first one that exists renders the main part. */
  readonly templates: readonly string[]
  /** Values for the templates, in addition to those that every template gets. */
  readonly context: Readonly<Record<string, unknown>>
  /**
   * Renders the main part when the application has none of the templates.
   * @param archives the addresses of the archives of the application's own types, by type.
   */
  readonly main: (archives: ReadonlyMap<string, string>) => Html
  readonly visitor: SignedInVisitor | null
  /** The canonical address, for search engines. */
  readonly canonical?: string
  /** The address of the same record in the REST API. */
  readonly json?: string | null
  /** Whether search engines may list the page. Default: true, unless its status is 404. */
  readonly isIndexed?: boolean
  /** Whether caches may store the page. Default: for anonymous visitors, unless its status is 404. */
  readonly isCacheable?: boolean
  /** Seconds, for the header `Retry-After`. */
  readonly retryAfter?: number
}

/**
 * Renders public pages with the application's templates, or with a plain layout when there are none. A template renders
 * the content of `<main>`. The template `layout`, when it exists, renders the document around it; its context has
 * `content` (the HTML of the main part) and `head` (HTML for `<head>`).
 *
 * | Page | Templates, first one that exists |
 * |---|---|
 * | `/` | `front-page`, `home`, `index` |
 * | a record of type T | `single-T`, `single` |
 * | a record of type page | `page`, `single` |
 * | the records of a type T | `archive-T`, `archive` |
 * | a category, a tag, a term of a taxonomy T | `category`, `tag`, `taxonomy-T`; `archive` |
 * | the records of an author | `author`, `archive` |
 * | a search | `search`, `archive` |
 * | an unknown address | `404` |
 *
 * The context of every template has `title`, `site` (`name`, `description`, `home`, and `path`, the prefix for the
 * paths of public files), `user` (`id`, `name`; null without a login), `links` (`login`, which leads back to the page;
 * `profile`, `logout`, `search`), `archives` (the address of the archive of each own public type), `restPath`
 * (`/wp-json/`) and `restNonce` (the nonce for scripts of a logged-in user; null without a login).
 */
export class PublicPages {
  constructor(
    readonly dependencies: PageDependencies,
    readonly links: SiteLinks,
  ) {}

  /**
   * @param address of the request, to which a login leads back.
   * @param archives the addresses of the archives of the application's own types, by type.
   */
  async render(page: PublicPage, address: string, archives: ReadonlyMap<string, string>): Promise<OutgoingResponse> {
    const { views } = this.dependencies
    const context = { ...this.#sharedContext(page, address, archives), ...page.context }
    const hasTemplate = page.templates.some((name) => views.exists(name))
    const main = hasTemplate ? new Html(await views.renderFirst(page.templates, context)) : page.main(archives)
    const head = this.#head(page)
    const document = views.exists('layout')
      ? new Html(await views.render('layout', { ...context, content: main.text, head: head.text }))
      : htmlDocument(
          { ...page, main, head, loginLink: this.links.loginFrom(address), nav: this.#siteLinks(archives) },
          this.links,
        )
    // A 404 is not cached: the page may be created soon.
    const isCacheable = page.visitor === null && (page.isCacheable ?? page.status !== 404)
    // The form for a password leads to the address of the login page, which may have another host.
    const origins = siteOrigins(this.dependencies.content.site)
    const formTargets = origins.length > 1 ? origins : []
    const retryAfter = page.retryAfter === undefined ? [] : [['Retry-After', String(page.retryAfter)] as const]
    const headers = [...publicHeaders(this.#linkHeaders(page), isCacheable, formTargets), ...retryAfter]
    return pageResponse(page.status, document, headers)
  }

  #sharedContext(
    { title, visitor }: PublicPage,
    address: string,
    archives: ReadonlyMap<string, string>,
  ): Record<string, unknown> {
    const { content, rest, authentication } = this.dependencies
    const { name, description } = content.site
    const user = visitor && { id: visitor.account.user.ID, name: visitor.account.user.display_name }
    return {
      title: title.text,
      site: { name, description, home: this.links.home, path: pathOfAddress(content.site.home) },
      user,
      archives: Object.fromEntries(archives),
      links: {
        login: this.links.loginFrom(address),
        search: `${this.links.home}?s=`,
        profile: this.links.profile,
        logout: visitor ? this.links.logOut(visitor) : null,
      },
      restPath: new URL(rest.root()).pathname,
      restNonce: visitor && authentication.authenticator().restNonce(visitor.account.user.ID, visitor.sessionToken),
    }
  }

  #siteLinks(archives: ReadonlyMap<string, string>): Html {
    const links = [...archives].map(([type, link]) => ({ name: type.charAt(0).toUpperCase() + type.slice(1), link }))
    return html`${links.map((link) => html`${namedLink(link)} `)}<a href="${this.links.home}?s=">Search</a>`
  }

  /** The links that WordPress puts into `<head>`. */
  #head({ canonical, json, status, isIndexed = status !== 404 }: PublicPage): Html {
    return html`<link rel="https://api.w.org/" href="${this.dependencies.rest.root()}" />
      ${json ? html`<link rel="alternate" title="JSON" type="application/json" href="${json}" />` : nothing}
      ${canonical ? html`<link rel="canonical" href="${canonical}" />` : nothing}
      ${isIndexed ? nothing : html`<meta name="robots" content="noindex" />`}`
  }

  #linkHeaders({ json }: PublicPage): readonly string[] {
    const root = `<${this.dependencies.rest.root()}>; rel="https://api.w.org/"`
    return json ? [root, `<${json}>; rel="alternate"; title="JSON"; type="application/json"`] : [root]
  }
}
