import imported from '@wordpress/api-fetch'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { AsRestRoute, currentUser, RestResponse } from 'as-rest-route'
import { startService, type StartedService } from '../support/start-service.js'
import {
  siteUsers,
  skipWithoutWordPress,
  startWordPressSite,
  type WordPressSite,
} from '../support/wordpress/wordpress-site.js'

/** The package's types name the function one level too deep for Node's way of importing it. */
const apiFetch = imported as unknown as typeof imported.default

class Shop {
  @AsRestRoute({ namespace: 'shop/v1', route: '/me', method: 'PUT', permission: 'public' })
  me() {
    return new RestResponse({ slug: currentUser().login })
  }
}

/** The directives of the page for nginx. */
const directives = (port: number): string => {
  const page = readFileSync(new URL('../../docs/wordpress.md', import.meta.url), 'utf8')
  const [, snippet = ''] = /```nginx\n([^]*?)```/.exec(page) ?? []
  assert.ok(snippet.includes('127.0.0.1:8080'))
  return snippet.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
}

describe('@wordpress/api-fetch at PHP and the service under one origin', { skip: skipWithoutWordPress() }, () => {
  let site: WordPressSite
  let service: StartedService
  const nodeFetch = globalThis.fetch
  /** The requests that were sent, with their statuses. */
  const exchanges: string[] = []
  before(async () => {
    site = await startWordPressSite()
    service = await startService([Shop], { wordpress: { config: site.configPath }, trusted_proxies: ['127.0.0.1'] })
    await site.setLocations(directives(service.port))
    const cookie = await site.logIn(siteUsers.editor)
    // A browser sends the cookies along.
    globalThis.fetch = async (input, init) => {
      const headers = new Headers(init?.headers)
      headers.set('Cookie', cookie)
      const response = await nodeFetch(input, { ...init, headers })
      exchanges.push(`${String(input).replace(site.url, '')} ${response.status}`)
      return response
    }
    apiFetch.use(apiFetch.createRootURLMiddleware(`${site.url}/wp-json/`))
    apiFetch.nonceEndpoint = `${site.url}/wp-admin/admin-ajax.php?action=rest-nonce`
    apiFetch.nonceMiddleware = apiFetch.createNonceMiddleware(await site.restNonce(cookie))
    apiFetch.use(apiFetch.nonceMiddleware)
    exchanges.length = 0
  })
  after(async () => {
    globalThis.fetch = nodeFetch
    await service?.close()
    await site?.stop()
  })

  const requests = [
    { path: '/shop/v1/me', method: 'PUT', data: {} },
    { path: '/wp/v2/users/me', method: 'PUT', data: {} },
  ]

  it('one nonce, which PHP has printed, counts at both', async () => {
    for (const request of requests) assert.equal((await apiFetch<{ slug: string }>(request)).slug, 'editor')
    assert.deepEqual(exchanges, ['/wp-json/shop/v1/me?_locale=user 200', '/wp-json/wp/v2/users/me?_locale=user 200'])
  })

  it('a nonce that has ended is refused by both, and the next one of PHP is taken', async () => {
    for (const request of requests) {
      exchanges.length = 0
      if (apiFetch.nonceMiddleware !== undefined) apiFetch.nonceMiddleware.nonce = '0123456789'
      assert.equal((await apiFetch<{ slug: string }>(request)).slug, 'editor')
      assert.deepEqual(
        exchanges.map((line) => line.replace(/.* /, '')),
        ['403', '200', '200'],
      )
    }
  })
})
