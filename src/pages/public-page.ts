import type { SignedInVisitor } from '../auth/authenticator.js'
import type { OutgoingResponse } from '../http/exchange.js'
import { noCache } from '../http/no-cache.js'
import { pageAnswer, publicHeaders } from './answers.js'
import { framed } from './frame.js'
import { html, Html, nothing } from './html.js'
import type { PageDependencies } from './page-parts.js'
import { pathOfAddress } from '../content/path-of-address.js'
import type { SiteLinks } from './site-links.js'

/** A page for visitors, before anybody has said how it looks. */
export interface PublicPage {
  readonly status: number
  /** Text as it is stored, perhaps with character references. */
  readonly title: Html
  /** The first of these templates that the application has renders the main part. */
  readonly templates: readonly string[]
  /** What the templates are given besides what all are given. */
  readonly context: Readonly<Record<string, unknown>>
  /** The main part where there is no template. */
  readonly main: () => Html
  readonly visitor: SignedInVisitor | null
  /** The address under which a search engine should know it. */
  readonly canonical?: string
  /** The same thing as JSON. */
  readonly json?: string | null
}

/**
 * Shows pages by the application's templates, or plainly without them. A template renders what belongs into `<main>`;
 * the template `layout`, when there is one, renders the document around it, with `content` (finished HTML of the main
 * part) and `head` (finished lines for the head).
 *
 * | Page | Templates, first one that exists |
 * |---|---|
 * | `/` | `front-page`, `home`, `index` |
 * | a record of type T | `single-T`, `single` |
 * | a record of type page | `page`, `single` |
 * | nothing found | `404` |
 *
 * Every template is given `title`, `site` (`name`, `description`, `home`, and `path`, which comes before the paths of
 * public files), `user` (`id`, `name`; null for a visitor), `links` (`login`, `profile`, `logout`) and `restPath`
 * (`/wp-json/`).
 */
export class PublicPages {
  constructor(
    readonly parts: PageDependencies,
    readonly links: SiteLinks,
  ) {}

  async show(page: PublicPage): Promise<OutgoingResponse> {
    const { views } = this.parts
    const context = { ...this.#shared(page), ...page.context }
    const hasTemplate = page.templates.some((name) => views.exists(name))
    const main = hasTemplate ? new Html(await views.renderFirst(page.templates, context)) : page.main()
    const head = this.#head(page)
    const document = views.exists('layout')
      ? new Html(await views.render('layout', { ...context, content: main.text, head: head.text }))
      : framed({ ...page, main, head }, this.links)
    const headers = publicHeaders(this.#linkHeaders(page), page.visitor === null)
    // What is not there now may be there soon.
    const kept = page.status === 404 && page.visitor === null ? noCache : []
    return pageAnswer(page.status, document, [...headers, ...kept])
  }

  #shared({ title, visitor }: PublicPage): Record<string, unknown> {
    const { site, root } = this.parts
    const { name, description } = site
    const user = visitor && { id: visitor.account.user.ID, name: visitor.account.user.display_name }
    return {
      title: title.text,
      site: { name, description, home: this.links.home, path: pathOfAddress(site.home) },
      user,
      links: {
        login: this.links.login,
        profile: this.links.profile,
        logout: visitor ? this.links.logOut(visitor) : null,
      },
      restPath: new URL(root()).pathname,
    }
  }

  /** How clients find the API (docs/wire.md#pages-for-visitors). */
  #head({ canonical, json, status }: PublicPage): Html {
    return html`<link rel="https://api.w.org/" href="${this.parts.root()}" />
      ${json ? html`<link rel="alternate" title="JSON" type="application/json" href="${json}" />` : nothing}
      ${canonical ? html`<link rel="canonical" href="${canonical}" />` : nothing}
      ${status === 404 ? html`<meta name="robots" content="noindex" />` : nothing}`
  }

  #linkHeaders({ json }: PublicPage): readonly string[] {
    const root = `<${this.parts.root()}>; rel="https://api.w.org/"`
    return json ? [root, `<${json}>; rel="alternate"; title="JSON"; type="application/json"`] : [root]
  }
}
