import type { OutgoingResponse } from '../http/exchange.js'
import { noCache } from '../http/no-cache.js'
import type { Html } from './html.js'

export type HeaderLine = readonly [name: string, value: string]

const guards: readonly HeaderLine[] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'SAMEORIGIN'],
]

/**
 * For pages that show what authors wrote: pictures, sound and embedded players from anywhere, styles on elements, but
 * scripts and forms of this site only.
 */
const contentPolicy = [
  "default-src 'self'",
  "img-src 'self' https: http: data:",
  "media-src 'self' https: http:",
  'frame-src https:',
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "script-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'self'",
].join('; ')

/** The service's own pages need nothing but their stylesheet. */
function ownPolicy(formTargets: readonly string[]): string {
  const targets = [...new Set(["'self'", ...formTargets])].join(' ')
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    `form-action ${targets}`,
    "frame-ancestors 'self'",
  ].join('; ')
}

/** The headers of a page for visitors. @param kept whether the answer is the same for everybody. */
export function publicHeaders(links: readonly string[], kept: boolean): readonly HeaderLine[] {
  return [
    ['Content-Type', 'text/html; charset=UTF-8'],
    ...links.map((link) => ['Link', link] as const),
    ['Vary', 'Cookie'],
    ...guards,
    ['Content-Security-Policy', contentPolicy],
    ['Referrer-Policy', 'strict-origin-when-cross-origin'],
    ...(kept ? [] : noCache),
  ]
}

/**
 * The headers of the login form and of everything below `/wp-admin/` (docs/wire.md#headers-of-pages).
 * @param formTargets where a form may lead to besides here: browsers hold redirects against the policy too.
 */
export function ownHeaders(formTargets: readonly string[]): readonly HeaderLine[] {
  return [
    ['Content-Type', 'text/html; charset=UTF-8'],
    ['X-Robots-Tag', 'noindex'],
    ...noCache,
    ...guards,
    ['Content-Security-Policy', ownPolicy(formTargets)],
    ['Referrer-Policy', 'strict-origin-when-cross-origin'],
  ]
}

export function pageAnswer(status: number, page: Html, headers: readonly HeaderLine[]): OutgoingResponse {
  return { status, headers, body: `${page.text}\n` }
}

/** A redirect that nobody keeps. */
export function redirect(location: string, headers: readonly HeaderLine[] = []): OutgoingResponse {
  return {
    status: 302,
    headers: [
      ['Content-Type', 'text/html; charset=UTF-8'],
      ...noCache,
      ...guards,
      ['Content-Security-Policy', "frame-ancestors 'self';"],
      ['Referrer-Policy', 'strict-origin-when-cross-origin'],
      ...headers,
      ['X-Redirect-By', 'WordPress'],
      ['Location', location],
    ],
    body: '',
  }
}

/** For good: the address of a page has another spelling. */
export function moved(location: string): OutgoingResponse {
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
