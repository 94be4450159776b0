import type { Site } from '../content/site.js'
import { adminAddress, siteOrigins, type SiteAddresses } from '../http/site-addresses.js'

/**
 * The target of a redirect that a request asks for. Only addresses of this site are accepted, so that a link to the
 * login form cannot lead to another site after the login. The address is parsed as browsers parse it, because
 * `/\evil.example` and addresses with line breaks lead to another site too.
 * @param destination an address or a path, from the request.
 * @param secure whether the request came over TLS.
 * @returns an absolute address, or a path when `destination` is a path; null when it leads to another site.
 */
export function safeRedirect(destination: string, site: Site, secure: boolean): string | null {
  const base = `${adminAddress(site)}/wp-login.php`
  if (destination === '' || !URL.canParse(destination, base)) return null
  const target = new URL(destination, base)
  if (target.username !== '' || target.password !== '' || !isOnSite(target, site, secure)) return null
  const path = target.pathname + target.search + target.hash
  return destination.startsWith('/') && !path.startsWith('//') ? path : target.href
}

/** Behind a TLS proxy, requests may have `https` addresses while the site's own address has `http`. */
function isOnSite(target: URL, site: Site & SiteAddresses, secure: boolean): boolean {
  // The origin of `blob:https://shop.example/x` is `https://shop.example`.
  if (!/^https?:$/.test(target.protocol)) return false
  return siteOrigins(site).some(
    (origin) =>
      target.origin === origin || (secure && target.protocol === 'https:' && target.host === new URL(origin).host),
  )
}
