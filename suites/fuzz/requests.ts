import type { ArgumentRules } from '../../src/validation/rules.js'
import type { Random } from '../support/random.js'
import { credentialHeaders } from './credentials.js'
import { damaged, multipart, percentEncode, urlEncoded } from './encode.js'
import { damagedPath, pathOf } from './paths.js'
import type { Member } from './protocol.js'
import type { Operation } from './route-table.js'
import { hostileTexts, hostileValue, validValue, valueFor } from './values.js'

type Header = readonly [name: string, value: string]

export interface FuzzRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: readonly Header[]
  readonly body: Buffer | null
  /** The operation that answers, unless the request is refused before; null when several could. */
  readonly operation: Operation | null
  /** Whether the request may share a connection with others that are not answered yet. */
  readonly mayBePipelined: boolean
}

export interface Ground {
  readonly operations: readonly Operation[]
  readonly members: readonly Member[]
  readonly host: string
}

const pages = [
  '/',
  '/?p=2',
  '/?product=x',
  '/product/none/',
  '/product/',
  '/product/page/2/',
  '/category/kitchen/',
  '/author/ada/',
  '/?s=lamp',
  '/wp-login.php',
  '/wp-login.php?action=lostpassword',
  '/wp-login.php?action=logout',
  '/wp-login.php?action=rp',
  '/wp-login.php?action=postpass',
  '/wp-admin/',
  '/wp-admin/profile.php',
  '/wp-admin/authorize-application.php?app_name=fuzz',
  '/wp-admin/admin-ajax.php?action=rest-nonce',
  '/healthz',
  '/readyz',
  '/favicon.ico',
  '/shop.css',
  '/index.php',
] as const

/** A request that is grown from an operation, or from a page. */
export function growRequest(random: Random, ground: Ground): FuzzRequest {
  if (random.chance(0.06)) return pageRequest(random, ground)
  const operation = pickOperation(random, ground.operations)
  const draft = new Draft(random, ground, operation)
  draft.addArguments()
  draft.addServiceParameters()
  draft.addMethod()
  draft.addHeaders()
  return draft.finish()
}

/** The routes of the rules are many; those of the shop and of the service itself get a half of the requests. */
function pickOperation(random: Random, operations: readonly Operation[]): Operation {
  const isOf = random.choose<(pattern: string) => boolean>([
    [10, () => (pattern) => pattern.startsWith('/rules/')],
    [5, () => (pattern) => pattern.startsWith('/shop/')],
    [4, () => (pattern) => !pattern.startsWith('/rules/') && !pattern.startsWith('/shop/')],
    [1, () => (pattern) => pattern === '/batch/v1'],
  ])
  const candidates = operations.filter(({ pattern }) => isOf(pattern))
  return random.pick(candidates.length > 0 ? candidates : operations)
}

function pageRequest(random: Random, ground: Ground): FuzzRequest {
  const page = random.pick(pages)
  const extra = random.chance(0.5)
    ? `${page.includes('?') ? '&' : '?'}${random.pick(['s', 'redirect_to', 'p', 'app_id', 'success_url', '_wpnonce'])}=${percentEncode(random.pick(hostileTexts))}`
    : ''
  const headers: Header[] = [
    ['Host', ground.host],
    ...credentialHeaders(random, ground.members, null),
    ...(random.chance(0.2) ? [hostileHeader(random)] : []),
  ]
  return {
    method: random.pick(['GET', 'GET', 'GET', 'HEAD', 'PUT']),
    target: page + extra,
    headers,
    body: null,
    operation: null,
    mayBePipelined: false,
  }
}

/** A request while it grows. */
class Draft {
  readonly #random: Random
  readonly #ground: Ground
  readonly #operation: Operation
  readonly #query: [string, unknown][] = []
  readonly #sent: [string, unknown][] = []
  readonly #headers: Header[] = []
  #method: string
  #path: string
  #body: Buffer | null = null
  /** Whether the path, the method and the address are those of the operation. */
  #isPlain = true
  #isTame = true
  /** Two in five requests have valid arguments only, so that handlers run often. */
  readonly #isWellMeant: boolean

  constructor(random: Random, ground: Ground, operation: Operation) {
    this.#random = random
    this.#ground = ground
    this.#operation = operation
    this.#isWellMeant = random.chance(0.4)
    this.#method = operation.method
    this.#path = pathOf(operation.pattern, random, (name) => this.#groupText(name))
    this.#headers.push(['Host', ground.host])
    this.#headers.push(...credentialHeaders(random, ground.members, this.#spare()))
    if (random.chance(0.08)) {
      this.#path = damagedPath(this.#path, random)
      this.#isPlain = false
    }
  }

