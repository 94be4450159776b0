import type { OutgoingResponse } from '../http/exchange.js'
import { noCache } from '../http/no-cache.js'
import type { Html } from './html.js'

export type HeaderLine = readonly [name: string, value: string]

const securityHeaders: readonly HeaderLine[] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'SAMEORIGIN'],
]

/**
 * The policy for pages that contain the HTML of authors. Images, audio, video and embedded players may come from any
 * site, and elements may have a `style` attribute. Scripts and forms are limited to this site.
 */
const contentPolicy = (formTargets: readonly string[]): string =>
  [
    "default-src 'self'",
    "img-src 'self' https: http: data:",
    "media-src 'self' https: http:",
    'frame-src https:',
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "script-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    ["form-action 'self'", ...formTargets].join(' '),
    "frame-ancestors 'self'",
  ].join('; ')

/** The policy for the service's own pages, which need only their stylesheet, and some the script of the service. */
function contentSecurityPolicy(formTargets: readonly string[], hasScript: boolean): string {
  const targets = [...new Set(["'self'", ...formTargets])].join(' ')
  return [
    "default-src 'none'",
    "style-src 'self'",
    ...(hasScript ? ["script-src 'self'"] : []),
    "img-src 'self' data:",
    "base-uri 'none'",
    `form-action ${targets}`,
    "frame-ancestors 'self'",
  ].join('; ')
}

/**
 * The headers of a public page.
 * @param links values of the `Link` headers.
 * @param isCacheable whether the page is the same for every visitor.
 * @param formTargets origins that forms lead to, besides the one of the page.
 */
export function publicHeaders(
  links: readonly string[],
  isCacheable: boolean,
  formTargets: readonly string[],
): readonly HeaderLine[] {
  return [
    ['Content-Type', 'text/html; charset=UTF-8'],
    ...links.map((link) => ['Link', link] as const),
    ['Vary', 'Cookie'],
    ...securityHeaders,
    ['Content-Security-Policy', contentPolicy(formTargets)],
    ['Referrer-Policy', 'strict-origin-when-cross-origin'],
    ...(isCacheable ? [] : noCache),
  ]
}

/**
 * The headers of the login form and of every page below `/wp-admin/`.
 * @param formTargets origins that a form may redirect to, besides this site. Browsers apply `form-action` to the
 *   redirect after a form too.
 */
export function pageHeaders(formTargets: readonly string[], { hasScript = false } = {}): readonly HeaderLine[] {
  return [
    ['Content-Type', 'text/html; charset=UTF-8'],
    ['X-Robots-Tag', 'noindex'],
    ...noCache,
    ...securityHeaders,
    ['Content-Security-Policy', contentSecurityPolicy(formTargets, hasScript)],
    ['Referrer-Policy', 'strict-origin-when-cross-origin'],
  ]
}

export function pageResponse(status: number, page: Html, headers: readonly HeaderLine[]): OutgoingResponse {
  return { status, headers, body: `${page.text}\n` }
}

/** A temporary redirect, which caches must not store. */
export function redirect(location: string, headers: readonly HeaderLine[] = []): OutgoingResponse {
  return {
    status: 302,
    headers: [
      ['Content-Type', 'text/html; charset=UTF-8'],
      ...noCache,
      ...securityHeaders,
      ['Content-Security-Policy', "frame-ancestors 'self';"],
      ['Referrer-Policy', 'strict-origin-when-cross-origin'],
      ...headers,
      ['X-Redirect-By', 'WordPress'],
      ['Location', location],
    ],
    body: '',
  }
}

/** A permanent redirect to the canonical address of a page. */
export function permanentRedirect(location: string): OutgoingResponse {
  return {
    status: 301,
    headers: [
      ['Content-Type', 'text/html; charset=UTF-8'],
      ['Vary', 'Cookie'],
      ['X-Redirect-By', 'WordPress'],
      ['Location', location],
    ],
    body: '',
  }
}
