import type { Route } from '../routing/table.js'
import type { Endpoint } from '../routing/endpoint.js'
import { routesDocument } from './namespace-document.js'

/** Properties of the site that the index contains. */
export interface SiteFacts {
  readonly name: string
  readonly description: string
  /** Without a trailing slash. */
  readonly url: string
  readonly home: string
  /** Hours. A string, or a number when the site has a named time zone: WordPress does the same. */
  readonly gmtOffset: string | number
  readonly timezone: string
  readonly showOnFront: string
  readonly pageOnFront: number
  readonly pageForPosts: number
}

/** The response body of `GET /wp-json/`, without its links. */
export function indexDocument(
  site: SiteFacts,
  namespaces: readonly string[],
  routes: readonly Route<Endpoint>[],
  root: string,
  applicationPasswords: boolean,
): Record<string, unknown> {
  return {
    name: site.name,
    description: site.description,
    url: site.url,
    home: site.home,
    gmt_offset: site.gmtOffset,
    timezone_string: site.timezone,
    page_for_posts: site.pageForPosts,
    page_on_front: site.pageOnFront,
    show_on_front: site.showOnFront,
    namespaces,
    authentication: applicationPasswords
      ? { 'application-passwords': { endpoints: { authorization: `${site.url}/wp-admin/authorize-application.php` } } }
      : [],
    routes: routesDocument(routes, root),
    site_logo: 0,
    site_icon: 0,
    site_icon_url: '',
  }
}
