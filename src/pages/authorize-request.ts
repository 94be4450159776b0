import { isLonger } from '../php/text-length.js'
import { maxApplicationNameLength } from '../auth/application-passwords.js'
import { isUuid } from '../sanitizers/uuid.js'
import type { PageRequest } from './page-request.js'

/** The parameters with which an application requests a password. */
export interface AuthorizeRequest {
  readonly app_name: string
  /** A UUID, or `''`. */
  readonly app_id: string
  /** An absolute URL, or `''`. */
  readonly success_url: string
  /** An absolute URL, or `''`. */
  readonly reject_url: string
}

const maxUrlLength = 2000

const refusedSchemes = new Set(['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'filesystem:', 'about:'])
const loopbackHosts = new Set(['127.0.0.1', '[::1]'])

/**
 * The request in the query of a GET or the form of a POST. The two are not merged: otherwise the query of a link could
 * supply fields that the form does not have.
 */
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
 * Why a request is refused, as a sentence; null when it is valid. A POST is checked again, because the password is sent
 * to the address in it.
 * @param environment in `local`, URLs may use plain HTTP. In every environment, URLs of the loopback addresses may.
 */
export function problemOf({ app_name, app_id, success_url, reject_url }: AuthorizeRequest, environment: string) {
  if (isLonger(app_name, maxApplicationNameLength))
    return `The name of the application has at most ${maxApplicationNameLength} characters.`
  if (app_id !== '' && !isUuid(app_id.toLowerCase())) return 'The application ID must be a UUID.'
  return problemOfUrl(success_url, environment) ?? problemOfUrl(reject_url, environment)
}

function problemOfUrl(url: string, environment: string): string | null {
  if (url === '') return null
  // Browsers remove line breaks and read a backslash as a slash, so such a URL can lead to another host than it shows.
  // eslint-disable-next-line no-control-regex -- control characters are what is refused
  if (url.length > maxUrlLength || !/^[a-z][a-z\d+.-]*:\/\/[^/?#\\]/i.test(url) || /[\x00-\x20\x7f\\]/.test(url))
    return 'Invalid URL format.'
  if (!URL.canParse(url)) return 'Invalid URL format.'
  const { protocol, host, hostname, username, password } = new URL(url)
  // The host of `https://shop.example@evil.example/` is `evil.example`.
  if (host === '' || username !== '' || password !== '' || refusedSchemes.has(protocol)) return 'Invalid URL format.'
  if (protocol !== 'http:' || environment === 'local' || loopbackHosts.has(hostname)) return null
  return 'The URL must be served over a secure connection.'
}

/** Adds parameters to the query of a URL. They replace parameters of the same names. */
export function withParameters(address: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(address)
  for (const name of Object.keys(parameters)) if (url.searchParams.has(name)) url.searchParams.delete(name)
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
  url.search = [url.search.replace(/^\?/, ''), ...pairs].filter((part) => part !== '').join('&')
  return url.href
}

/** The URL to which a refusal redirects; null when the request has none. */
export function rejectAddress({ success_url, reject_url }: AuthorizeRequest): string | null {
  if (reject_url !== '') return new URL(reject_url).href
  return success_url === '' ? null : withParameters(success_url, { success: 'false' })
}

/**
 * The sources that `form-action` must allow for the final redirect: an origin, or the custom scheme of an application.
 */
export function formTargetOf(url: string): readonly string[] {
  if (url === '') return []
  const { origin, protocol } = new URL(url)
  const target = origin === 'null' ? protocol : origin
  // The application chooses the URL. These characters would let it add directives to the policy.
  return /[;,\s]/.test(target) ? [] : [target]
}
