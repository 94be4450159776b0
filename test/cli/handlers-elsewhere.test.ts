import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { emptyFolder, endAll, removeFolders, runHere, serve } from './command-line.js'

after(() => {
  endAll()
  removeFolders()
})

const folder = emptyFolder()
const shop = join(folder, 'shop')
const files = {
  'package.json': '{"type":"module"}',
  'shop/as-rest-route.config.ts': `export default {
    handlers: '../shared/api/',
    record_types: { product: {} },
    rest_prefix: 'api',
    site: { name: 'Elsewhere' },
    database: 'sqlite::memory:',
  }`,
  // The configuration nearest to the handler classes is not the one that names their folder.
  'shared/as-rest-route.config.ts': `export default { rest_prefix: 'wrong', site: { name: 'Wrong' } }`,
  'shared/api/products.ts': `
    import { AsRestRoute, inject, RecordStore, RestResponse } from 'as-rest-route'
    export class ProductsApi {
      constructor(private readonly records = inject(RecordStore)) {}
      @AsRestRoute({
        namespace: 'shop/v1', route: '/products', permission: 'public', cache: { seconds: 60, tags: ['product'] },
      })
      async list() { return new RestResponse(await this.records.count({ type: 'product' })) }
    }`,
}
for (const [name, text] of Object.entries(files)) {
  mkdirSync(join(folder, name, '..'), { recursive: true })
  writeFileSync(join(folder, name), text)
}

describe('a configuration that names handler classes outside its folder applies to them', () => {
  it('in serve', async () => {
    const serving = await serve([shop, '--port', '0'], { cwd: folder })
    const response = await fetch(`${serving.url}/api/shop/v1/products`)
    assert.equal(response.status, 200)
    assert.equal(await response.json(), 0)
    const index = (await (await fetch(`${serving.url}/api/`)).json()) as { name: string }
    assert.equal(index.name, 'Elsewhere')
    assert.equal(await serving.end('SIGTERM'), 0)
  })

  const commands: [words: string[], expected: RegExp][] = [
    [['check', shop], /^1 route, no fault\.\n$/],
    [['routes', shop], /shop\/v1\/products/],
    [['openapi', shop], /"title": "Elsewhere"[\s\S]*\/api\b/],
    [['explain', 'GET', '/api/shop/v1/products', shop], /ProductsApi\.list/],
    [['client', shop], /products/],
  ]
  for (const [words, expected] of commands)
    it(`in ${words[0] ?? ''}`, async () => {
      const { code, stdout, stderr } = await runHere(words)
      assert.deepEqual([code, stderr], [0, ''], stdout)
      assert.match(stdout, expected)
    })
})
