import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { EchoApi } from '../support/echo-api.js'
import { openService } from './open-service.js'

const site = await openService([EchoApi])
after(() => site.close())

const index: [query: string, keys: readonly string[]][] = [
  ['_fields=name', ['name']],
  ['_fields=name.x', ['name']],
  ['_fields=x.y', []],
  ['_fields=_link', []],
  ['_fields=links._links', []],
  ['_fields=_links', ['_links']],
  ['_fields=_links.self', ['_links']],
  ['_fields=_links.help.href', ['_links']],
  ['_fields=_embedded', ['_links']],
  ['_fields=_embedded.x', ['_links']],
  ['_fields=name,_links.up', ['name', '_links']],
  ['_fields[]=url&_fields[]=_links.self', ['url', '_links']],
  ['_fields=home&_embed', ['home', '_links']],
  ['_fields=namespaces.0', ['namespaces']],
]
for (const [query, keys] of index)
  test(`the index with ${query} has ${keys.join(', ') || 'no keys'}`, async () => {
    const { body } = await site.call('GET', `/?${query}`)
    assert.deepEqual(Object.keys(body as object), keys)
    const links = { help: [{ href: 'https://developer.wordpress.org/rest-api/' }] }
    if (keys.includes('_links')) assert.deepEqual((body as Record<string, unknown>)['_links'], links)
    else if (keys.length === 0) assert.deepEqual(body, [])
  })

test('the index without names in `_fields` has its links last', async () => {
  for (const query of ['', '?_fields=', '?_fields=%20,'])
    assert.equal(Object.keys((await site.call('GET', `/${query}`)).body as object).at(-1), '_links')
})

test('the index names the routes of the service that have no namespace first', async () => {
  const { routes } = (await site.call('GET', '/')).body as { routes: object }
  assert.deepEqual(Object.keys(routes).slice(0, 3), ['/', '/batch/v1', '/test/v1'])
})

for (const fields of ['namespace', '_links.self', 'x.y'])
  test(`the document of a namespace has its link with _fields=${fields}`, async () => {
    const { body } = await site.call('GET', `/test/v1?_fields=${fields}`)
    const keys = fields === 'namespace' ? ['namespace', '_links'] : ['_links']
    assert.deepEqual(Object.keys(body as object), keys)
    assert.deepEqual((body as Record<string, unknown>)['_links'], { up: [{ href: site.root }] })
  })
