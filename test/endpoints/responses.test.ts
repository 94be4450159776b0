import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AsRestRoute, endpoint, RestResponse, route, type RequestOf, type RestRequest } from 'as-rest-route'
import { startTestService } from 'as-rest-route/testing'
import { startService } from '../support/start-service.js'
import { ways } from '../support/three-ways.js'

const product = {
  type: 'object',
  properties: {
    id: { type: 'integer', required: true },
    title: { type: 'string', required: true, default: 'Untitled', sanitize_callback: 'sanitize_text_field' },
    price: { type: 'number', required: true, minimum: 0 },
    status: { type: 'string', enum: ['draft', 'publish'] },
    note: { type: ['string', 'null'] },
    tags: { type: 'array', items: { type: 'string' } },
    maker: { type: 'object', properties: { name: { type: 'string', required: true } } },
    prices: { type: 'object', additionalProperties: { type: 'number' } },
    codes: { type: 'object', patternProperties: { '^x-': { type: 'string' } } },
    size: { anyOf: [{ type: 'integer' }, { type: 'object', properties: { w: { type: 'number', required: true } } }] },
    at: { type: 'string', format: 'date-time' },
    colour: { type: 'string', format: 'hex-color' },
    paid: {
      oneOf: [
        {
          type: 'object',
          properties: { by: { enum: ['card'], required: true }, card: { type: 'string', maxLength: 4 } },
        },
        { type: 'object', properties: { by: { enum: ['cash'], required: true }, sum: { type: 'number', minimum: 1 } } },
        { type: 'integer', minimum: 1 },
      ],
    },
    debit: {
      anyOf: [
        {
          type: 'object',
          properties: {
            status: { enum: ['open', 'paid'] },
            via: { enum: ['bank', 'desk'] },
            card: { type: 'string', required: true },
          },
        },
        {
          type: 'object',
          properties: {
            status: { enum: ['open', 'paid'] },
            via: { enum: ['desk', 'post'] },
            iban: { type: 'string', required: true },
          },
        },
      ],
    },
    label: { type: ['string', 'object'], properties: { text: { type: 'string' } } },
    free: {},
  },
} as const
const error = { type: 'object', properties: { error: { type: 'string', required: true } } } as const

/** A row as a database gives it, with columns that nobody may see. */
const row = {
  id: 7,
  title: 'Loaf / “Sunday”',
  password: 'hash',
  price: 3.5,
  status: 'publish',
  note: null,
  tags: ['bread'],
  maker: { name: 'Agnes', salary: 5 },
  prices: { eu: 1, uk: 2 },
  codes: { 'x-a': '1', secret: 's' },
  size: { w: 1, h: 2 },
  free: { any: [1] },
}
const shown = {
  id: 7,
  title: 'Loaf / “Sunday”',
  price: 3.5,
  status: 'publish',
  note: null,
  tags: ['bread'],
  maker: { name: 'Agnes' },
  prices: { eu: 1, uk: 2 },
  codes: { 'x-a': '1' },
  size: { w: 1 },
  free: { any: [1] },
}

const shop = { namespace: 'shop/v1', permission: 'public' } as const
const showProduct = route({
  ...shop,
  route: '/products/(?P<id>\\d+)',
  responses: { 200: product, 201: product, 404: error, 204: { description: 'Nothing is left.' } },
})
const listProducts = route({ ...shop, route: '/products', responses: { 200: { type: 'array', items: product } } })

let response: unknown = row

class Products {
  runs = 0

  @AsRestRoute(showProduct)
  show(request: RequestOf<typeof showProduct>): unknown {
    if (request.pathId('id') === 404) return new RestResponse({ error: 'none', sql: 'SELECT' }, 404)
    if (request.pathId('id') === 204) return new RestResponse(null, 204)
    return typeof response === 'function' ? response() : response
  }

  @AsRestRoute(listProducts)
  list(): unknown {
    return new RestResponse(response, 200, { 'X-Own': '1' })
  }

  @AsRestRoute({ ...shop, route: '/cached', cache: 60, responses: { 200: product } })
  cached(): unknown {
    this.runs += 1
    return row
  }

