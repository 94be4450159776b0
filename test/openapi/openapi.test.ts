import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Validator } from '@seriousme/openapi-schema-validator'
import { openApiDocument } from '../../src/documents/openapi-document.js'
import { pathTemplates, templateText } from '../../src/documents/path-templates.js'
import { jsonSchemaOf } from '../../src/documents/json-schema.js'
import type { ArgumentRules } from '../../src/validation/rules.js'
import { runHere, shop } from '../cli/command-line.js'

const catalogue = fileURLToPath(new URL('../fixtures/catalogue/', import.meta.url))

// oxlint-disable-next-line typescript/no-explicit-any -- a document is looked into by its names
type Document = Record<string, any>

async function documentOf(app: string, ...args: readonly string[]): Promise<Document> {
  const { code, stdout, stderr } = await runHere(['openapi', app, ...args])
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as Document
}

for (const [name, app] of [
  ['the shop', shop],
  ['the catalogue', catalogue],
] as const) {
  it(`the document of ${name} is valid OpenAPI 3.1`, async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(await documentOf(app))
    assert.equal(valid, true, JSON.stringify(errors, null, 2))
    assert.equal(validator.version, '3.1')
  })
}

it('with --all, the document has the routes of the service itself, after those of the application', async () => {
  const document = await documentOf(shop, '--all')
  const { valid, errors } = await new Validator().validate(document)
  assert.equal(valid, true, JSON.stringify(errors, null, 2))
  const [own, all] = [await documentOf(shop), document].map(({ paths }) => Object.keys(paths as Document))
  assert.deepEqual(
    all?.filter((path) => own?.includes(path)),
    own,
  )
  assert.deepEqual(all?.filter((path) => !own?.includes(path)).sort(), [
    '/',
    '/batch/v1',
    '/shop/v1',
    '/wp/v2',
    '/wp/v2/users/me',
    '/wp/v2/users/{user_id}/application-passwords',
    '/wp/v2/users/{user_id}/application-passwords/introspect',
    '/wp/v2/users/{user_id}/application-passwords/{uuid}',
  ])
  const { put } = document['paths']['/wp/v2/users/me'] as Document
  assert.ok(put.responses['200'].content['application/json'].schema.required.includes('registered_date'))
  assert.equal(document['info'].version, 'shop/v1')
  assert.equal(document['x-left-out'], undefined)
})

describe('the document of the catalogue', async () => {
  const document = await documentOf(catalogue, '--base-url', 'https://books.example/')
  const paths = document['paths'] as Document

  it('has the paths of the declarations, optional groups with and without', () => {
    assert.deepEqual(Object.keys(paths).sort(), [
      '/cat/v1/books',
      '/cat/v1/books/{id}',
      '/cat/v1/books/{id}/pages/{page}',
      '/cat/v1/breaks',
      '/cat/v1/drafts',
      '/cat/v1/writes',
    ])
    assert.deepEqual(Object.keys(paths['/cat/v1/books/{id}']), ['get', 'delete'])
  })

  it('says what it leaves out, and hides what the index hides', () => {
    assert.deepEqual(
      document['x-left-out'].map(({ route }: { route: string }) => route),
      ['/cat/v1/odd-(?:\\d+)'],
    )
    assert.doesNotMatch(JSON.stringify(document), /hidden/)
  })

  it('gives every operation a name of its own', () => {
    const ids = Object.values(paths).flatMap((path) =>
      Object.values(path as Document).map(({ operationId }) => String(operationId)),
    )
    assert.equal(new Set(ids).size, ids.length)
    assert.equal(paths['/cat/v1/books'].get.operationId, 'CatalogueApi.books')
    assert.equal(paths['/cat/v1/books'].post.operationId, 'CatalogueApi.books.post')
  })

  it('styles lists and maps of a query as the service reads them', () => {
    const parameters = paths['/cat/v1/books'].get.parameters as Document[]
    const styles = Object.fromEntries(parameters.map(({ name, style, explode }) => [name, [style, explode]]))
    assert.deepEqual(styles['tags'], ['form', false])
    assert.deepEqual(styles['price'], ['deepObject', true])
  })

  it('offers bodies as JSON and as a form', () => {
    const { requestBody } = paths['/cat/v1/books'].post
    assert.deepEqual(Object.keys(requestBody.content), ['application/json', 'application/x-www-form-urlencoded'])
    assert.equal(requestBody.required, true)
    assert.deepEqual(requestBody.content['application/json'].schema.required, ['title'])
  })

  it('asks for credentials where the permission does, and refers to one error schema', () => {
    assert.deepEqual(paths['/cat/v1/books'].get.security, [])
    assert.deepEqual(paths['/cat/v1/drafts'].get.security, [
      { applicationPassword: [] },
      { loginCookie: [], nonce: [] },
    ])
    assert.deepEqual(paths['/cat/v1/drafts'].get['x-permission'], { kind: 'capability', name: 'edit_posts' })
    const responses = document['components'].responses as Record<string, Document>
    for (const response of Object.values(responses))
      assert.equal(response['content']['application/json'].schema.$ref, '#/components/schemas/RestError')
  })

  it('lists every status that the service itself answers, and those of handlers by class, also without arguments', () => {
    const all = ['200', '400', '401', '403', '404', '408', '413', '417', '429', '431', '500', '503']
    const classes = ['2XX', '4XX', '5XX']
    assert.deepEqual(Object.keys(paths['/cat/v1/drafts'].get.responses), [...all, ...classes])
    assert.deepEqual(Object.keys(paths['/cat/v1/books'].get.responses), [...all, ...classes])
    const names = Object.keys(document['components'].responses as Document)
    assert.equal(names.length, all.length - 1)
  })

  it('lists 304 for a cached route', async () => {
    const { paths: shopPaths } = await documentOf(shop)
    assert.ok('304' in shopPaths['/shop/v1/products'].get.responses)
    assert.ok(!('304' in shopPaths['/shop/v1/products'].post.responses))
  })

  it('names the site', () => {
    assert.deepEqual(document['servers'], [{ url: 'https://books.example/wp-json' }])
    assert.equal(document['info'].title, 'Catalogue')
    assert.match(document['components'].securitySchemes.loginCookie.name, /^wordpress_logged_in_[0-9a-f]{32}$/)
  })
})

