import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { AsRestRoute, currentUser, inject, RecordStore, RestResponse } from 'as-rest-route'
import { runHere } from '../cli/command-line.js'
import { startService, type StartedService } from '../support/start-service.js'
import { freePorts } from '../support/servers/free-ports.js'
import { startTlsProxy, type TlsResponse, type TlsProxy } from '../support/wordpress/tls-proxy.js'
import {
  siteUsers,
  skipWithoutWordPress,
  startWordPressSite,
  type SiteUser,
  type WordPressSite,
} from '../support/wordpress/wordpress-site.js'

class Shop {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ namespace: 'shop/v1', route: '/me', permission: 'public' })
  me() {
    return new RestResponse(currentUser().login)
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/posts', permission: 'public' })
  async posts() {
    return new RestResponse((await this.records.list({ type: 'post' })).map(({ link }) => link))
  }
}

/** The lines that hosts behind a proxy have in wp-config.php. */
const config = [
  "if ( isset( $_SERVER['HTTP_X_FORWARDED_PROTO'] ) && strpos( $_SERVER['HTTP_X_FORWARDED_PROTO'], 'https' ) !== false ) {",
  "\t$_SERVER['HTTPS'] = 'on';",
  '}',
  "define( 'FORCE_SSL_ADMIN', true );",
  "define( 'WP_ENVIRONMENT_TYPE', 'production' );",
]

const nginxSnippet = (port: number): string => {
  const page = readFileSync(new URL('../../docs/wordpress.md', import.meta.url), 'utf8')
  const [, snippet = ''] = /```nginx\n([^]*?)```/.exec(page) ?? []
  assert.ok(snippet.includes('127.0.0.1:8080'))
  return snippet.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
}

/** What a browser keeps, and sends to addresses with https. */
class CookieJar {
  readonly cookies = new Map<string, { readonly path: string; readonly attributes: string }>()

  keep({ headers }: TlsResponse): this {
    for (const line of headers.getSetCookie()) {
      const [cookie = '', ...attributes] = line.split('; ')
      const path = attributes.find((each) => each.startsWith('path='))?.slice('path='.length) ?? '/'
      this.cookies.set(`${path} ${cookie}`, { path, attributes: attributes.toSorted().join('; ') })
    }
    return this
  }

  headerFor(path: string): string {
    const sent = [...this.cookies].filter(([, cookie]) => path.startsWith(cookie.path))
    return sent.map(([name]) => name.slice(name.indexOf(' ') + 1)).join('; ')
  }

  /** Paths, names and attributes of the cookies of a login. That of the form is hidden from scripts in newer versions only. */
  shapes(): string[] {
    return [...this.cookies]
      .filter(([name]) => !name.includes('wordpress_test_cookie'))
      .map(([name, { attributes }]) => `${name.slice(0, name.indexOf('='))}; ${attributes}`)
      .toSorted()
  }
}

