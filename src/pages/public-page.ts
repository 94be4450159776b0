import type { SignedInVisitor } from '../auth/authenticator.js'
import type { OutgoingResponse } from '../http/exchange.js'
import { noCache } from '../http/no-cache.js'
import { pageResponse, publicHeaders } from './answers.js'
import { htmlDocument } from './frame.js'
import { html, Html, nothing } from './html.js'
import type { PageDependencies } from './page-dependencies.js'
import { pathOfAddress } from '../content/path-of-address.js'
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
  /** Renders the main part when the application has none of the templates. */
  readonly main: () => Html
  readonly visitor: SignedInVisitor | null
  /** The canonical address, for search engines. */
  readonly canonical?: string
  /** The address of the same record in the REST API. */
  readonly json?: string | null
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
 * | an unknown address | `404` |
 *
 * The context of every template has `title`, `site` (`name`, `description`, `home`, and `path`, the prefix for the
 * paths of public files), `user` (`id`, `name`; null without a login), `links` (`login`, `profile`, `logout`) and
 * `restPath` (`/wp-json/`).
 */
export class PublicPages {
  constructor(
    readonly dependencies: PageDependencies,
    readonly links: SiteLinks,
  ) {}

  async render(page: PublicPage): Promise<OutgoingResponse> {
    const { views } = this.dependencies
    const context = { ...this.#sharedContext(page), ...page.context }
    const hasTemplate = page.templates.some((name) => views.exists(name))
    const main = hasTemplate ? new Html(await views.renderFirst(page.templates, context)) : page.main()
    const head = this.#head(page)
    const document = views.exists('layout')
      ? new Html(await views.render('layout', { ...context, content: main.text, head: head.text }))
      : htmlDocument({ ...page, main, head }, this.links)
    const headers = publicHeaders(this.#linkHeaders(page), page.visitor === null)
    // A 404 is not cached: the page may be created soon. `headers` has `noCache` already when there is a visitor.
    const cacheHeaders = page.status === 404 && page.visitor === null ? noCache : []
    return pageResponse(page.status, document, [...headers, ...cacheHeaders])
  }

  #sharedContext({ title, visitor }: PublicPage): Record<string, unknown> {
    const { content, rest } = this.dependencies
    const { name, description } = content.site
    const user = visitor && { id: visitor.account.user.ID, name: visitor.account.user.display_name }
    return {
      title: title.text,
      site: { name, description, home: this.links.home, path: pathOfAddress(content.site.home) },
      user,
      links: {
        login: this.links.login,
        profile: this.links.profile,
        logout: visitor ? this.links.logOut(visitor) : null,
      },
      restPath: new URL(rest.root()).pathname,
    }
  }

  /** The links that WordPress puts into `<head>`. */
  #head({ canonical, json, status }: PublicPage): Html {
    return html`<link rel="https://api.w.org/" href="${this.dependencies.rest.root()}" />
      ${json ? html`<link rel="alternate" title="JSON" type="application/json" href="${json}" />` : nothing}
      ${canonical ? html`<link rel="canonical" href="${canonical}" />` : nothing}
      ${status === 404 ? html`<meta name="robots" content="noindex" />` : nothing}`
  }

  #linkHeaders({ json }: PublicPage): readonly string[] {
    const root = `<${this.dependencies.rest.root()}>; rel="https://api.w.org/"`
    return json ? [root, `<${json}>; rel="alternate"; title="JSON"; type="application/json"`] : [root]
  }
}
