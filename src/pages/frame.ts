import type { SignedInVisitor } from '../auth/authenticator.js'
import { html, nothing, storedText, type Html } from './html.js'
import { pathOfAddress } from '../content/path-of-address.js'
import type { SiteLinks } from './site-links.js'
import { stylesheetAddress } from './stylesheet.js'

export interface DocumentContent {
  /** The text before the name of the site in `<title>`. HTML, because stored titles contain character references. */
  readonly title: Html
  readonly main: Html
  readonly visitor: SignedInVisitor | null
  /** Further elements of `<head>`. */
  readonly head?: Html
  /** Shows the page in a narrow column, in which forms are easier to read. */
  readonly narrow?: boolean
  /** The address of the login form. Default: the form that leads to the profile or the front page afterwards. */
  readonly loginLink?: string
  /** Links to lists of the site. */
  readonly nav?: Html
}

/** The HTML document of a page, for pages without a template of the application. */
export function htmlDocument(
  { title, main, visitor, head = nothing, narrow = false, loginLink, nav = nothing }: DocumentContent,
  links: SiteLinks,
): Html {
  const { site } = links
  const name = site.name === '' ? html`${new URL(links.home).host}` : storedText(site.name)
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – ${name}</title>
        <link rel="stylesheet" href="${pathOfAddress(site.siteurl)}${stylesheetAddress}" />
        <link rel="icon" href="data:," />
        ${head}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header class="top">
          <div class="column">
            <a class="site" href="${links.home}">${name}</a>
            ${nav === nothing ? nothing : html`<nav aria-label="Site">${nav}</nav>`}
            <nav aria-label="Account">${accountLinks(visitor, links, loginLink ?? links.login)}</nav>
          </div>
        </header>
        <main id="content" tabindex="-1" class="column${narrow ? ' narrow' : ''}">${main}</main>
        <footer class="column">
          ${site.description === '' ? nothing : html`<p>${storedText(site.description)}</p>`}
        </footer>
      </body>
    </html>`
}

function accountLinks(visitor: SignedInVisitor | null, links: SiteLinks, loginLink: string): Html {
  if (visitor === null) return html`<a href="${loginLink}">Log in</a>`
  const name = storedText(visitor.account.user.display_name || visitor.account.user.user_login)
  return html`<a href="${links.profile}">${name}</a> <a href="${links.logOut(visitor)}">Log out</a>`
}
