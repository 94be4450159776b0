import assert from 'node:assert/strict'
import {
  AsRestRoute,
  conditional,
  fileResponse,
  inject,
  RecordStore,
  RestResponse,
  SiteOptions,
  Terms,
  Users,
  type RestRequest,
} from 'as-rest-route'
import { ApplicationPasswordRejectedError } from '../../src/auth/application-passwords.js'
import * as callers from '../../src/auth/refusals.js'
import type { ResponseErrorCode } from '../../src/base/response-errors.js'
import { UserRejectedError, type UserRejectionCode } from '../../src/content/user-rejected-error.js'
import { namespaceDocument } from '../../src/documents/namespace-document.js'
import * as passwords from '../../src/endpoints/refusals.js'
import { tooManyValues } from '../../src/http/json-body.js'
import { nameTooDeep, tooManyVariables } from '../../src/http/query.js'
import { stopping } from '../../src/http/refusal.js'
import { RestError, type Problem } from '../../src/http/rest-error.js'
import * as problems from '../../src/validation/problems.js'
import { paramsTooComplex } from '../../src/validation/work-limit.js'
import { parserRefusal } from '../../src/server/connection/raw-refusal.js'
import { exchange } from '../support/raw-socket.js'
import { startService, type StartedService } from '../support/start-service.js'

class Items {
  constructor(
    private readonly records = inject(RecordStore),
    private readonly terms = inject(Terms),
    private readonly users = inject(Users),
    private readonly options = inject(SiteOptions),
  ) {}

