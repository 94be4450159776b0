import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { application } from '../cli/application-folder.js'
import { removeFolders } from '../cli/command-line.js'
import { startService, type StartedService } from '../support/start-service.js'
import {
  siteUsers,
  skipWithoutWordPress,
  startWordPressSite,
  type WordPressSite,
} from '../support/wordpress/wordpress-site.js'

/** The blocks of one language in the section of docs/wordpress.md that moves a class. */
function blocks(language: string): string[] {
  const page = readFileSync(new URL('../../docs/wordpress.md', import.meta.url), 'utf8')
  const section = page.slice(page.indexOf('\n## Moving a class over\n'))
  return [...section.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code ?? '')
}

/** Each class of the page in PHP, with a namespace of its own: the site has `shop/v1` already. */
function plugins(): Record<string, string> {
  const [plain = '', ofFoehn = ''] = blocks('php')
  const register = (code: string) => `add_action( 'rest_api_init', function () { ${code} } );`
  // Foehn reads the attribute in the same way, and is not installed here.
  const foehn = `$object = new ProductPrices();
    foreach ( ( new ReflectionClass( $object ) )->getMethods() as $method )
      foreach ( $method->getAttributes( AsRestRoute::class ) as $attribute ) {
        $route = $attribute->getArguments();
        register_rest_route( $route['namespace'], $route['route'], array( 'methods' => $route['method'], 'callback' => array( $object, $method->name ), 'permission_callback' => array( $object, $route['permission'] ), 'args' => $route['args'] ) );
      }`
  return {
    'plain.php': `<?php ${plain.replaceAll('Shop_Products_Api', 'Plain_Api').replaceAll('shop/v1', 'plain/v1')}
      ${register('( new Plain_Api() )->register_routes();')}`,
    'foehn.php': `<?php ${ofFoehn.replaceAll('shop/v1', 'foehn/v1')} ${register(foehn)}`,
  }
}

describe('the class that the page about WordPress moves', { skip: skipWithoutWordPress() }, () => {
  let site: WordPressSite
  let service: StartedService
  before(async () => {
    site = await startWordPressSite({ plugins: plugins() })
    const folder = application({ 'package.json': '{"type":"module"}', 'app/prices.ts': blocks('ts')[0] ?? '' })
    service = await startService(pathToFileURL(`${folder}/app/`), {
      wordpress: { config: site.configPath },
      record_types: { product: { public: true, meta: { price: { type: 'number', default: 0 } } } },
    })
  })
  after(async () => {
    await service?.close()
    await site?.stop()
    removeFolders()
  })

  it('answers and writes as in PHP, and as with the attribute of Foehn', async () => {
    const [product, post] = (await site.php(
      "return array( wp_insert_post( array( 'post_type' => 'product', 'post_status' => 'publish', 'post_title' => 'A', 'post_author' => 3 ) ), wp_insert_post( array( 'post_title' => 'B', 'post_author' => 3 ) ) );",
    )) as [number, number]
    const put = async (root: string, id: number, body: object, authorization?: string) => {
      const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }
      const response = await fetch(`${root}/products/${id}`, { method: 'PUT', headers, body: JSON.stringify(body) })
      return { status: response.status, body: (await response.json()) as unknown }
    }
    const price = () => site.php("return get_post_meta( $argument, 'price', true );", product)
    const [author, subscriber] = [
      await site.applicationPassword(siteUsers.author),
      await site.applicationPassword(siteUsers.subscriber),
    ]
    const cases: readonly [status: number, id: number, body: object, authorization?: string][] = [
      [200, product, { price: 1.5 }, author],
      [400, product, { price: 'much' }, author],
      [400, product, {}, author],
      [404, post, { price: 2 }, author],
      [403, product, { price: 2 }, subscriber],
      [401, product, { price: 2 }],
    ]
    for (const [status, ...rest] of cases) {
      const here = await put(`${service.rest}shop/v1`, ...rest)
      const stored = await price()
      assert.equal(here.status, status, JSON.stringify(here))
      for (const namespace of ['plain/v1', 'foehn/v1']) {
        assert.deepEqual(await put(`${site.url}/wp-json/${namespace}`, ...rest), here)
        assert.equal(await price(), stored)
      }
    }
    assert.equal(await price(), '1.5')
  })
})
