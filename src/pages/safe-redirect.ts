import type { Site } from '../content/site.js'

/**
 * Where to send a person who asked to be sent somewhere: addresses of this site only, so that a login form cannot be
 * made to lead away from it. Read as browsers read it: `/\evil.example`, line breaks and the like are not overlooked.
 * @param asked an address or a path, from the request.
 * @returns an absolute address, or a path when a path was asked for; null when it leads elsewhere.
 */
export function safeRedirect(asked: string, site: Site, secure: boolean): string | null {
  const base = `${site.siteurl}/wp-login.php`
  if (asked === '' || !URL.canParse(asked, base)) return null
  const target = new URL(asked, base)
  if (target.username !== '' || target.password !== '' || !isOwn(target, site, secure)) return null
  const path = target.pathname + target.search + target.hash
  return asked.startsWith('/') && !path.startsWith('//') ? path : target.href
}

/** Over TLS the site may be asked for as https while it knows itself as http. */
function isOwn(target: URL, { home, siteurl }: Site, secure: boolean): boolean {
  // `blob:https://shop.example/x` has the origin of the address inside.
  if (!/^https?:$/.test(target.protocol)) return false
  return [home, siteurl].some((address) => {
    if (!URL.canParse(address)) return false
    const own = new URL(address)
    return target.origin === own.origin || (secure && target.protocol === 'https:' && target.host === own.host)
  })
}

/** The origins that a form of this site leads to, for `form-action`. */
export function ownOrigins({ home, siteurl }: Site): readonly string[] {
  return [...new Set([home, siteurl].flatMap((address) => (URL.canParse(address) ? [new URL(address).origin] : [])))]
}
