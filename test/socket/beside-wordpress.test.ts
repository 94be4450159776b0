import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { AsRestRoute, RestResponse, type RestRequest } from 'as-rest-route'
import { skipWithoutApache, startApache } from '../support/wordpress/apache.js'
import { skipWithoutCaddy, startCaddy } from '../support/wordpress/caddy.js'
import {
  freePort,
  skipWithoutWordPress,
  startWordPressSite,
  type WordPressSite,
} from '../support/wordpress/wordpress-site.js'
import { freePorts } from '../support/servers/free-ports.js'
import { startService, type StartedService } from '../support/start-service.js'

/** The block of docs/wordpress.md in this language. */
function snippet(language: string): string {
  const page = readFileSync(new URL('../../docs/wordpress.md', import.meta.url), 'utf8')
  return new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page)?.[1] ?? assert.fail(`no ${language}`)
}

/** Answers what reached it. */
class EchoApi {
  @AsRestRoute({ namespace: 'shop/v1', route: '/products', permission: 'public', args: { title: { type: 'string' } } })
  list(request: RestRequest) {
    return new RestResponse(this.#seen(request))
  }

  @AsRestRoute({
    namespace: 'shop/v1',
    route: '/products',
    method: 'POST',
    permission: 'public',
    args: { title: { type: 'string' } },
  })
  create(request: RestRequest) {
    return new RestResponse(this.#seen(request), 201)
  }

  #seen(request: RestRequest) {
    return {
      by: 'service',
      title: request.get_param('title'),
      address: request.address,
      host: request.get_header('host'),
      scheme: request.get_header('x-forwarded-proto'),
      authorization: request.get_header('authorization'),
    }
  }
}

describe('a namespace behind the web server of a WordPress site', { skip: skipWithoutWordPress() }, () => {
  let site: WordPressSite
  let service: StartedService
  before(async () => {
    site = await startWordPressSite()
    service = await startService([EchoApi], { trusted_proxies: ['127.0.0.1'], base_url: site.url })
  })
  after(async () => {
    await service?.close()
    await site?.stop()
  })

  const directives = (language: string) => snippet(language).replaceAll('127.0.0.1:8080', `127.0.0.1:${service.port}`)
  const json = async (url: string, init: RequestInit = {}) =>
    (await (await fetch(url, init)).json()) as Record<string, unknown>

  /** What holds for each web server that has its directives. */
  async function answersTheNamespace(url: string): Promise<void> {
    const host = new URL(url).host
    const seen = { by: 'service', title: 'a/b c', address: '127.0.0.1', host, scheme: 'http', authorization: null }
    for (const path of [
      '/wp-json/shop/v1/products?title=a%2Fb%20c',
      '/?rest_route=/shop/v1/products&title=a/b+c',
      '/?title=a%2fb%20c&rest_route=%2Fshop%2fv1%2Fproducts',
      '/index.php?rest_route=/shop/v1/products&title=a/b%20c',
    ])
      assert.deepEqual(await json(url + path), seen, path)
    const post = {
      method: 'POST',
      body: new URLSearchParams({ title: 'a/b c' }),
      headers: { authorization: 'Bearer x' },
    }
    const created = await fetch(`${url}/wp-json/shop/v1/products`, post)
    assert.equal(created.status, 201)
    assert.deepEqual(await created.json(), { ...seen, authorization: 'Bearer x' })
    // A client cannot say that it is another one.
    const forged = { headers: { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'https' } }
    assert.deepEqual(await json(`${url}/wp-json/shop/v1/products?title=a/b%20c`, forged), seen)
    assert.equal((await json(`${url}/wp-json/shop/v1`))['namespace'], 'shop/v1')
    assert.equal((await json(`${url}/wp-json/shop/v1/nothing`))['code'], 'rest_no_route')
  }

  async function leavesTheRestToPhp(url: string): Promise<void> {
    for (const path of [
      '/wp-json/',
      '/wp-json/wp/v2/posts',
      '/?rest_route=/wp/v2/posts',
      '/wp-json/shop/v10',
      '/?rest_route=/shop/v10',
      '/hello-world/',
      '/?s=/shop/v1/',
    ])
      assert.match((await fetch(url + path)).headers.get('x-powered-by') ?? 'not PHP', /^PHP/, path)
  }

  it('is answered by the service under nginx, with all that belongs to a request, and the rest by PHP', async () => {
    await site.setLocations(directives('nginx'))
    await answersTheNamespace(site.url)
    await leavesTheRestToPhp(site.url)
  })

  it('is answered by PHP again when the directives are removed', async () => {
    await site.setLocations('')
    assert.deepEqual(await json(`${site.url}/wp-json/shop/v1/products`), [])
  })

  it('is answered by the service under Apache as well', { skip: skipWithoutApache() }, async () => {
    const apache = await startApache(site.folder, await freePorts(2), directives('apache'))
    try {
      await answersTheNamespace(apache.url)
      await leavesTheRestToPhp(apache.url)
      for (const path of ['/wp-json/shop/v1/products', '/?rest_route=/shop/v1/products']) {
        const forged = { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'http' }
        const { text } = await apache.fetchOverTls(path, forged)
        const { scheme, address } = JSON.parse(text) as Record<string, unknown>
        assert.deepEqual([scheme, address], ['https', '127.0.0.1'], path)
      }
    } finally {
      await apache.end()
    }
  })

  it('is answered by the service under Caddy as well', { skip: skipWithoutCaddy() }, async () => {
    const caddy = await startCaddy(site.folder, await freePort(), directives('caddyfile'))
    try {
      await answersTheNamespace(caddy.url)
      await leavesTheRestToPhp(caddy.url)
    } finally {
      await caddy.end()
    }
  })
})
