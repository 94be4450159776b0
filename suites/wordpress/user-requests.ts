import { commonTextOf } from '../functions/texts.js'
import { valueOf } from '../functions/schemas.js'
import type { Random } from '../support/random.js'
import type { Caller } from './callers.js'
import { passwordIds } from './people.js'
import type { SentRequest } from './requests.js'
import { encodedValues, jsonTypes, oddJson, special, words } from './values.js'

const split = (text: string): string[] => text.split('|')

const methods = split('GET|GET|GET|POST|POST|POST|PUT|PATCH|DELETE|DELETE|OPTIONS|HEAD')
const users = split('me|me|me|me|1|2|3|4|5|6|7|8|99|0|05|abc|1abc|ME|9223372036854775808|-1|+1|me%0A|2%0A')
const long = (length: number): string => 'x'.repeat(length)

/** Values by the name of the parameter: texts, or JSON after a `=`. */
const values: Readonly<Record<string, readonly string[]>> = {
  email: split('editor@shop.example|administrator@shop.example|EDITOR@SHOP.EXAMPLE|new@shop.example|a@b.co|x||0|é@x.y'),
  password: [...split('a new one|secret|| x |0|a\\b|p|=5|=["a"]|=true|="é"|ß😀'), long(80)],
  slug: [...split('new-slug|editor|administrator|author||0|É x|A_B|a/b|%41|x.y|=5|=["a"]|日本|plain'), long(50)],
  username: split('administrator|editor|Editor|author|plain|nobody||0| editor|bad<b>|=5|=["editor"]|é'),
  roles: split(
    'administrator|editor|subscriber|nope||editor,subscriber|=["editor"]|=["administrator","editor"]|=[]|={"a":"editor"}|' +
      '=[5]|=true|=[["editor"]]|=["nope"]|=["Editor"]|="administrator"|=["subscriber","subscriber"]|administrator administrator',
  ),
  locale: split('|en_US|de_DE|xx|=5|=["en_US"]|en_us|0'),
  meta: split(
    '={}|=[]|={"persisted_preferences":{}}|={"persisted_preferences":{"_modified":"2024-01-01T00:00:00"}}|x||=5|' +
      '={"persisted_preferences":{"core":{"a":1,"b":[true,null,"é\\\\x"]}}}|={"persisted_preferences":null}|={"other":1}|' +
      '={"persisted_preferences":[]}|={"persisted_preferences":[1,2]}|={"persisted_preferences":{"_modified":"2024-01-01T00:00:00","a":{}}}|' +
      '={"persisted_preferences":{"x":1.5}}|={"persisted_preferences":{"x":10.0,"y":[2.0,3]}}|={"other":1,"persisted_preferences":{"a":"b"}}|=["a"]|=null',
  ),
  context: split('view|edit|embed|help|x||=1|=["edit"]'),
  force: split('true|1|1|true|=true|=true|false|0|x||=null'),
  reassign: split('1|2|=1|=2|=3|99|0|=0|me|8'),
  name: [],
  first_name: [],
  last_name: [],
  nickname: [],
  description: [],
  url: split(
    'http://x.example/|example.com|javascript:x|https://x.example/?a=1&b=[2]|/a|#b||0|mailto:a@b.co|=5|é.example',
  ),
  app_id: split('550e8400-e29b-41d4-a716-446655440000||x|550E8400-E29B-41D4-A716-446655440000|=5|=null|=[]|0'),
  unknown: split('x|=1'),
}

const ofChanges = split(
  'name|name|first_name|last_name|nickname|email|email|url|description|slug|slug|username|roles|roles|password|locale|meta|meta|context|unknown',
)
const ofDeletions = split('force|force|force|reassign|reassign|reassign|context|unknown')
const ofOldPasswords = split('name|name|name|context|unknown')
const ofPasswords = split('name|name|name|app_id|app_id|context|unknown')
const fields = [
  ...split(
    'id|name|email,id|capabilities|capabilities.read|meta|meta.persisted_preferences|_links|_links.self|avatar_urls',
  ),
  ...split('avatar_urls.24|uuid|uuid,name|password|deleted|previous|previous.id|count|code|roles|id,_links.self|nope|'),
]

/**
 * A request to the current user, or to the application passwords of a user.
 * @param isOld the version of WordPress is before 7.1: some refuse an empty `app_id`.
 */