  @AsRestRoute({ ...shop, route: '/products', method: 'POST', allow_batch: true, responses: { 201: product } })
  create(): unknown {
    return new RestResponse(response, 201)
  }
}

for (const way of ways)
  test(`a body has the declared properties and no others, in the order of the handler: ${way.name}`, async (context) => {
    const { site, send } = await way.open(context, [Products], { environment: 'development' })
    response = row
    const one = await (await send('/shop/v1/products/7')).text()
    assert.deepEqual(JSON.parse(one), shown)
    assert.deepEqual(Object.keys(JSON.parse(one) as object), Object.keys(shown))
    // WordPress writes slashes and other alphabets as escapes, with a schema as well.
    assert.match(one, /"Loaf \\\/ \\u201cSunday\\u201d"/)
    assert.deepEqual(await (await send('/shop/v1/products/404')).json(), { error: 'none' })
    assert.equal((await send('/shop/v1/products/204')).status, 204)
    response = [row, new RestResponse(row).addLink('self', 'https://other.example/'), { ...shown, id: 8 }]
    const list = await send('/shop/v1/products')
    assert.equal(list.headers.get('x-own'), '1')
    const links = { _links: { self: [{ href: 'https://other.example/' }] } }
    assert.deepEqual(await list.json(), [shown, { ...shown, ...links }, { ...shown, id: 8 }])
    for (const [index, path] of ['/shop/v1/cached', '/shop/v1/cached'].entries())
      assert.deepEqual(await (await send(path)).json(), shown, `cached ${index}`)
    assert.deepEqual(site.log, [])
  })

test('_fields, _embed, _envelope, _pretty, HEAD, batch and JSONP work on the declared body', async (context) => {
  class Linked {
    @AsRestRoute({
      ...shop,
      route: '/makers',
      responses: { 200: { type: 'object', properties: { name: { type: 'string' } } } },
    })
    maker() {
      return { name: 'Agnes', salary: 5 }
    }

    @AsRestRoute({ ...shop, route: '/linked', responses: { 200: product } })
    linked(request: RestRequest): unknown {
      return new RestResponse(row).addLink('maker', `${request.root}shop/v1/makers`, { embeddable: true })
    }
  }
  const site = await startService([Products, Linked], { environment: 'development' })
  context.after(() => site.close())
  response = row
  const get = async (path: string) =>
    (await fetch(`${site.rest}shop/v1/${path}`)).json() as Promise<Record<string, unknown>>
  assert.deepEqual(await get('products/7?_fields=title,password,maker'), { title: shown.title, maker: shown.maker })
  const linked = await get('linked?_embed=1')
  assert.deepEqual(linked['_embedded'], { maker: [{ name: 'Agnes' }] })
  assert.equal('password' in linked, false)
  assert.deepEqual(await get('products/7?_envelope=1'), {
    body: shown,
    status: 200,
    headers: { Allow: 'GET' },
  })
  assert.deepEqual(await get('products/7?_pretty=1'), shown)
  const jsonp = await (await fetch(`${site.rest}shop/v1/products/7?_jsonp=show`)).text()
  assert.deepEqual(JSON.parse(/^\/\*\*\/show\((.*)\)$/s.exec(jsonp)?.[1] ?? ''), shown)
  const head = await fetch(`${site.rest}shop/v1/products/7`, { method: 'HEAD' })
  assert.deepEqual([head.status, await head.text()], [200, ''])
  const batch = await fetch(`${site.rest}batch/v1`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ requests: [{ path: '/shop/v1/products' }, { path: '/shop/v1/products?_fields=id' }] }),
  })
  const { responses } = (await batch.json()) as { responses: { status: number; body: unknown }[] }
  assert.deepEqual(
    responses.map(({ status, body }) => [status, body]),
    [
      [201, shown],
      [201, { id: 7 }],
    ],
  )
})

const changed = (change: object) => ({ ...row, ...change })
const loop: Record<string, unknown> = { name: 'a' }
loop['self'] = loop