  /** Who may end the credentials of the caller: one member alone, so that the others stay valid. */
  #spare(): string | null {
    const endsCredentials = this.#method !== 'GET' && this.#operation.pattern.startsWith('/wp/v2/users')
    return endsCredentials ? 'vera' : null
  }

  #groupText(name: string): string | null {
    const random = this.#random
    if (name === 'uuid' && random.chance(0.7)) return random.pick(this.#ground.members).uuid
    if (name === 'user_id' && random.chance(0.4)) return 'me'
    if (name === 'user_id' && random.chance(0.8)) return String(random.pick(this.#ground.members).id)
    if (name !== 'id' && name !== 'user_id') return null
    return String(
      random.choose<number | string>([
        [6, () => random.integer(1, 160)],
        [1, () => random.pick([0, '007', '99999999999999999999', '9007199254740993', '4294967296'])],
      ]),
    )
  }

  addArguments(): void {
    const random = this.#random
    for (const [name, rules] of Object.entries(this.#operation.args)) {
      if (!random.chance(rules.required === true ? 0.93 : 0.6)) continue
      this.#sent.push([
        name,
        this.#operation.pattern === '/batch/v1' && name === 'requests' && random.chance(0.8)
          ? this.#batchItems()
          : this.#value(rules),
      ])
    }
    if (!this.#isWellMeant && random.chance(0.1))
      this.#sent.push([random.pick(['__proto__', 'unknown', 'page[', 'a.b', '', '0', 'page']), hostileValue(random)])
    if (random.chance(0.02))
      for (let count = 0; count < random.pick([999, 1_000, 1_001]); count += 1) this.#sent.push([`v${count}`, 1])
    const carriesBody = this.#method !== 'GET' ? 0.85 : 0.1
    if (random.chance(carriesBody)) this.#addBody()
    else this.#query.push(...this.#sent)
    if (random.chance(0.1) && this.#sent.length > 0) this.#query.push(random.pick(this.#sent))
  }

  #value(rules: ArgumentRules): unknown {
    return this.#isWellMeant ? validValue(rules, this.#random) : valueFor(rules, this.#random)
  }

  #batchItems(): unknown {
    const random = this.#random
    const count = random.pick([0, 1, 2, 3, 5, 25, 26])
    return Array.from({ length: count }, () => {
      const operation = random.pick(this.#ground.operations)
      const path = pathOf(operation.pattern, random, (name) => this.#groupText(name))
      const body = Object.entries(operation.args).map(([name, rules]) => [name, this.#value(rules)])
      return {
        path: random.chance(0.9) ? path : random.pick(hostileTexts),
        ...(random.chance(0.8) && { method: operation.method }),
        ...(random.chance(0.8) && { body: Object.fromEntries(body) as unknown }),
        ...(random.chance(0.2) && { headers: { 'x-fuzz': random.pick(hostileTexts) } }),
      }
    })
  }

  #addBody(): void {
    const random = this.#random
    const [type, body] = random.choose<readonly [string, Buffer]>([
      [6, () => ['application/json', Buffer.from(JSON.stringify(Object.fromEntries(this.#sent)))]],
      [3, () => ['application/x-www-form-urlencoded', Buffer.from(urlEncoded(this.#sent, random), 'latin1')]],
      [
        2,
        () => {
          const boundary = random.pick(['----fuzz', 'b', 'x'.repeat(70), 'x'.repeat(71)])
          return [`multipart/form-data; boundary=${boundary}`, multipart(this.#sent, boundary, random)]
        },
      ],
      [0.5, () => ['application/json', Buffer.from(JSON.stringify(hostileValue(random)))]],
      [0.5, () => ['application/json', Buffer.from(`${'['.repeat(random.pick([500, 511, 512, 5_000]))}1`)]],
    ])
    this.#body = !this.#isWellMeant && random.chance(0.13) ? damaged(body, random) : body
    if (random.chance(0.004)) this.#body = Buffer.alloc(random.pick([1_048_576, 1_048_577]), 'a')
    const sentType = random.chance(0.9)
      ? type
      : random.pick([
          'text/plain',
          'application/json; charset=utf-16',
          'application/vnd.api+json',
          'multipart/form-data',
          'APPLICATION/JSON',
          'application/x-www-form-urlencoded; charset=latin1',
          ';',
          'application/json, text/plain',
          'multipart/form-data; boundary=""',
        ])
    if (random.chance(0.97)) this.#headers.push(['Content-Type', sentType])
  }

  addServiceParameters(): void {
    const random = this.#random
    const texts: readonly (readonly [name: string, probability: number, values: readonly string[]])[] = [
      ['_fields', 0.05, ['id', 'id,title', 'params.page', 'a.b.c', ',', '__proto__', 'id.x,id', '*']],
      ['_embed', 0.05, ['', '1', 'word', 'missing,word', 'x', '0']],
      ['_envelope', 0.05, ['', '1', 'false']],
      ['_jsonp', 0.04, ['call', 'a.b_c', '', '0', 'alert(1)', 'a;b', '<x>', 'ключ']],
      ['_pretty', 0.02, ['', '1']],
      ['_locale', 0.02, ['user', 'x']],
      ['context', 0.03, ['view', 'edit', 'embed', 'x']],
      ['_wpnonce', 0.02, ['', '0', 'abcdef0123']],
    ]
    for (const [name, probability, values] of texts)
      if (random.chance(probability)) {
        this.#query.push([
          random.chance(0.9) ? name : `${name}[]`,
          random.chance(0.8) ? random.pick(values) : random.pick(hostileTexts),
        ])
        // A nonce of one's own is refused, whatever the operation says.
      }
  }

  addMethod(): void {
    const random = this.#random
    const roll = random.next()
    if (roll < 0.03) {
      this.#query.push(['_method', random.pick([this.#method, 'put', 'DELETE', 'HEAD', 'OPTIONS', '', 'x', 'GET'])])
      this.#isPlain = false
    } else if (roll < 0.05) {
      this.#headers.push(['X-HTTP-Method-Override', random.pick([this.#method, 'patch', 'HEAD', '', 'OPTIONS'])])
      this.#isPlain = false
    } else if (roll < 0.09) {
      this.#method = random.pick(['HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH', 'GET'])
      this.#isPlain = false
    } else if (roll < 0.1) {
      this.#method = random.pick(['PURGE', 'PROPFIND', 'TRACE', 'FOO', 'get'])
      this.#isPlain = false
      this.#isTame = false
    } else if (roll < 0.13) {
      this.#query.push(['rest_route', random.chance(0.7) ? this.#path : random.pick(hostileTexts)])
      this.#isPlain = false
    }
  }

  addHeaders(): void {
    const random = this.#random
    while (random.chance(0.15)) {
      this.#headers.push(hostileHeader(random))
      this.#isTame = false
    }
    if (random.chance(0.03)) {
      this.#headers.push(['Connection', 'close'])
      this.#isTame = false
    }
  }

  finish(): FuzzRequest {
    const random = this.#random
    const query = urlEncoded(this.#query, random)
    const prefix = random.chance(0.95) ? '/wp-json' : '/index.php/wp-json'
    const target = `${prefix}${this.#path}${query === '' ? '' : `?${query}`}`
    // The head of a request has at most 16 KiB; one in a hundred of the longer ones is sent.
    const isShort = target.length < 12_000 || random.chance(0.01)
    return {
      method: this.#method,
      target: isShort ? target : `${prefix}${this.#path}`,
      headers: this.#headers,
      body: this.#body,
      operation: this.#isPlain ? this.#operation : null,
      mayBePipelined: this.#isTame && isShort && (this.#body?.length ?? 0) < 100_000,
    }
  }
}

function hostileHeader(random: Random): Header {
  const text = random
    .pick(hostileTexts)
    .replaceAll(/[^\t\x20-\x7e]/g, '\xff')
    .slice(0, 2_000)
  return random.pick<Header>([
    ['Origin', random.pick(['https://evil.example', 'null', '0', text])],
    ['If-None-Match', random.pick(['*', '"x"', 'W/"a", "b"', text])],
    ['If-Modified-Since', text],
    ['Accept', random.pick(['text/html', '*/*', text])],
    ['Accept-Encoding', random.pick(['gzip, br', 'identity;q=0', text])],
    ['Range', 'bytes=0-10,5-'],
    ['Expect', random.pick(['100-continue', 'something'])],
    ['X-Forwarded-For', random.pick(['1.2.3.4', '::1, 10.0.0.1', 'unknown', text])],
    ['X-Forwarded-Proto', random.pick(['https', 'ftp', text])],
    ['X-Forwarded-Host', text],
    ['Referer', text],
    ['User-Agent', text],
    ['Cookie', `wordpress_test_cookie=${text}; a[b]=c; ${text}`],
    ['X-Fuzz', text],
    ['X-HTTP-Method', text],
    ['Cache-Control', 'no-cache'],
    ['Upgrade', 'h2c'],
    ['TE', 'trailers'],
  ])
}

/** The bytes of a request on the wire. */
export function wireBytes({ method, target, headers, body }: FuzzRequest): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const length = body === null ? '' : `Content-Length: ${body.length}\r\n`
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines}${length}\r\n`, 'latin1')
  return body === null ? head : Buffer.concat([head, body])
}
