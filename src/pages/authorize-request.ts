import { isLonger } from '../php/text-length.js'
import { maxApplicationNameLength } from '../auth/application-passwords.js'
import { isUuid } from '../sanitizers/uuid.js'
import type { PageRequest } from './page-request.js'

/** What an application asks for when it wants a password. */
export interface AuthorizeRequest {
  readonly app_name: string
  /** A UUID, or `''`. */
  readonly app_id: string
  /** Absolute, or `''`. */
  readonly success_url: string
  readonly reject_url: string
}

const maxUrlLength = 2000

const refusedSchemes = new Set(['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'filesystem:', 'about:'])
const ownMachine = new Set(['127.0.0.1', '[::1]'])

/** From the query of a GET or the form of a POST: one of them, so that a link cannot fill in what a form left out. */
export function authorizeRequestOf(request: PageRequest): AuthorizeRequest {
  const read = (name: string) => (request.method === 'POST' ? request.field(name) : request.query(name)).trim()
  return {
    app_name: read('app_name'),
    app_id: read('app_id'),
    success_url: read('success_url'),
    reject_url: read('reject_url'),
  }
}

/**
 * Why a request is not shown to anybody, as a sentence; null when it is fine. Asked again when the form comes back,
 * since the password goes to that address. Rules: docs/wire.md#authorising-an-application.
 * @param environment plain HTTP is accepted in `local` only, and to the user's own machine.
 */
export function problemOf({ app_name, app_id, success_url, reject_url }: AuthorizeRequest, environment: string) {
  if (isLonger(app_name, maxApplicationNameLength))
    return `The name of the application has at most ${maxApplicationNameLength} characters.`
  if (app_id !== '' && !isUuid(app_id.toLowerCase())) return 'The application ID must be a UUID.'
  return problemOfUrl(success_url, environment) ?? problemOfUrl(reject_url, environment)
}

function problemOfUrl(url: string, environment: string): string | null {
  if (url === '') return null
  // A browser drops line breaks and reads a backslash as a slash: an address that needs that is none.
  // eslint-disable-next-line no-control-regex -- control characters are what is refused
  if (url.length > maxUrlLength || !/^[a-z][a-z\d+.-]*:\/\/[^/?#\\]/i.test(url) || /[\x00-\x20\x7f\\]/.test(url))
    return 'Invalid URL format.'
  if (!URL.canParse(url)) return 'Invalid URL format.'
  const { protocol, host, hostname, username, password } = new URL(url)
  // `https://shop.example@evil.example/` reads as if it led to the shop.
  if (host === '' || username !== '' || password !== '' || refusedSchemes.has(protocol)) return 'Invalid URL format.'
  if (protocol !== 'http:' || environment === 'local' || ownMachine.has(hostname)) return null
  return 'The URL must be served over a secure connection.'
}

/** An address with further parameters in its query, which replace those of the same names. */
export function withParameters(address: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(address)
  for (const name of Object.keys(parameters)) if (url.searchParams.has(name)) url.searchParams.delete(name)
  const added = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
  url.search = [url.search.replace(/^\?/, ''), ...added].filter((part) => part !== '').join('&')
  return url.href
}

/** Where a refusal is told. */
export function rejectAddress({ success_url, reject_url }: AuthorizeRequest): string | null {
  if (reject_url !== '') return new URL(reject_url).href
  return success_url === '' ? null : withParameters(success_url, { success: 'false' })
}

/** What `form-action` must allow for the redirect at the end: an origin, or the scheme of an app's own addresses. */
export function formTargetOf(url: string): readonly string[] {
  if (url === '') return []
  const { origin, protocol } = new URL(url)
  const target = origin === 'null' ? protocol : origin
  // The address is the application's choice: it must not write a policy of its own into the header.
  return /[;,\s]/.test(target) ? [] : [target]
}