/** Bodies that are not as declared: what the log says, and what is sent of them in production. */
const faulty: [what: string, body: unknown, fault: RegExp, sent: object | null | 500][] = [
  [
    'a wrong type',
    changed({ price: 'many' }),
    /body\.price is a string, but must be a number\./,
    { ...shown, price: 'many' },
  ],
  ['a limit', changed({ price: -1 }), /body\.price must be greater than or equal to 0/, { ...shown, price: -1 }],
  [
    'a missing property',
    { id: 7, title: 'a' },
    /body\.price is missing, and its schema requires it\./,
    { id: 7, title: 'a' },
  ],
  [
    'undefined for a required one',
    changed({ price: undefined }),
    /body\.price is missing/,
    JSON.parse(JSON.stringify({ ...shown, price: undefined })),
  ],
  ['null', changed({ title: null }), /body\.title is null, but must be a string\./, { ...shown, title: null }],
  [
    'another text than the enum',
    changed({ status: 'sold' }),
    /body\.status is not one of draft and publish\./,
    { ...shown, status: 'sold' },
  ],
  ['a malformed date', changed({ at: 'today' }), /body\.at: Invalid date\./, { ...shown, at: 'today' }],
  ['a malformed colour', changed({ colour: 'red' }), /body\.colour: Invalid hex color\./, { ...shown, colour: 'red' }],
  [
    'limits broken in an alternative',
    changed({ paid: { by: 'cash', sum: 0.5, card: 'secret' } }),
    /body\.paid matches none of its alternatives/,
    { ...shown, paid: { by: 'cash', sum: 0.5 } },
  ],
  [
    'an enum broken in each alternative',
    changed({ paid: { by: 'cheque', card: '12', sum: 2 } }),
    /body\.paid matches none of its alternatives/,
    { ...shown, paid: null },
  ],
  [
    'enums broken that do not tell alternatives apart',
    changed({ debit: { status: 'refunded', via: 'fax', iban: 'DE1', secret: 1 } }),
    /body\.debit matches none of its alternatives/,
    { ...shown, debit: { status: 'refunded', via: 'fax', iban: 'DE1' } },
  ],
  ['a boxed text', changed({ title: new Object(5) }), /body\.title is a number/, { ...shown, title: 5 }],
  [
    'a boxed text of a toJSON in place of an object',
    changed({ maker: { toJSON: () => new Object('Agnes') } }),
    /body\.maker is a string, but must be an object/,
    { ...shown, maker: 'Agnes' },
  ],
  [
    'a boxed text of an own toJSON in place of an object',
    changed({
      maker: new (class {
        toJSON() {
          return new Object('Agnes')
        }
      })(),
    }),
    /body\.maker is a string, but must be an object/,
    { ...shown, maker: 'Agnes' },
  ],
  [
    'a number below that of an alternative',
    changed({ paid: 0 }),
    /body\.paid matches none of its alternatives/,
    { ...shown, paid: 0 },
  ],
  [
    'a wrong item',
    changed({ tags: ['a', 1] }),
    /body\.tags\[1\] is a number, but must be a string\./,
    { ...shown, tags: ['a', 1] },
  ],
  [
    'an object in place of text',
    changed({ title: { hash: 'x' } }),
    /body\.title is an object/,
    { ...shown, title: null },
  ],
  [
    'a list in place of an object',
    changed({ maker: [{ salary: 5 }] }),
    /body\.maker is an array, but must be an object/,
    { ...shown, maker: null },
  ],
  ['an object in place of a list', changed({ tags: { a: 'b' } }), /body\.tags is an object/, { ...shown, tags: null }],
  [
    'no alternative',
    changed({ size: { h: 2 } }),
    /body\.size matches none of its alternatives/,
    { ...shown, size: null },
  ],
  ['a wrong member inside', changed({ maker: { salary: 5 } }), /body\.maker\.name is missing/, { ...shown, maker: {} }],
  ['a list as the body', [row], /body is an array, but must be an object/, null],
  ['no body', null, /body is null/, null],
  [
    'a promise inside',
    () => changed({ title: Promise.reject(new Error('late')) }),
    /body\.title is a promise\. Write 'await'/,
    500,
  ],
  ['a Map inside', changed({ maker: new Map([['name', 'a']]) }), /body\.maker\.name is missing/, 500],
  [
    'an iterable whose JSON has another type',
    changed({ title: Object.create({ toJSON: () => ({ secret: 1 }), *[Symbol.iterator]() {} }) as object }),
    /body\.title is an object, but must be a string/,
    { ...shown, title: null },
  ],
  ['bytes of a toJSON inside', changed({ maker: { toJSON: () => Buffer.from('a') } }), /body\.maker/, 500],
  ['bytes inside', changed({ maker: Buffer.from('a') }), /body\.maker\.name is missing/, 500],
  ['an infinite number', changed({ price: Infinity }), /body\.price is Infinity, but must be a number/, 500],
]