describe('a WordPress site behind a proxy that ends TLS', { skip: skipWithoutWordPress() }, () => {
  let site: WordPressSite
  let service: StartedService
  let proxy: TlsProxy
  /** The site, whose namespace `shop/v1` the service answers; and the service at all of its paths. */
  let atSite: string
  let atService: string
  /** The site behind a proxy that sends everything to its web server, which sees plain HTTP and sends the namespace on. */
  let behindProxy: string
  before(async () => {
    site = await startWordPressSite({ config })
    const ports = await freePorts(3)
    const [port = 0, servicePort = 0, outerPort = 0] = ports
    ;[atSite, atService, behindProxy] = ports.map((each) => `https://127.0.0.1:${each}`) as [string, string, string]
    await site.php("update_option( 'siteurl', $argument ); update_option( 'home', $argument );", atSite)
    service = await startService([Shop], {
      wordpress: { config: site.configPath },
      trusted_proxies: ['127.0.0.1'],
    })
    const forwarded = `proxy_set_header Host 127.0.0.1:${port};
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto $scheme;`
    proxy = await startTlsProxy(site.folder, {
      [port]: `${nginxSnippet(service.port)} location / { proxy_pass ${site.url}; ${forwarded} }`,
      [outerPort]: `location / { proxy_pass ${site.url}; ${forwarded} }`,
      [servicePort]: `location / { proxy_pass http://127.0.0.1:${service.port}; ${forwarded} }`,
    })
    await site.setLocations(nginxSnippet(service.port))
  })
  after(async () => {
    await proxy?.end()
    await service?.close()
    await site?.stop()
  })

  const logIn = async (address: string, { login, password }: SiteUser) => {
    const response = await proxy.fetch(`${address}/wp-login.php`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        cookie: 'wordpress_test_cookie=WP%20Cookie%20check',
      },
      body: String(new URLSearchParams({ log: login, pwd: password, redirect_to: `${atSite}/wp-admin/profile.php` })),
    })
    assert.equal(response.status, 302, response.text)
    assert.equal(response.headers.get('location'), `${atSite}/wp-admin/profile.php`)
    return new CookieJar().keep(response)
  }
  const nonceOf = async (address: string, jar: CookieJar) => {
    const path = '/wp-admin/admin-ajax.php'
    const response = await proxy.fetch(`${address}${path}?action=rest-nonce`, {
      headers: { cookie: jar.headerFor(path) },
    })
    assert.match(response.text, /^[0-9a-f]{10}$/)
    return response.text
  }
  const json = async (url: string, headers: Record<string, string>) =>
    JSON.parse((await proxy.fetch(url, { headers })).text) as Record<string, unknown>

  it('sets the cookies of PHP, which a browser sends on TLS only', async () => {
    const [theirs, ours] = [await logIn(atSite, siteUsers.editor), await logIn(atService, siteUsers.editor)]
    assert.deepEqual(ours.shapes(), theirs.shapes())
    assert.ok(ours.shapes().some((shape) => /^\/wp-admin wordpress_sec_.*secure/.test(shape)))
    assert.ok(ours.shapes().some((shape) => /^\/ wordpress_logged_in_.*secure/.test(shape)))
  })

  for (const [name, first, second] of [
    ['PHP', () => atSite, () => atService],
    ['the service', () => atService, () => atSite],
  ] as const)
    it(`a login at ${name} is one at both, with the nonces of both`, async () => {
      const jar = await logIn(first(), siteUsers.author)
      for (const address of [first(), second()]) {
        const headers = { cookie: jar.headerFor('/wp-json/'), 'x-wp-nonce': await nonceOf(address, jar) }
        assert.equal(await json(`${atSite}/wp-json/shop/v1/me`, headers), 'author')
        assert.equal((await json(`${atSite}/wp-json/wp/v2/users/me`, headers))['slug'], 'author')
        const cookie = jar.headerFor('/wp-admin/profile.php')
        assert.equal((await proxy.fetch(`${address}/wp-admin/profile.php`, { headers: { cookie } })).status, 200)
      }
      // The administration takes only the cookie for TLS. The other one may have crossed a network in plain text.
      const cookie = jar.headerFor('/')
      for (const page of ['profile.php', 'authorize-application.php?app_name=A']) {
        for (const address of [first(), second()]) {
          const { status, headers } = await proxy.fetch(`${address}/wp-admin/${page}`, { headers: { cookie } })
          assert.equal(status, 302, `${address} ${page}`)
          assert.ok(headers.get('location')?.startsWith(`${atSite}/wp-login.php?redirect_to=`), `${address} ${page}`)
        }
      }
    })

  it('a login form that a page of the administration leads to removes the cookies, as at PHP', async () => {
    const removed = async (address: string) => {
      const { headers } = await proxy.fetch(`${address}/wp-login.php?reauth=1`)
      const lines = headers.getSetCookie().filter((line) => line.includes('=%20'))
      return lines.map((line) => line.replace(/expires=[^;]*/, 'expires')).toSorted()
    }
    const [theirs, ours] = [await removed(atSite), await removed(atService)]
    // PHP also removes names of earlier versions, preferences of its administration and passwords of records.
    const isOfLogin = (line: string) => /^wordpress_(sec_|logged_in_)?[0-9a-f]{32}=/.test(line)
    assert.ok(ours.length > 0)
    for (const line of ours) assert.ok(theirs.includes(line), `${line}\n${theirs.join('\n')}`)
    const names = (lines: readonly string[]) => new Set(lines.filter(isOfLogin).map((line) => line.split('=')[0]))
    assert.deepEqual(names(ours), names(theirs))
  })

  it('application passwords count on TLS at both, and on plain HTTP at none', async () => {
    const { password } = await service.service.applicationPasswords.create(3, { name: 'program' })
    const headers = { authorization: `Basic ${btoa(`author:${password}`)}` }
    assert.equal(await json(`${atSite}/wp-json/shop/v1/me`, headers), 'author')
    assert.equal((await json(`${atSite}/wp-json/wp/v2/users/me`, headers))['slug'], 'author')
    const authorization = await site.applicationPassword(siteUsers.editor)
    assert.equal(await json(`${atSite}/wp-json/shop/v1/me`, { authorization }), 'editor')
    for (const path of ['shop/v1/me', 'wp/v2/users/me'])
      assert.equal((await fetch(`${site.url}/wp-json/${path}`, { headers })).status, 401, path)
  })

  it('a web server between the proxy and the service hands the scheme on', async () => {
    const authorization = await site.applicationPassword(siteUsers.editor)
    const me = () => json(`${behindProxy}/wp-json/shop/v1/me`, { authorization })
    assert.equal((await me())['code'], 'application_passwords_disabled')
    const handsOn = nginxSnippet(service.port)
      .replace('X-Forwarded-For $remote_addr', 'X-Forwarded-For $proxy_add_x_forwarded_for')
      .replace('X-Forwarded-Proto $scheme', 'X-Forwarded-Proto $http_x_forwarded_proto')
    await site.setLocations(handsOn)
    try {
      assert.equal(await me(), 'editor')
      const response = await fetch(`${site.url}/wp-json/shop/v1/me`, { headers: { authorization } })
      assert.equal(response.status, 401)
    } finally {
      await site.setLocations(nginxSnippet(service.port))
    }
  })

  it('links and redirects begin with https', async () => {
    const { headers, text } = await proxy.fetch(`${atSite}/wp-json/shop/v1/posts`)
    assert.deepEqual(JSON.parse(text), [`${atSite}/hello-world/`])
    assert.ok(
      headers.get('link')?.startsWith(`<${atSite}/wp-json/>; rel="https://api.w.org/"`),
      `${headers.get('link')}`,
    )
    const index = (await json(`${atSite}/wp-json/shop/v1`, {})) as { routes: Record<string, { _links: unknown }> }
    assert.deepEqual(index.routes['/shop/v1/me']?._links, { self: [{ href: `${atSite}/wp-json/shop/v1/me` }] })
    const moved = await proxy.fetch(`${atService}/wp-admin/`)
    assert.equal(moved.headers.get('location'), `${atSite}/wp-admin/profile.php`)
  })

  it('FORCE_SSL_ADMIN: the login and the administration lead from plain HTTP to https, as at PHP', async () => {
    const plain = async (url: string) => (await fetch(url, { redirect: 'manual' })).headers.get('location')
    const path = '/wp-login.php?redirect_to=x&reauth=1'
    assert.equal(await plain(`${site.url}${path}`), `${site.url.replace('http:', 'https:')}${path}`)
    assert.equal(await plain(`${service.url}${path}`), `${atSite}${path}`)
    assert.equal(await plain(`${service.url}/wp-admin/profile.php`), `${atSite}/wp-admin/profile.php`)
    assert.equal((await fetch(`${service.url}/wp-admin/admin-ajax.php?action=rest-nonce`)).status, 400)
    const posted = await fetch(`${service.url}/wp-login.php`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ log: 'editor', pwd: siteUsers.editor.password }),
    })
    assert.equal(posted.status, 302)
    assert.deepEqual(
      posted.headers.getSetCookie().filter((line) => !line.startsWith('wp-tls-redirect-')),
      [],
    )
  })

  it('`wordpress check` reads its configuration', async () => {
    const { stdout, code } = await runHere(['wordpress', 'check', '--wordpress', site.configPath])
    assert.equal(code, 0, stdout)
    assert.ok(stdout.includes(atSite))
    assert.match(stdout, /No problem was found\./)
  })
})