export function userRequestOf(random: Random, callers: readonly Caller[], isOld: boolean): SentRequest {
  const caller = random.chance(0.1) ? { headers: {}, nonce: null } : random.pick(callers)
  const isOfMe = random.chance(0.5)
  const user = random.pick(users)
  const uuid = random.chance(0.85)
    ? random.pick(passwordIds)
    : random.pick(split('x|introspec|-|A%20b|a.b|é|introspect%0A|'))
  const list = `/wp/v2/users/${user}/application-passwords`
  const path = isOfMe
    ? random.pick([
        '/wp/v2/users/me',
        '/wp/v2/users/me',
        '/wp/v2/users/me',
        '/wp/v2/users/me/',
        '/wp/v2/users/ME',
        '/wp/v2/Users/me',
      ])
    : random.pick([list, list, `${list}/${uuid}`, `${list}/${uuid}`, `${list}/introspect`, `${list}/`])
  const method = random.pick(methods)
  const isDeletion = isOfMe && (method === 'DELETE' || random.chance(0.05))
  const names = isDeletion ? ofDeletions : isOfMe ? ofChanges : isOld ? ofOldPasswords : ofPasswords
  const writes = ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method)
  const pairs = Array.from({ length: random.pick(isDeletion ? [2, 2, 3] : [0, 1, 1, 1, 2, 3]) }, () =>
    pairOf(random, names),
  )
  if (!isOfMe && writes && random.chance(0.7)) pairs.push(['name', valueFor(random, 'name')])
  const place = !writes ? 'query' : random.pick(['query', 'json', 'json', 'json', 'form', 'form', 'multipart'])
  const query = place === 'query' ? pairs.map(encoded) : []
  if (random.chance(0.2)) query.push(`_fields=${encodeURIComponent(random.pick(fields))}`)
  if (!writes && random.chance(0.3)) query.push(`context=${random.pick(split('view|edit|embed|x'))}`)
  while (random.chance(0.12)) {
    const [name, texts] = random.pick(special)
    if (name !== 'rest_route') query.push(`${name}=${encodeURIComponent(random.pick(texts))}`)
  }
  if (random.chance(0.03)) query.push(`unknown=${random.pick(encodedValues)}`)
  if (caller.nonce !== null && random.chance(0.5))
    query.push(`_wpnonce=${random.pick([caller.nonce, caller.nonce, 'x', ''])}`)
  const isParameter = random.chance(0.06)
  if (isParameter) query.push(`rest_route=${encodeURIComponent(path.replaceAll('%0A', '\n'))}`)
  const body = place === 'query' ? null : bodyOf(random, place, pairs)
  const override = random.chance(0.06) ? { 'x-http-method-override': random.pick(split('GET|PUT|DELETE|PATCH|x')) } : {}
  const headers = {
    ...caller.headers,
    ...(body !== null && body.type !== null && { 'content-type': body.type }),
    ...(random.chance(0.1) && { origin: random.pick(['http://x.example', 'null']) }),
    ...override,
  }
  const address = isParameter ? '/index.php' : `/wp-json${path}`
  return {
    method,
    path: (query.length === 0 ? address : `${address}?${query.join('&')}`).replaceAll(/[^!-~]+/g, encodeURIComponent),
    headers,
    ...(body !== null && { body: body.text }),
  }
}

function pairOf(random: Random, names: readonly string[]): readonly [name: string, value: string] {
  const name = random.pick(names)
  return [name, valueFor(random, name)]
}

/** A text, or JSON after a `=`. */
function valueFor(random: Random, name: string): string {
  if (name === 'force' || name === 'reassign') return random.pick(values[name] ?? [])
  const own = values[name] ?? []
  return random.choose([
    [own.length === 0 ? 0 : 8, () => random.pick(own)],
    // A backslash in a name is taken away in all names with each write: docs/wordpress.md, on purpose, 6.
    [own.length === 0 ? 4 : 1, () => textFor(random)],
    [own.length === 0 ? 2 : 1, () => random.pick(words).replaceAll('\\', '')],
    [1, () => `=${valueOf(random)}`.replaceAll('\\\\', '')],
  ])
}

const textFor = (random: Random): string => commonTextOf(random).replaceAll('\\', '').replace(/^=+/, '')

function encoded([name, value]: readonly [string, string]): string {
  if (!value.startsWith('=')) return `${name}=${encodeURIComponent(value)}`
  const decoded = JSON.parse(value.slice(1)) as unknown
  if (typeof decoded !== 'object' || decoded === null) return `${name}=${encodeURIComponent(String(decoded))}`
  const parts = nested(name, decoded)
  return parts.length === 0 ? `${name}=` : parts.join('&')
}

function nested(name: string, value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [`${name}=${encodeURIComponent(String(value))}`]
  return Object.entries(value).flatMap(([key, inner]) => nested(`${name}[${encodeURIComponent(key)}]`, inner))
}

function bodyOf(
  random: Random,
  place: string,
  pairs: readonly (readonly [string, string])[],
): { readonly type: string | null; readonly text: string } {
  if (place === 'json') {
    if (random.chance(0.04)) return { type: 'application/json', text: random.pick(oddJson) }
    const member = ([name, value]: readonly [string, string]): string =>
      `${JSON.stringify(name)}:${value.startsWith('=') ? value.slice(1) : JSON.stringify(value)}`
    const type = random.chance(0.9) ? 'application/json' : random.pick(jsonTypes)
    return { type, text: `{${[...new Map(pairs.map((pair) => [pair[0], member(pair)])).values()].join(',')}}` }
  }
  if (place === 'form') {
    const type = random.chance(0.95) ? 'application/x-www-form-urlencoded' : null
    // WordPress refuses a form in which `name` has another value than in the query.
    return { type, text: pairs.map(encoded).join('&') }
  }
  const part = (pair: string): string => {
    const [name = '', value = ''] = pair.split('=')
    return `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${decodeURIComponent(value)}\r\n`
  }
  const parts = pairs.flatMap((pair) => encoded(pair).split('&')).map(part)
  return { type: 'multipart/form-data; boundary=x', text: `${parts.join('')}--x--\r\n` }
}
