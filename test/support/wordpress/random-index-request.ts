import type { Random } from '../../../suites/support/random.js'
import type { SentRequest } from './rest-responses.js'

const bases = [
  '/wp-json',
  '/wp-json',
  '/wp-json',
  '/?rest_route=',
  '/index.php?rest_route=',
  '/index.php/wp-json',
  '//wp-json',
  '/x?rest_route=',
  '/wp%2Djson',
]

/** The index, those of namespaces, and paths beside them. */
const routes = [
  '/',
  '/',
  '/',
  '',
  '/wp/v2',
  '/wp/v2',
  '/wp/v2/',
  '/wp/v2//',
  '/WP/V2',
  '/wp%2Fv2',
  '/wp/v2%20',
  '/wp/v2%0A',
  '/wp/v2?',
  '/wp/v2/x',
  '/shop/v1',
  '/shop/v1',
  '/shop/v1/',
  '/shop/v1%0A',
  '/shop/v1/products/5%0A',
  '/batch/v1',
  '/batch',
  '/wp',
  '/wp/v3',
  '/shop',
  '/nope/v1',
  '/0',
  '/%0A',
  '//',
]

const methods = 'GET GET GET GET GET OPTIONS OPTIONS HEAD POST PUT PATCH DELETE PROPFIND LINK M-SEARCH'.split(' ')

const fields = [
  '|0|,|x|name|Name|name,url| name , url|<b>name</b>|name,_links.self',
  'namespace|namespaces|routes|routes./|routes.methods|routes./wp/v2|routes./wp/v2.methods',
  '_links|_links.help|_links.up|_embedded|authentication.application-passwords',
  'code|code,data.status|data|endpoints|endpoints.args|schema|status|body.name',
].flatMap((list) => list.split('|'))

const parameters: Readonly<Record<string, readonly string[]>> = {
  _fields: fields,
  _embed: ['', '1', '0', 'true', 'false', 'up', 'help', 'up,help', 'self', 'x'],
  _envelope: ['', '1', '0', 'false'],
  _jsonp: ['cb', 'a.b', '', '0'],
  _locale: ['user', 'x'],
  _method: ['GET', 'POST', 'OPTIONS', 'HEAD', 'get', 'x', '', '0'],
  _pretty: ['', '1'],
  _wpnonce: ['', 'x', '0'],
  context: ['view', 'edit', 'embed', 'x', '', '0'],
  namespace: ['wp/v2', 'shop/v1', 'x', '', '0', '/wp/v2', 'wp/v2/', 'batch/v1'],
  rest_route: ['/', '/wp/v2', '/shop/v1', 'x'],
  route: ['x'],
  unknown: ['', 'x'],
}
/** Lists of these are fatal in WordPress; of `_jsonp`, 6.1 refuses them with more headers than newer versions. */
const scalars: ReadonlySet<string> = new Set(['_jsonp', '_method', 'namespace', 'rest_route'])

const bodies = ['{"namespace":"x"}', '{"_method":"GET"}', '{"_fields":"name"}', '{', '[]', 'null', '']

type Headers = SentRequest['headers']

/** A request to an index, or beside one. @param callers the headers of each. */
export function randomIndexRequest(random: Random, callers: readonly Headers[], home: string): SentRequest {
  const method = random.pick(methods)
  // nginx refuses other methods of a folder before PHP sees them.
  const base = random.pick(bases).replace(/^\/\?/, ['GET', 'HEAD', 'POST'].includes(method) ? '/?' : '/index.php?')
  // An empty rest_route is the front page.
  const address = (base + random.pick(routes)).replace(/=$/, '=/')
  const sentFields = Array.from({ length: random.integer(0, 3) }, () => {
    const name = random.pick(Object.keys(parameters))
    const brackets = scalars.has(name) ? '' : random.pick(['', '', '', '', '', '[]', '[a]', '[0]'])
    return `${name}${brackets}=${encodeURIComponent(random.pick(parameters[name] ?? []))}`
  })
  const hasBody = ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method) && random.chance(0.5)
  const sentBody = hasBody ? body(random, sentFields) : null
  const query = hasBody || sentFields.length === 0 ? '' : (address.includes('?') ? '&' : '?') + sentFields.join('&')
  const headers = {
    ...random.pick(callers),
    ...(random.chance(0.25) && { origin: random.pick(['http://x.example', 'null', '0', home]) }),
    ...(!query.includes('_envelope') &&
      random.chance(0.2) && { 'x-http-method-override': random.pick(['GET', 'OPTIONS', 'PUT', 'x', '']) }),
    ...(random.chance(0.1) && { accept: random.pick(['text/html', 'application/xml']) }),
    ...(random.chance(0.1) && { 'if-none-match': '"x"' }),
    ...(random.chance(0.1) && { range: 'bytes=0-3' }),
    ...(sentBody !== null && { 'content-type': sentBody.type }),
  }
  return { method, path: address + query, headers, ...(sentBody !== null && { body: sentBody.text }) }
}

function body(random: Random, fields: readonly string[]): { readonly type: string; readonly text: string } {
  if (random.chance(0.25))
    return { type: random.pick(['application/json', 'APPLICATION/JSON; x=y', 'text/json']), text: random.pick(bodies) }
  // WordPress refuses a form whose rest_route contradicts the address.
  const text = fields.filter((field) => !field.startsWith('rest_route')).join('&')
  return { type: random.pick(['application/x-www-form-urlencoded', 'application/json', 'text/plain']), text }
}

/** What both answer of the decoded body of a response. */
export function sharedParts(
  patterns: ReadonlySet<string>,
  { path, body = '' }: SentRequest,
): (body: unknown) => unknown {
  const left = new Set(ofOneVersion)
  // 6.1 shows the links of an index whatever `_fields` selects.
  if (/_fields/.test(path + body)) left.add('help')
  const part = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.filter((each) => !isOfOneNamespace(each)).map(part)
    const names = Object.keys(value).filter((name) => !left.has(name) && (!isPattern(name) || patterns.has(name)))
    const parts = names.map((name) => [name, part((value as Record<string, unknown>)[name])] as const)
    const shared = parts.filter(([name, links]) => name !== '_links' || !isEmpty(links))
    // As PHP writes an empty map.
    return shared.length === 0 ? [] : Object.fromEntries(shared)
  }
  return part
}

/** Members of the index: those of newer versions than 6.1, and the links that editors see in WordPress. */
const ofOneVersion = ['page_for_posts', 'page_on_front', 'show_on_front', 'wp:active-theme', 'curies']

const isOfOneNamespace = (item: unknown): boolean =>
  typeof item === 'string' && /^(?:oembed|wp-site-health|wp-block-editor|wp-abilities)\//.test(item)

const isPattern = (name: string): boolean => name.startsWith('/')

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0
