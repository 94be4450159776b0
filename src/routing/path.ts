import type { ParameterMap } from '../http/variables.js'
import { RestError } from '../http/rest-error.js'
import { bytesOf, textOf } from '../php/bytes.js'
import { toBoolean } from '../php/cast.js'
import { trimCharacters } from '../php/trim.js'

/** The target of a request: a route, the pages of the site, or none. */
export type RouteTarget =
  | { readonly kind: 'rest'; readonly path: string }
  /** @property path of the page, as sent; the front page for an empty `rest_route` below the prefix. */
  | { readonly kind: 'site'; readonly path: string }
  /** Refused before routing. The body has an empty `additional_errors`. */
  | { readonly kind: 'refused'; readonly error: RestError }

export interface PathSettings {
  /** The segment under which all routes live: `wp-json`. */
  readonly rest_prefix: string
  /** Path of the site's base URL, without a slash at its end: `/blog`; `''` at the root. */
  readonly homePath: string
}

/**
 * The route path of a request.
 *
 * `rest_route` as a form or query parameter has precedence over the path. If it is empty or `0`, a path below the prefix
 * is answered with the front page. The path itself is not decoded, unless only its decoded form has the prefix.
 * @param path as sent, percent-encoded, without the query.
 * @param query decoded once. @param form of a POST body; null when there is none.
 */
// Rules: docs/wire.md#addresses.
export function routePathOf(
  path: string,
  query: Readonly<ParameterMap>,
  settings: PathSettings,
  form: Readonly<ParameterMap> | null = null,
): RouteTarget {
  const routeParameter = parameterOf(form) ?? parameterOf(query)
  if (routeParameter === undefined) return prettyPathOf(path, settings)
  if (typeof routeParameter === 'object') return { kind: 'refused', error: invalidTypeError() }
  const text = String(routeParameter)
  if (toBoolean(text)) return { kind: 'rest', path: withoutTrailingSlashes(addSlashes(text)) }
  const isBelowPrefix = prettyPathOf(path, settings).kind === 'rest'
  return { kind: 'site', path: isBelowPrefix ? `${settings.homePath}/` : path }
}

function parameterOf(parameters: Readonly<ParameterMap> | null): {} | undefined {
  return parameters !== null && Object.hasOwn(parameters, 'rest_route')
    ? (parameters['rest_route'] ?? undefined)
    : undefined
}

function invalidTypeError(): RestError {
  return new RestError('rest_path_invalid_type', 'The REST route parameter must be a string.', { status: 400 })
}

function prettyPathOf(path: string, settings: PathSettings): RouteTarget {
  const { length } = settings.rest_prefix
  // `/wp-json/shop/v1/products`, the form of nearly every request.
  if (
    settings.homePath === '' &&
    path.startsWith(settings.rest_prefix, 1) &&
    plainPath.test(path) &&
    path[length + 1] === '/'
  )
    return { kind: 'rest', path: path.slice(length + 1) }
  const requested = belowHome(trimCharacters(path, '/'), trimCharacters(settings.homePath, '/'))
  const [encodedPath, decodedPath] = [requested, decode(requested)].map(belowIndexFile) as [string, string]
  const { rest_prefix: prefix } = settings
  const isRootPath = isRoot(encodedPath, prefix) || isRoot(decodedPath, prefix)
  const routePath = isRootPath ? '' : (belowPrefix(encodedPath, prefix) ?? belowPrefix(decodedPath, prefix))
  return routePath === null
    ? { kind: 'site', path }
    : { kind: 'rest', path: withoutTrailingSlashes(addSlashes(`/${routePath}`)) }
}

/** Segments that are not empty and contain no encoded characters. */
const plainPath = /^(?:\/[\w.~!$&*(),;:@=-]+)+$/

/** The path below that of the site. The path of the site is compared without case, and may be missing. */
function belowHome(path: string, home: string): string {
  const below = path.slice(home.length)
  const isBelow = path.slice(0, home.length).toLowerCase() === home.toLowerCase() && /^(?:\/|$)/.test(below)
  return home !== '' && isBelow ? trimCharacters(below, '/') : path
}

function belowIndexFile(path: string): string {
  return path.startsWith('index.php/') ? path.slice('index.php/'.length) : path
}

/** The prefix alone, with an optional slash and the line end that PCRE's `$` allows. */
function isRoot(path: string, prefix: string): boolean {
  return path.startsWith(prefix) && /^\/?\n?$/.test(path.slice(prefix.length))
}

/** The rest of the line after the prefix; null when the path does not begin with the prefix. */
function belowPrefix(path: string, prefix: string): string | null {
  return path.startsWith(`${prefix}/`) ? (path.slice(prefix.length + 1).split('\n', 1)[0] ?? '') : null
}

/** The path decoded as a query value is. */
function decode(path: string): string {
  const byte = (_: string, digits: string): string => String.fromCharCode(Number.parseInt(digits, 16))
  return textOf(
    bytesOf(path)
      .replaceAll('+', ' ')
      .replaceAll(/%([\da-f]{2})/gi, byte),
  )
}

function withoutTrailingSlashes(path: string): string {
  let end = path.length
  while (end > 0 && '/\\'.includes(path.charAt(end - 1))) end -= 1
  return end === 0 ? '/' : path.slice(0, end)
}

/** WordPress matches quotes, backslashes and NUL with a backslash before them (docs/wire.md#forms-of-an-address). */
function addSlashes(text: string): string {
  return text.replaceAll(/[\\'"]/g, '\\$&').replaceAll('\0', '\\0')
}