for (const [what, body, fault, sent] of faulty)
  test(`a body with ${what}: 500 in development, what is declared in production`, async (context) => {
    const strict = await startService([Products], { environment: 'development' })
    const lenient = await startService([Products])
    context.after(() => Promise.all([strict.close(), lenient.close()]))
    response = body
    const refused = await fetch(`${strict.rest}shop/v1/products/7`)
    assert.equal(refused.status, 500)
    assert.match(((await refused.json()) as { message: string }).message, fault)
    const [line] = strict.log
    assert.equal(line?.fields['code'], 'request-failed')
    const { message } = line.fields['err'] as Error
    assert.match(message, /^Products\.show: its response with the status 200 is not as declared: /)
    assert.match(message, fault)
    for (const _ of [1, 2]) {
      const accepted = await fetch(`${lenient.rest}shop/v1/products/7`)
      if (sent === 500) assert.equal(accepted.status, 500)
      else if (sent === null) assert.ok(['', 'null'].includes(await accepted.text()))
      else assert.deepEqual(await accepted.json(), sent)
    }
    const logged = lenient.log.filter(({ fields }) => fields['code'] === 'response-undeclared')
    // Limits are checked outside production only: they cost time.
    const isLimit = ['a limit', 'another text than the enum', 'a malformed date', 'a malformed colour'].includes(what)
    const isEndless = what === 'an infinite number'
    assert.equal(logged.length, isLimit || isEndless ? 0 : 1)
    if (logged[0]) assert.match(String(logged[0].fields['fault']), fault)
  })

test('a body that is not as declared is a 500 in tests, whose log names property and place', async () => {
  await using service = await startTestService([Products])
  for (const [path, body, place] of [
    ['/shop/v1/products/7', changed({ maker: { nam: 'Agnes' } }), 'Products.show: .* body.maker.name is missing'],
    ['/shop/v1/products', [row, changed({ tags: [1] })], 'Products.list: .* body\\[1\\].tags\\[0\\] is a number'],
  ] as const) {
    response = body
    assert.equal((await service.get(path)).status, 500)
    const { err } = service.logLines.at(-1)?.fields ?? {}
    assert.match(String(err), new RegExp(place))
  }
})

for (const environment of ['development', 'production'] as const)
  test(`objects of primitives are the primitives in a body, and have their types: ${environment}`, async (context) => {
    const site = await startService([Products], { environment })
    context.after(() => site.close())
    const boxed = (value: unknown) => ({ toJSON: () => new Object(value) })
    const changes: [change: object, sent: object][] = [
      [
        { title: new Object('b'), price: new Object(2) },
        { title: 'b', price: 2 },
      ],
      [
        { title: boxed('b'), price: boxed(2) },
        { title: 'b', price: 2 },
      ],
      [
        { note: new Object('b'), label: new Object('c') },
        { note: 'b', label: 'c' },
      ],
      [
        { note: boxed('b'), label: boxed('c') },
        { note: 'b', label: 'c' },
      ],
      [
        { size: new Object(3), paid: boxed(4) },
        { size: 3, paid: 4 },
      ],
      [{ label: { toJSON: () => ({ text: new Object('d') }) } }, { label: { text: 'd' } }],
    ]
    for (const [change, sent] of changes) {
      response = changed(change)
      assert.deepEqual(await (await fetch(`${site.rest}shop/v1/products/7`)).json(), { ...shown, ...sent })
    }
    assert.deepEqual(site.log, [])
  })