it('routes of one path share the names of its parameters', () => {
  const summary = (method: string, route: string) => ({
    method,
    namespace: 'a/v1',
    route,
    handler: 'Api.call',
    requirement: { kind: 'anyone' as const },
    args: {},
    responses: {},
    isCached: false,
    isConditional: false,
    bodyLimit: null,
    maxFiles: null,
    isEventStream: false,
    rateLimit: null,
    idempotencyKey: null,
    place: null,
  })
  const routes = [
    summary('GET', '/b/(?P<id>\\d+)'),
    summary('PUT', '/b/(?P<book>\\d+)'),
    summary('PUT', '/b/(?P<slug>[a-z]+)'),
  ]
  const facts = { title: 'A', baseUrl: 'http://a.example', restPrefix: 'wp-json' }
  const { paths, 'x-left-out': leftOut } = openApiDocument(routes, facts)
  const { get, put } = (paths['/a/v1/b/{id}'] ?? {}) as Document
  assert.deepEqual([get.parameters[0].name, put.parameters[0].name], ['id', 'id'])
  assert.deepEqual(
    leftOut?.map(({ route }) => route),
    ['/a/v1/b/(?P<slug>[a-z]+)'],
  )
})

describe('rules as JSON Schema', () => {
  const table: readonly (readonly [rules: ArgumentRules, schema: object])[] = [
    [
      { type: 'integer', minimum: 0, exclusiveMinimum: true },
      { type: 'integer', exclusiveMinimum: 0 },
    ],
    [
      { type: 'number', maximum: 1, exclusiveMaximum: false },
      { type: 'number', maximum: 1 },
    ],
    [{ type: ['string', 'null'], default: null }, { type: ['string', 'null'] }],
    [
      { type: 'string', pattern: '^(?>a)' },
      { type: 'string', 'x-pcre-pattern': '^(?>a)' },
    ],
    [
      { type: 'object', properties: { a: { type: 'string', required: true }, b: {} }, required: ['b'] },
      { type: 'object', properties: { a: { type: 'string' }, b: {} }, required: ['b', 'a'] },
    ],
    [
      { type: 'array', items: { type: 'integer' }, uniqueItems: true },
      { type: 'array', items: { type: 'integer' }, uniqueItems: true },
    ],
    [
      { type: 'object', additionalProperties: { type: 'boolean' } },
      { type: 'object', additionalProperties: { type: 'boolean' } },
    ],
    [
      { anyOf: [{ type: 'integer' }, { type: 'string', format: 'uuid' }] },
      { anyOf: [{ type: 'integer' }, { type: 'string', format: 'uuid' }] },
    ],
    [{ type: 'string', sanitize_callback: 'sanitize_text_field' }, { type: 'string' }],
  ]
  for (const [rules, schema] of table) {
    it(JSON.stringify(rules), () => assert.deepEqual(jsonSchemaOf(rules), schema))
  }
})

describe('patterns as paths', () => {
  const table: readonly (readonly [pattern: string, paths: readonly string[] | null])[] = [
    ['/a/v1/b', ['/a/v1/b']],
    ['/a/v1/(?P<id>\\d+)', ['/a/v1/{id}']],
    ['/a/v1/b(?:/(?P<id>[^)\\]]+))?', ['/a/v1/b', '/a/v1/b/{id}']],
    ['/a/v1/(?:x|y)/(?<n>[a-z]+)\\.json', ['/a/v1/x/{n}.json', '/a/v1/y/{n}.json']],
    ['/a/v1/\\d+', null],
    ['/a/v1/b*', null],
    ['/a/v1/(?=b)b', null],
    ['/a/v1/(', null],
  ]
  for (const [pattern, paths] of table) {
    it(pattern, () =>
      assert.deepEqual(pathTemplates(pattern)?.map(({ pieces }) => templateText(pieces)) ?? null, paths),
    )
  }

  it('gives parameters a pattern that takes what the route takes', () => {
    const parameter = pathTemplates('/a/v1/(?P<slug>[a-z-]+)')?.[0]?.pieces.at(-1)
    const pattern = new RegExp((typeof parameter === 'object' && parameter.pattern) || '', 'u')
    assert.deepEqual(
      ['Some-slug', 'a1', 'a\n'].map((text) => pattern.test(text)),
      [true, false, false],
    )
  })
})
