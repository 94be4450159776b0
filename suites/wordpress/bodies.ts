import { valueOf } from '../functions/schemas.js'
import { commonTextOf } from '../functions/texts.js'
import type { Random } from '../support/random.js'
import type { SuiteRoute } from './routes.js'
import {
  brackets,
  encodedNames,
  encodedValues,
  fieldLists,
  formTypes,
  jsonTypes,
  oddJson,
  special,
  words,
} from './values.js'

export interface Body {
  /** The header `Content-Type`; null: none. */
  readonly type: string | null
  readonly text: string
}

/** `name=value`. @param names those of the arguments of the route. */
export function pairOf(random: Random, names: readonly string[]): string {
  const name = nameOf(random, names).replaceAll(/[[\]]/g, (bracket) =>
    random.chance(0.3) ? encodeURIComponent(bracket) : bracket,
  )
  if (random.chance(0.05)) return name
  if (random.chance(0.1)) return `${name}=${random.pick(encodedValues)}`
  const value = random.choose([
    [4, () => valueOf(random, 0).replace(/^".*"$/s, (text) => String(JSON.parse(text)))],
    [4, () => random.pick(words)],
    [2, () => textFor(random, name)],
  ])
  return `${name}=${encodeURIComponent(value)}`
}

export function specialPairOf(random: Random): string {
  const [name, values] = random.pick(special)
  return `${name}=${encodeURIComponent(random.pick(values))}`
}

/** The sanitisers of the arguments with these names do otherwise with unusual texts than those of WordPress 6.1. */
const textFor = (random: Random, name: string): string =>
  /^(?:wp_kses_post|sanitize_file_name)/.test(name) ? random.pick(words) : commonTextOf(random)

/** WordPress refuses a form in which one of these has another value than in the query. */
const isOfQuery = (pair: string): boolean => /^(?:page|orderby|rest_route)/.test(pair)

/** @param nonce of the session of the caller; null without one. */
export function bodyOf(random: Random, names: readonly string[], nonce: string | null): Body {
  const form = (): string => {
    const pairs = Array.from({ length: random.integer(0, 4) }, () => pairOf(random, names))
    while (random.chance(0.15)) pairs.push(specialPairOf(random))
    if (nonce !== null && random.chance(0.1)) pairs.push(`_wpnonce=${random.pick([nonce, 'x'])}`)
    return pairs.filter((pair) => !isOfQuery(pair)).join('&')
  }
  const otherTypes = ['text/plain', 'application/xml', 'x', 'multipart/form-data', `${formTypes[0]}x`]
  return random.choose<Body>([
    [8, () => ({ type: random.pick(jsonTypes), text: jsonOf(random, names) })],
    [2, () => ({ type: random.pick(jsonTypes.slice(0, 5)), text: random.pick(oddJson) })],
    [5, () => ({ type: random.pick(formTypes), text: form() })],
    [1, () => ({ type: null, text: form() })],
    [1, () => ({ type: random.pick(otherTypes), text: form() })],
    [2, () => multipart(random, names)],
  ])
}

