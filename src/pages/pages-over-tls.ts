import type { IncomingRequest, OutgoingResponse } from '../http/exchange.js'
import type { ParsedRequest } from '../http/parsed-request.js'
import type { SiteAddresses } from '../http/site-addresses.js'
import type { Site } from '../content/site.js'
import type { PageDependencies } from './page-dependencies.js'
import { Pages } from './pages.js'

const withHttps = (address: string): string => address.replace(/^http:/i, 'https:')

/**
 * The pages of a site that is reached over plain HTTP and over TLS. As in WordPress, over TLS the addresses of the
 * site begin with `https`, whatever is stored: a form for a password must not leave TLS.
 */
export class PagesForHttpAndHttps {
  readonly #plain: Pages
  readonly #overTls: Pages

  constructor(dependencies: PageDependencies) {
    const { rest } = dependencies
    const { site, storage, types, records } = dependencies.content
    this.#plain = new Pages(dependencies)
    this.#overTls = new Pages({
      ...dependencies,
      content: { site: siteOverTls(site), storage, types, records },
      rest: { ...rest, root: () => withHttps(rest.root()) },
    })
  }

  /** See {@link Pages.respond}. */
  respond(incoming: IncomingRequest, parsed: ParsedRequest, requestId: string): Promise<OutgoingResponse> {
    return (incoming.secure ? this.#overTls : this.#plain).respond(incoming, parsed, requestId)
  }
}

/** The same site, whose options may still change, with `https` in its addresses. */
function siteOverTls(site: Site): Site & SiteAddresses {
  return new Proxy<Site & SiteAddresses>(site, {
    get(target, name) {
      if (name === 'stored') return [target.home, target.siteurl]
      const value: unknown = Reflect.get(target, name, target)
      return (name === 'home' || name === 'siteurl') && typeof value === 'string' ? withHttps(value) : value
    },
  })
}