  @AsRestRoute({
    namespace: 'shop/v1',
    route: '/items',
    permission: 'public',
    args: { title: { type: 'string', required: true }, page: { type: 'integer', default: 1 } },
  })
  list() {
    return new RestResponse([])
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/items', method: 'POST', permission: 'public' })
  create() {
    return new RestResponse(null, 201)
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/secrets' })
  secrets() {
    return new RestResponse([])
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/failure', permission: 'public' })
  failure(): RestResponse {
    throw new Error('out of order')
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/endless', permission: 'public', timeout: 0.5 })
  endless(request: RestRequest) {
    return new Promise((resolve) => request.signal.addEventListener('abort', () => resolve(null)))
  }

  @AsRestRoute({
    namespace: 'shop/v1',
    route: '/limited',
    permission: 'public',
    rate_limit: { requests: 1, per: 'minute' },
    args: { title: { type: 'string', required: true } },
  })
  limited() {
    return new RestResponse(null)
  }

  @AsRestRoute({
    namespace: 'shop/v1',
    route: '/keys',
    method: 'POST',
    permission: 'public',
    idempotency_key: 'required',
  })
  async keys(request: RestRequest) {
    const { port } = new URL(request.root)
    // The repeat comes while the first request runs.
    if (request.get_header('X-Repeat') === null) return new RestResponse(new Blob(['file']))
    const again = await fetch(`http://127.0.0.1:${port}/wp-json/shop/v1/keys`, {
      method: 'POST',
      headers: { 'Idempotency-Key': 'running', 'X-Repeat': 'yes' },
    })
    return new RestResponse(await again.json(), 409)
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/infinity', permission: 'public' })
  infinity() {
    return new RestResponse(Infinity)
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/file', permission: 'public' })
  file(request: RestRequest) {
    return fileResponse(request, new URL('./', import.meta.url), 'nothing.txt')
  }

  @AsRestRoute({
    namespace: 'shop/v1',
    route: '/uploads',
    method: 'POST',
    permission: 'public',
    args: { path: { type: 'string', required: true } },
  })
  async uploads(request: RestRequest<{ path: string }>) {
    const file = request.file('file')
    await file?.bytes(2)
    await file?.save(request.get_param('path'), { folder: new URL('./', import.meta.url) })
    return null
  }

  @AsRestRoute({
    namespace: 'shop/v1',
    route: '/version',
    method: 'PUT',
    permission: 'public',
    around: [conditional(() => 2)],
  })
  version() {
    return new RestResponse(null)
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/picture', method: 'POST', permission: 'public', allow_batch: true })
  picture() {
    return new RestResponse(new Uint8Array(1))
  }

  /** Values that the stores reject, by the number of the attempt. */
  @AsRestRoute({ namespace: 'shop/v1', route: '/rejected/(?P<attempt>\\d+)', permission: 'public' })
  async rejected(request: { get_param(name: 'attempt'): string }) {
    const { records, terms, users, options } = this
    const post = await records.insert({ title: 'Spade' })
    const term = await terms
      .create({ name: `Garden ${request.get_param('attempt')}`, slug: 'garden' })
      .catch(() => null)
    const attempts: (() => Promise<unknown>)[] = [
      () => records.insert({}),
      () => records.insert({ title: 'Spade', date: '2026-02-30T10:00:00' }),
      () => records.insert({ title: 'Spade', content: '\ud800' }),
      () => records.update(post.id, { content: '\ud800' }),
      () => records.insert({ title: 'Spade', id: post.id }),
      () => records.insert({ title: 'Spade', meta: { '': 'red' } }),
      () => records.insert({ title: 'Spade', meta: { colour: '\ud800' } }),
      () => records.delete(post.id, { if: { status: 'trash' } }),
      () => options.set('', 'red'),
      () => options.set('colour', '\ud800'),
      () => records.insert({ title: 'Spade', type: 'product', terms: { category: ['garden'] } }),
      () => records.insert({ title: 'Spade', terms: { category: ['tools'] } }),
      () => terms.create({ name: '' }),
      () => terms.create({ name: 'a'.repeat(201) }),
      () => terms.create({ name: 'Tools', description: '\ud800' }),
      () => terms.create({ name: 'Tools', id: term?.id ?? 1 }),
      () => terms.create({ name: 'Tools', parent: 999 }),
      () => terms.create({ name: 'Garden', slug: 'garden' }),
      () => users.create({ login: '', email: 'ada@example.org', password: 'secret' }),
    ]
    await attempts[Number(request.get_param('attempt'))]?.()
    return new RestResponse(null, 404)
  }
}

interface Example {
  /** Absent for a problem inside another error. */
  readonly status?: number
  readonly message: string
}

/** An error of each code, from requests where the code can be provoked by one, else from the function that makes it. */
export async function responseExamples(): Promise<ReadonlyMap<ResponseErrorCode, Example>> {
  const examples = new Map<string, Example>()
  const add = ({ code, message, data }: Problem, status?: number) => {
    const own = status ?? (data as { readonly status?: number } | null)?.status
    if (!examples.has(code)) examples.set(code, { message, ...(own !== undefined && { status: own }) })
  }
  const site = await startService([Items], { record_types: { product: { taxonomies: [] } } })
  try {
    for await (const [problem, status] of responses(site)) add(problem, status)
  } finally {
    await site.close()
  }
  for (const error of errors()) add(error)
  for (const problem of argumentProblems()) add(problem)
  for (const error of rejections()) add({ code: error.code, message: error.message, data: { status: 400 } })
  return examples as ReadonlyMap<ResponseErrorCode, Example>
}

async function* responses({ rest, port }: StartedService): AsyncGenerator<[Problem, number]> {
  const json = { 'Content-Type': 'application/json' }
  const files = `${'--x\r\nContent-Disposition: form-data; name="f[]"; filename="f"\r\n\r\n1\r\n'.repeat(21)}--x--`
  const requests: [path: string, options?: RequestInit][] = [
    ['shop/v1/nowhere'],
    ['?rest_route[]=/shop/v1/items'],
    ['shop/v1/items'],
    ['shop/v1/items?title=Spade&page=many'],
    ['shop/v1/items', { method: 'POST', headers: json, body: '{' }],
    [
      'shop/v1/items',
      { method: 'POST', headers: { 'Content-Type': `multipart/form-data; boundary=${'x'.repeat(71)}` }, body: 'x' },
    ],
    ['shop/v1/items', { method: 'POST', headers: { 'Content-Type': 'multipart/form-data; boundary=x' }, body: files }],
    ['shop/v1/items?title=Spade&_jsonp=a-b'],
    ...(
      [
        ['file', '123', '--x--'],
        ['../file', '1', '--x--'],
        ['errors.test.ts', '1', '--x--'],
        ['file', '1', ''],
      ] as const
    ).map(([path, content, end]): [string, RequestInit] => [
      `shop/v1/uploads?path=${path}`,
      {
        method: 'POST',
        headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
        body: `--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${content}\r\n${end}`,
      },
    ]),
    ['shop/v1/secrets'],
    ['shop/v1/failure'],
    ['shop/v1/infinity'],
    ['shop/v1/file'],
    ['shop/v1/version', { method: 'PUT', headers: { 'If-Match': '"1"' } }],
    ['shop/v1/limited'],
    ['shop/v1/limited'],
    ['shop/v1/keys', { method: 'POST' }],
    ['shop/v1/keys', { method: 'POST', headers: { 'Idempotency-Key': 'a key' } }],
    ['shop/v1/keys', { method: 'POST', headers: { 'Idempotency-Key': 'running', 'X-Repeat': 'yes' } }],
    ['shop/v1/keys?other=1', { method: 'POST', headers: { 'Idempotency-Key': 'running' } }],
    ['shop/v1/endless'],
    ...Array.from({ length: 19 }, (_, attempt): [string] => [`shop/v1/rejected/${attempt}`]),
  ]
  const stream = { method: 'POST', headers: { 'Idempotency-Key': 'stream' } }
  await (await fetch(`${rest}shop/v1/keys`, stream)).text()
  requests.push(['shop/v1/keys', stream])
  for (const [path, options] of requests) {
    const response = await fetch(`${rest}${path}`, options)
    assert.ok(response.status >= 400, path)
    yield [(await response.json()) as Problem, response.status]
  }
  const items = [{ path: 'http://' }, { path: '/shop/v1/items?title=Spade' }, { path: '/shop/v1/picture' }]
  const batch = JSON.stringify({ requests: items.map((item) => ({ method: 'POST', ...item })) })
  const response = await fetch(`${rest}batch/v1`, { method: 'POST', headers: json, body: batch })
  const { responses } = (await response.json()) as { responses: { body: Problem; status: number }[] }
  for (const { body, status } of responses) yield [body, status]
  const host = 'Host: shop.example\r\n'
  const heads = [
    `GET / HTTP/2.0\r\n${host}\r\n`,
    `CONNECT shop.example:443 HTTP/1.1\r\n${host}\r\n`,
    `GET / HTTP/1.1\r\n${host}Expect: miracles\r\n\r\n`,
    `GET / HTTP/1.1\r\n${host}X: ${'x'.repeat(20_000)}\r\n\r\n`,
    `POST / HTTP/1.1\r\n${host}Content-Length: 2000000\r\n\r\n`,
    'nonsense\r\n\r\n',
  ]
  for (const head of heads) {
    const { text, status } = await exchange(port, head)
    yield [JSON.parse(text) as Problem, status]
  }
  for (const { body, status } of [stopping, parserRefusal({ code: 'ERR_HTTP_REQUEST_TIMEOUT' })])
    yield [JSON.parse(String(body)) as Problem, status]
}

function* errors(): Generator<Problem> {
  try {
    namespaceDocument('nowhere/v1', [], '')
  } catch (error) {
    assert.ok(error instanceof RestError)
    yield error
  }
  yield tooManyVariables()
  yield tooManyValues()
  yield nameTooDeep()
  yield paramsTooComplex()
  yield callers.invalidNonce()
  yield callers.unknownName(false)
  yield callers.wrongApplicationPassword()
  yield callers.expiredApplicationPassword()
  yield callers.outOfScope()
  yield callers.applicationPasswordsDisabled('Use HTTPS.')
  yield callers.tooManyAttempts(30).problem
  yield callers.tooBusy().problem
  yield passwords.notLoggedIn()
  yield passwords.unknownUser()
  yield passwords.passwordNotFound()
  yield passwords.nothingToIntrospect()
  yield passwords.foreignIntrospection()
  yield passwords.notEditable()
  yield passwords.rolesNotEditable()
  yield passwords.notDeletable()
  yield passwords.takenEmail()
  yield passwords.takenSlug()
  yield passwords.usernameNotEditable()
  yield passwords.missingRole('librarian')
  yield passwords.trashNotSupported()
  yield passwords.invalidReassign()
  yield passwords.passwordRefusal('list_app_passwords')
  yield passwords.passwordRefusal('create_app_password')
  yield passwords.passwordRefusal('delete_app_passwords')
  yield passwords.passwordRefusal('read_app_password')
  yield passwords.passwordRefusal('edit_app_password')
  yield passwords.passwordRefusal('delete_app_password')
}

function argumentProblems(): readonly Problem[] {
  return [
    problems.notOfType('page', 'integer'),
    problems.notMultiple('page', 5),
    problems.outOfBounds('page', { limit: 1, exclusive: false }, null),
    problems.tooShort('title', 3),
    passwords.invalidUsername(),
    passwords.invalidPassword('Passwords cannot be empty.'),
    problems.tooLong('title', 60),
    problems.patternMismatch('sku', '^[A-Z]+$'),
    problems.tooFewItems('tags', 1),
    problems.tooManyItems('tags', 10),
    problems.duplicateItems('tags'),
    problems.fileTooLarge('poster', 5_000_000),
    problems.fileTypeRefused('poster', 'image/gif', ['image/png', 'image/jpeg']),
    problems.tooFewProperties('size', 1),
    problems.tooManyProperties('size', 3),
    problems.propertyRequired('size', 'width'),
    problems.propertyForbidden('plant', 'depth'),
    problems.notInEnum('order', ['asc', 'desc']),
    problems.invalidHexColor('colour'),
    problems.invalidDate('date'),
    problems.invalidEmail('email'),
    problems.invalidAddress('address'),
    problems.invalidUuid('id'),
    problems.noCandidate('size', null),
    problems.severalCandidates('size', null, [0, 1]),
  ]
}

function rejections(): readonly (UserRejectedError | ApplicationPasswordRejectedError)[] {
  const ofUsers: [UserRejectionCode, string?][] = [
    ['user_login_too_long'],
    ['existing_user_login'],
    ['existing_user_id', '5'],
    ['invalid_email'],
    ['user_email_too_long'],
    ['existing_user_email'],
    ['empty_password'],
    ['password_too_long'],
    ['display_name_too_long'],
    ['invalid_display_name'],
    ['user_url_too_long'],
    ['empty_user_nicename'],
    ['user_nicename_too_long'],
    ['invalid_user_text'],
    ['invalid_role', 'librarian'],
    ['invalid_user_id'],
    ['invalid_reassign'],
  ]
  return [
    ...ofUsers.map(([code, subject]) => new UserRejectedError(code, subject)),
    new ApplicationPasswordRejectedError('application_password_empty_name'),
    new ApplicationPasswordRejectedError('application_password_not_text'),
    new ApplicationPasswordRejectedError('application_password_name_too_long'),
    new ApplicationPasswordRejectedError('too_many_application_passwords'),
    new ApplicationPasswordRejectedError('application_password_scopes_invalid'),
    new ApplicationPasswordRejectedError('application_password_expires_invalid'),
    new ApplicationPasswordRejectedError('application_password_limits_unsupported'),
  ]
}