/** The JSON body of a request to `batch/v1`. */
export function batchOf(random: Random, routes: readonly SuiteRoute[]): string {
  const paths = [
    '',
    '/',
    '/batch/v1',
    '/wp/v2/users/me',
    '/wp/v2/users/1/application-passwords',
    'made/v1/error',
    'http://x.y/made/v1/error',
    '///',
    ':80',
    '/nope',
    '/made/v1/error/',
  ]
  const item = (): unknown => {
    const route = random.pick(random.chance(0.7) ? routes.filter(({ batch }) => batch === true) : routes)
    const names = Object.keys(route.args)
    const address = `/${route.namespace}${addressOf(random, route.route)}`
    const path = random.pick([address, `${address}?${pairOf(random, names)}`, random.pick(paths)])
    const isWrite = random.chance(0.9) && route.method !== 'GET'
    const headers = [
      {},
      { 'X-A': 'b' },
      { 'Content-Type': 'application/json' },
      { 'X-A': ['b', 'c'] },
      'x',
      { 'X-A': 1 },
    ]
    return {
      ...(random.chance(0.97) && { path }),
      ...(random.chance(0.6) && { method: isWrite ? route.method : random.pick(['POST', 'PUT', 'GET', 'post', '']) }),
      ...(random.chance(0.5) && {
        body: JSON.parse(random.chance(0.9) ? jsonOf(random, names) : valueOf(random)) as unknown,
      }),
      ...(random.chance(0.15) && { headers: random.pick(headers) }),
    }
  }
  const items = Array.from({ length: random.pick([0, 1, 1, 2, 2, 3, 4, 26]) }, item)
  return JSON.stringify({
    ...(random.chance(0.97) && { requests: random.chance(0.97) ? items : random.pick(['x', {}, [1], null]) }),
    ...(random.chance(0.3) && { validation: random.pick(['normal', 'require-all-validate', 'x', '', null]) }),
  })
}

/** A path that the pattern of a route probably matches. */
export function addressOf(random: Random, pattern: string): string {
  const part = (inner: string): string => {
    if (random.chance(0.08)) return random.pick(['', 'x', '0', '-', 'a/b', '%20', 'é', '%C3%89', 'A', '1%0A'])
    if (/\\d/.test(inner))
      return random.chance(0.8) ? String(random.integer(1, 14)) : random.pick(['2024', '05', '9e9'])
    if (/red/.test(inner)) return random.pick(['red', 'green', 'RED'])
    return random.pick(['abc', 'a', 'b-c', 'A', "it's", 'a%20b', 'a+b', 'x1', '%C3%A9', 'a,b', 'true', 'null'])
  }
  return pattern
    .replaceAll(/\(\?:\/(\(\?P<\w+>[^()]*\))\)\?/g, (_all, inner: string) => (random.chance(0.3) ? '' : `/${inner}`))
    .replaceAll(/\((?:\?P<\w+>|\?:)?((?:[^()[\]]|\[[^\]]*\])*)\)\??/g, (_all, inner: string) => part(inner))
}

function nameOf(random: Random, names: readonly string[]): string {
  if (names.length > 0 && random.chance(0.7)) return random.pick(names) + random.pick(brackets)
  if (random.chance(0.15)) return random.pick(encodedNames)
  return random.pick(['a', 'b', 'c', 'd', 'x', 'unknown', '0']) + random.pick(brackets)
}

function jsonOf(random: Random, names: readonly string[]): string {
  const keys = Array.from(
    { length: random.integer(0, 4) },
    () => nameOf(random, names).replaceAll(/[[\]%].*/gs, '') || 'a',
  )
  const value = (key: string): string =>
    random.choose([
      [4, () => JSON.stringify(random.pick(words))],
      [6, () => valueOf(random)],
      [2, () => JSON.stringify(textFor(random, key))],
    ])
  const members = [...new Set(keys)].map((key) => `${JSON.stringify(key)}:${value(key)}`)
  if (random.chance(0.1)) members.push(`"_fields":${JSON.stringify(random.pick(fieldLists))}`)
  return `{${members.join(random.pick([',', ', ', ',\n']))}}`
}

function multipart(random: Random, names: readonly string[]): Body {
  const boundary = random.pick(['x', '----WebKitFormBoundaryAbC', "a'b"])
  const parts = Array.from({ length: random.integer(0, 3) }, () => {
    const name = nameOf(random, names).replaceAll(/%../g, '')
    const file = random.chance(0.1) ? '; filename="f.txt"' : ''
    const type = random.chance(0.2) ? '\r\nContent-Type: text/plain' : ''
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}${type}`
    return isOfQuery(name) ? '' : `${head}\r\n\r\n${random.pick(words)}\r\n`
  })
  return { type: `multipart/form-data; boundary=${boundary}`, text: `${parts.join('')}--${boundary}--\r\n` }
}
