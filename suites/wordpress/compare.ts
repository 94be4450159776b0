import { request } from 'node:http'
import { ofServers, withoutNewerMembers } from '../../test/support/wordpress/rest-responses.js'
import { passwordIds } from './people.js'
import type { SentRequest } from './requests.js'

export interface ReceivedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Milliseconds for a response. One that takes longer fails the run. */
const maxWait = 60_000

/** @throws Error when the response has not ended in time. */
export function responseOf(
  root: string,
  { method, path, headers, body }: SentRequest,
  wait = maxWait,
): Promise<ReceivedResponse> {
  const { hostname, port } = new URL(root)
  const latin = Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')])
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, method, path, headers: { ...Object.fromEntries(latin), ...length }, agent: false },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('error', reject).on('end', () => {
          const own = Object.entries(response.headers).filter(([name]) => !ofServers.has(name))
          // WordPress marks responses with `no-store, private` since 6.3.
          const received = own.map(([name, value]) => [
            name,
            Array.isArray(value)
              ? value.map(withoutSecrets).join('')
              : String(value).replace(', no-store, private', ''),
          ])
          const text = Buffer.concat(parts).toString()
          resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(received), body: text })
        })
      },
    )
    const late = new Error(`${method} ${root}${path} has had no whole response for ${wait} ms`)
    const timer = setTimeout(() => {
      reject(late)
      sent.destroy(late)
    }, wait)
    sent
      .on('error', reject)
      .on('close', () => clearTimeout(timer))
      .end(body)
  })
}

/**
 * A cookie without what depends on the time and on random values; nothing for one that is removed from the browser: WordPress
 * also removes cookies that the service never sets. test/wordpress/changing-passwords.test.ts compares the others.
 */
const withoutSecrets = (cookie: string): string =>
  cookie.includes('=%20;')
    ? ''
    : `${cookie.replace(/%7C\d{10}%7C\w{43}%7C[0-9a-f]{64}/, '').replace(/expires=[^;]*/, '')}\n`

/** Whether WordPress itself failed, so that there is nothing to compare. */
export const isFailure = ({ status, headers, body }: ReceivedResponse): boolean =>
  status === 500 && ((headers['content-type'] ?? '').startsWith('text/html') || body.includes('internal_server_error'))

/** Whether the form of a request contradicts its query, which WordPress refuses: docs/wordpress.md, on purpose, 8. */
export const isMismatch = ({ body }: ReceivedResponse): boolean => body.includes('variable mismatch')

/** Whether a request changes nothing. */
export const isReading = ({ method, path, headers, body = '' }: SentRequest): boolean =>
  ['GET', 'HEAD', 'OPTIONS'].includes(method) && !('x-http-method-override' in headers) && !/_method/.test(path + body)

/**
 * Whether WordPress answers otherwise to a request about a user than this project does on purpose.
 * @param isOld the version of WordPress is before 7.1, the reference.
 */
export function isOnPurpose(sent: SentRequest, php: ReceivedResponse, here: ReceivedResponse, isOld: boolean): boolean {
  if (!/users/i.test(sent.path) || here.status !== 400) return false
  const refused = (text: string): boolean => here.body.includes(text)
  return (
    // docs/wordpress.md, on purpose, 1: null is validated.
    (/:null/.test(sent.body ?? '') && refused('"email":"Invalid email address."')) ||
    // 27: a slug of which sanitising leaves nothing. WordPress before 6.9 stores it.
    (refused('"empty_user_nicename"') && (php.status === 500 || (isOld && php.status === 200)))
  )
}

/** Whether WordPress has stored the other values of a request whose preferences it refuses: docs/wordpress.md, on purpose, 27. */
export const isHalfStored = ({ status, body }: ReceivedResponse): boolean =>
  status === 400 && /"meta\.persisted_preferences|"code":"rest_invalid_date"/.test(body)

/**
 * Whether two responses say the same, apart from the differences that this file names.
 * @param isOld the version of WordPress is before 7.1, the reference.
 */
export function areAlike(sent: SentRequest, php: ReceivedResponse, here: ReceivedResponse, isOld: boolean): boolean {
  return (
    php.status === here.status &&
    comparable(headersOf(sent, php, here)) === comparable(headersOf(sent, here, php)) &&
    (php.body === here.body || alikeBodies(sent, php.body, here.body, isOld))
  )
}