test('a route without schemas sends what the handler returns, also one in a constant', async (context) => {
  const any = route({ ...shop, route: '/any' })
  class Any {
    @AsRestRoute(any)
    @AsRestRoute({ ...shop, route: '/empty', responses: {} })
    get() {
      return row
    }
  }
  const site = await startService([Any], { environment: 'development' })
  context.after(() => site.close())
  for (const path of ['any', 'empty']) assert.deepEqual(await (await fetch(`${site.rest}shop/v1/${path}`)).json(), row)
})

test('a status that is not declared sends no body in production, and is a 500 otherwise', async (context) => {
  const gone = endpoint(
    { ...shop, route: '/gone', responses: { 200: product } },
    ((): unknown => new RestResponse(row, 410)) as never,
  )
  const strict = await startService([gone], { environment: 'development' })
  const lenient = await startService([gone])
  context.after(() => Promise.all([strict.close(), lenient.close()]))
  assert.equal((await fetch(`${strict.rest}shop/v1/gone`)).status, 500)
  assert.match(String((strict.log[0]?.fields['err'] as Error | undefined)?.message), /does not declare the status 410/)
  const answered = await fetch(`${lenient.rest}shop/v1/gone`)
  assert.deepEqual([answered.status, await answered.text()], [410, ''])
})

test('errors, redirects, files and a web Response are sent as without a schema', async (context) => {
  class Files {
    @AsRestRoute({ ...shop, route: '/files/(?P<kind>\\w+)', responses: { 200: product } })
    async file(request: RestRequest<{ kind: string }>): Promise<unknown> {
      switch (request.get_param('kind')) {
        case 'bytes':
          return new RestResponse(new Uint8Array([97]))
        case 'csv':
          return new RestResponse('a,b', 200, { 'Content-Type': 'text/csv' })
        case 'web':
          return new Response('web', { status: 203 })
        case 'redirect':
          return new RestResponse(null, 303, { Location: 'https://shop.example/' })
        case 'own':
          return { secret: 1, toJSON: () => ({ ...shown, secret: 2 }) }
        case 'instance':
          return new (class {
            readonly secret = 1
            toJSON() {
              return { ...shown, secret: 2 }
            }
          })()
        case 'columns':
          return Object.assign(Object.create({ secret: 3, note: 'inherited' }) as object, shown, { secret: 1 })
        default:
          return { ...shown, at: new Date(0) }
      }
    }
  }
  const site = await startService([Files], { environment: 'development' })
  context.after(() => site.close())
  const get = (kind: string) => fetch(`${site.rest}shop/v1/files/${kind}`, { redirect: 'manual' })
  assert.equal(await (await get('bytes')).text(), 'a')
  assert.equal(await (await get('csv')).text(), 'a,b')
  assert.deepEqual([(await get('web')).status, await (await get('web')).text()], [203, 'web'])
  assert.equal((await get('redirect')).status, 303)
  for (const kind of ['own', 'instance', 'columns']) assert.deepEqual(await (await get(kind)).json(), shown, kind)
  assert.deepEqual(await (await get('date')).json(), { ...shown, at: '1970-01-01T00:00:00.000Z' })
  const error = await site.service.fetch(new Request(`${site.rest}shop/v1/files/none/none`))
  assert.deepEqual(((await error.json()) as { code: string }).code, 'rest_no_route')
})

test('OPTIONS shows the schema of an item, as WordPress shows it', async (context) => {
  const site = await startService([Products])
  context.after(() => site.close())
  const schemaOf = async (path: string): Promise<unknown> => {
    const response = await fetch(`${site.rest}shop/v1/${path}`, { method: 'OPTIONS' })
    return ((await response.json()) as { schema?: unknown }).schema
  }
  const { title, ...others } = product.properties
  const { default: _default, sanitize_callback: _sanitizer, ...shownTitle } = title
  const item = {
    $schema: 'http://json-schema.org/draft-04/schema#',
    type: 'object',
    properties: { ...others, title: shownTitle, free: [] },
  }
  assert.deepEqual(await schemaOf('products/7'), item)
  assert.deepEqual(await schemaOf('products'), item)
  assert.equal(await schemaOf('batch'), undefined)
})