function headersOf(
  sent: SentRequest,
  { headers, body }: ReceivedResponse,
  { headers: other }: ReceivedResponse,
): Readonly<Record<string, string>> {
  const left = new Set<string>()
  const leave = (when: boolean, ...names: readonly string[]): void => {
    if (when) for (const name of names) left.add(name)
  }
  // WordPress 6.1 sends them with the refusal of a name for JSONP. A response to HEAD has no body that would say so.
  const isOfJsonp = body.includes('"rest_callback_invalid"') || (sent.method === 'HEAD' && /_jsonp=/.test(sent.path))
  leave(isOfJsonp, 'access-control-allow-headers', 'access-control-expose-headers')
  // docs/wordpress.md, on purpose, 35.
  const isOverridden = 'x-http-method-override' in sent.headers && /_envelope/.test(sent.path)
  leave(isOverridden, 'cache-control', 'expires')
  // The address of a new application password is random.
  leave(other['location'] !== undefined && /application-passwords/.test(sent.path), 'location')
  // A response that only removes cookies from the browser.
  leave(headers['set-cookie'] === '', 'set-cookie')
  // docs/wordpress.md, on purpose, 36.
  leave(/users\/me/i.test(sent.path) && /roles/.test(sent.path + (sent.body ?? '')), 'allow')
  // The shop declares a cache for its list.
  leave('etag' in headers || 'etag' in other, 'cache-control', 'etag', 'vary')
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !left.has(name)))
}

/** Whether two bodies say the same. The order of members counts, unless integers are among them. */
function alikeBodies(sent: SentRequest, theirs: string, here: string, isOld: boolean): boolean {
  // An empty map and an empty list are one value in PHP.
  const [php = '', ours = ''] = [theirs, here].map((body) => {
    const text = settled(sent, body.replaceAll('{}', '[]'))
    return isOld ? withoutNewerMembers(text.replaceAll('\\/', '/')) : text
  })
  if (php === ours) return true
  // Keys that are integers come first here, and PHP makes a list of a map with the keys 0, 1 and so on. Large integers
  // are doubles: docs/wordpress.md, not on purpose.
  const isOfIntegers = /"-?\d+":|"(?:params|url|query|body)":\s*\[|\d{16}/.test(php)
  if (isOfIntegers && comparable(decoded(php)) === comparable(decoded(ours))) return true
  // PHP without mbstring, as here, writes `false` for a text that is not UTF-8, and U+FFFD for its bytes from WordPress 6.9 on. Recorded
  // responses, and those of PHP with mbstring, have `?` for the bytes.
  const isUtf8 = !/%FF|%E2%82/.test(sent.path + (sent.body ?? ''))
  const withoutText = ours.replaceAll(/"(?:[^"\\]|\\.)*\?(?:[^"\\]|\\.)*"(?!:)/g, 'false')
  const other = php.replaceAll('\\ufffd', '?').replaceAll(/"(?:[^"\\]|\\.)*\?(?:[^"\\]|\\.)*"(?!:)/g, 'false')
  return !isUtf8 && comparable(decoded(other)) === comparable(decoded(withoutText))
}

/** One text for each time of this run and each random value. */
function settled(sent: SentRequest, body: string): string {
  if (!/users/i.test(sent.path)) return body
  return body
    .replaceAll(/"(created|last_used)":"([^"]*)"/g, (all, name: string, date: string) =>
      Math.abs(Date.parse(`${date}Z`) - Date.now()) < 600_000 ? `"${name}":"now"` : all,
    )
    .replaceAll(/"password":"\w{4}(?: \w{4}){5}"/g, '"password":"random"')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, (id) =>
      passwordIds.includes(id) ? id : 'random',
    )
}

/** The value of JSON, which may be the argument of a JSONP callback. */
function decoded(body: string): unknown {
  try {
    return JSON.parse(body.replace(/^\/\*\*\/[\w.]+\((.*)\)$/s, '$1'), (name, value: unknown) =>
      ['params', 'url', 'query', 'body'].includes(name) && Array.isArray(value) ? { ...(value as unknown[]) } : value,
    )
  } catch {
    return body
  }
}

/** One text for equal values, whatever the order of members. */
function comparable(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
