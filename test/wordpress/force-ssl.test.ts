import assert from 'node:assert/strict'
import { once, EventEmitter } from 'node:events'
import { after, afterEach, before, describe, it } from 'node:test'
import { endpoint, Mailer, type BootOptions, type MailMessage } from 'as-rest-route'
import { startService, type StartedService } from '../support/start-service.js'
import { freePorts } from '../support/servers/free-ports.js'
import { startTlsProxy, type TlsResponse, type TlsProxy } from '../support/wordpress/tls-proxy.js'
import { siteUsers, skipWithoutWordPress, startWordPressSite } from '../support/wordpress/wordpress-site.js'
import type { WordPressSite } from '../support/wordpress/wordpress-site.js'

/** The lines that hosts behind a proxy have in wp-config.php. */
const behindProxy = [
  "if ( isset( $_SERVER['HTTP_X_FORWARDED_PROTO'] ) && strpos( $_SERVER['HTTP_X_FORWARDED_PROTO'], 'https' ) !== false ) {",
  "\t$_SERVER['HTTPS'] = 'on';",
  '}',
]

const nothing = endpoint({ namespace: 'shop/v1', route: '/nothing', permission: 'public' }, () => null)

class Mailbox extends Mailer {
  readonly #messages = new EventEmitter()

  async send(message: MailMessage): Promise<void> {
    this.#messages.emit('message', message)
  }

  async next(): Promise<MailMessage> {
    const [message] = (await once(this.#messages, 'message', { signal: AbortSignal.timeout(30_000) })) as [MailMessage]
    return message
  }
}

const formActions = ({ text }: TlsResponse): string[] =>
  [...text.matchAll(/<form[^>]*?\baction="([^"]*)"/g)].map(([, action = '']) => action.replaceAll('&#038;', '&'))

const formTargets = ({ headers }: TlsResponse): string =>
  /form-action ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1] ?? ''

/** Where requests go over plain HTTP, as a browser with one jar of cookies sends them. */
async function followPlain(url: string): Promise<{ status: number; text: string }> {
  let cookie = ''
  for (let count = 0; count < 20; count += 1) {
    const response = await fetch(url, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } })
    if (response.status !== 302) return { status: response.status, text: await response.text() }
    cookie = response.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
  }
  throw new Error('redirected 20 times')
}

describe('FORCE_SSL_ADMIN on a site whose addresses begin with http', { skip: skipWithoutWordPress() }, () => {
  let site: WordPressSite
  let service: StartedService
  let proxy: TlsProxy
  /** The site whose pages PHP answers over TLS, and those of the service. The stored address has the port of the latter. */
  let atPhp: string
  let atService: string
  before(async () => {
    site = await startWordPressSite({ config: [...behindProxy, "define( 'FORCE_SSL_ADMIN', true );"] })
    const [phpPort = 0, servicePort = 0] = await freePorts(2)
    atPhp = `https://127.0.0.1:${phpPort}`
    atService = `https://127.0.0.1:${servicePort}`
    const stored = atService.replace('https:', 'http:')
    await site.php("update_option( 'siteurl', $argument ); update_option( 'home', $argument );", stored)
    service = await startService([nothing], { wordpress: { config: site.configPath }, trusted_proxies: ['127.0.0.1'] })
    const forwarded = `proxy_set_header Host 127.0.0.1:${servicePort};
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto $scheme;`
    proxy = await startTlsProxy(site.folder, {
      [phpPort]: `location / { proxy_pass ${site.url}; ${forwarded} }`,
      [servicePort]: `location / { proxy_pass http://127.0.0.1:${service.port}; ${forwarded} }`,
    })
  })
  after(async () => {
    await proxy?.end()
    await service?.close()
    await site?.stop()
  })

  it('the forms of the login lead to https, as at PHP, and the policy of the page allows it', async () => {
    for (const path of ['/wp-login.php', '/wp-login.php?action=lostpassword']) {
      const [theirs, ours] = [await proxy.fetch(`${atPhp}${path}`), await proxy.fetch(`${atService}${path}`)]
      assert.ok(formActions(theirs)[0]?.startsWith(`${atService}/wp-login.php`), formActions(theirs).join())
      assert.deepEqual(formActions(ours), formActions(theirs))
      assert.ok(formTargets(ours).split(' ').includes(atService), formTargets(ours))
    }
  })

  it('a login by the form of the page ends in the profile, over https all the way', async () => {
    const page = await proxy.fetch(`${atService}/wp-login.php`)
    const { login, password } = siteUsers.subscriber
    const response = await proxy.fetch(formActions(page)[0] ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: String(new URLSearchParams({ log: login, pwd: password })),
    })
    assert.equal(response.headers.get('location'), `${atService}/wp-admin/profile.php`)
    const cookie = response.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const profile = await proxy.fetch(`${atService}/wp-admin/profile.php`, { headers: { cookie } })
    assert.equal(profile.status, 200)
    assert.ok(profile.text.includes(`href="${atService}/wp-login.php?action=logout`))
    assert.ok(formTargets(profile).split(' ').includes(atService))
  })

  it('links for a new password begin with https', async () => {
    const response = await proxy.fetch(`${atService}/wp-login.php`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: String(new URLSearchParams({ log: 'author', pwd: 'wrong' })),
    })
    assert.ok(response.text.includes(`${atService}/wp-login.php?action=lostpassword`))
    assert.ok(!response.text.includes(`${atService.replace('https:', 'http:')}/wp-login.php`))
  })

  it('the form of a record password posts to https, and the policy of its page allows that', async () => {
    await site.php(
      "wp_insert_post( array( 'post_title' => 'Secret', 'post_status' => 'publish', 'post_password' => 'open' ) );",
    )
    const response = await fetch(`${service.url}/secret/`)
    const ours = { status: response.status, headers: response.headers, text: await response.text() }
    assert.ok(formActions(ours).includes(`${atService}/wp-login.php?action=postpass`), formActions(ours).join())
    assert.ok(formTargets(ours).split(' ').includes(atService), formTargets(ours))
  })
})

describe('TLS before a site whose addresses begin with http', { skip: skipWithoutWordPress() }, () => {
  let site: WordPressSite
  let service: StartedService
  let proxy: TlsProxy
  let atPhp: string
  let atService: string
  const mailbox = new Mailbox()
  before(async () => {
    site = await startWordPressSite({ config: behindProxy })
    const [phpPort = 0, servicePort = 0] = await freePorts(2)
    atPhp = `https://127.0.0.1:${phpPort}`
    atService = `https://127.0.0.1:${servicePort}`
    const stored = atService.replace('https:', 'http:')
    await site.php("update_option( 'siteurl', $argument ); update_option( 'home', $argument );", stored)
    await site.php(
      "wp_insert_post( array( 'post_title' => 'Secret', 'post_status' => 'publish', 'post_password' => 'open' ) );",
    )
    service = await startService([nothing], {
      wordpress: { config: site.configPath },
      trusted_proxies: ['127.0.0.1'],
      provide: [[Mailer, mailbox]],
    })
    const forwarded = `proxy_set_header Host 127.0.0.1:${servicePort};
      proxy_set_header X-Forwarded-Proto $scheme;`
    proxy = await startTlsProxy(site.folder, {
      [phpPort]: `location / { proxy_pass ${site.url}; ${forwarded} }`,
      [servicePort]: `location / { proxy_pass http://127.0.0.1:${service.port}; ${forwarded} }`,
    })
  })
  after(async () => {
    await proxy?.end()
    await service?.close()
    await site?.stop()
  })

  it('forms and links of a page begin as its request did, as at PHP', async () => {
    for (const path of ['/wp-login.php', '/wp-login.php?action=lostpassword', '/secret/']) {
      const [theirs, ours] = [await proxy.fetch(`${atPhp}${path}`), await proxy.fetch(`${atService}${path}`)]
      const expected = formActions(theirs).filter((address) => address.includes('/wp-login.php'))
      assert.ok(expected[0]?.startsWith(`${atService}/`), expected.join())
      assert.deepEqual(formActions(ours), expected)
      // A redirect after the form may lead to the address that is stored, with http.
      for (const origin of [atService, atService.replace('https:', 'http:')])
        assert.ok(formTargets(ours).split(' ').includes(origin), formTargets(ours))
      const plain = await (await fetch(`${service.url}${path}`)).text()
      assert.ok(plain.includes(`action="${atService.replace('https:', 'http:')}/wp-login.php`), path)
    }
    for (const address of [atPhp, atService]) {
      const { headers } = await proxy.fetch(`${address}/wp-admin/profile.php`)
      assert.ok(headers.get('location')?.startsWith(`${atService}/wp-login.php?`), headers.get('location') ?? '')
    }
  })

  it('the link of a message for a new password begins as the request did, and is that of PHP', async () => {
    const ask = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    const body = 'user_login=editor'
    const linkIn = (text: string) => /\bhttps?:\/\/\S*action=rp\S*/.exec(text)?.[0].replace(/>$/, '') ?? text
    const partsOf = (link: string) => {
      const { origin, pathname, searchParams } = new URL(link)
      return [origin, pathname, searchParams.get('action'), searchParams.get('login')]
    }
    const path = '/wp-login.php?action=lostpassword'
    const plain = atService.replace('https:', 'http:')
    for (const [origin, atThePhp, atTheService] of [
      [
        atService,
        () => proxy.fetch(`${atPhp}${path}`, { ...ask, body }),
        () => proxy.fetch(`${atService}${path}`, { ...ask, body }),
      ],
      [
        plain,
        () => fetch(`${site.url}${path}`, { ...ask, body, redirect: 'manual' }),
        () => fetch(`${service.url}${path}`, { ...ask, body, redirect: 'manual' }),
      ],
    ] as const) {
      assert.equal((await atThePhp()).status, 302)
      const theirs = linkIn(site.mail().at(-1)?.message ?? '')
      const sent = mailbox.next()
      assert.equal((await atTheService()).status, 302)
      const ours = linkIn((await sent).text)
      assert.deepEqual(partsOf(ours), [origin, '/wp-login.php', 'rp', 'editor'])
      assert.deepEqual(partsOf(ours), partsOf(theirs))
      const key = new URL(ours).searchParams.get('key')
      const user = await site.php("return check_password_reset_key( $argument, 'editor' )->ID;", key)
      assert.equal(user, 2)
    }
  })

  it('a login leads to the address that it asks for, with each of both schemes, as at PHP', async () => {
    const { login, password } = siteUsers.author
    for (const target of [`${atService}/secret/`, `${atService.replace('https:', 'http:')}/secret/`])
      for (const address of [atPhp, atService]) {
        const { headers } = await proxy.fetch(`${address}/wp-login.php`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: String(new URLSearchParams({ log: login, pwd: password, redirect_to: target })),
        })
        assert.equal(headers.get('location'), target)
      }
  })
})

describe('a proxy that ends TLS and is not trusted', { skip: skipWithoutWordPress() }, () => {
  let site: WordPressSite
  let service: StartedService | null = null
  const serve = async (options: BootOptions = {}): Promise<StartedService> => {
    service = await startService([nothing], { wordpress: { config: site.configPath }, ...options })
    return service
  }
  afterEach(() => service?.close())
  before(async () => {
    site = await startWordPressSite({ config: behindProxy })
    await site.php(
      "update_option( 'siteurl', 'https://shop.example' ); update_option( 'home', 'https://shop.example' );",
    )
  })
  after(() => site?.stop())

  it('a `siteurl` with https forces TLS as in PHP, where the constant is not defined', async () => {
    const service = await serve()
    for (const base of [site.url, service.url]) {
      const { status, headers } = await fetch(`${base}/wp-login.php`, { redirect: 'manual' })
      assert.equal(status, 302)
      assert.match(headers.get('location') ?? '', /^https:/)
    }
  })

  it('a redirect to https that comes back is a 500 that says so, and one line of the log says what to set', async () => {
    const service = await serve()
    for (const path of ['/wp-login.php', '/wp-admin/profile.php', '/wp-login.php']) {
      const { status, text } = await followPlain(`${service.url}${path}`)
      assert.equal(status, 500)
      assert.match(text, /tls-redirect-loop/)
      assert.ok(text.includes(`href="https://shop.example${path}"`))
    }
    const reports = service.log.filter(({ fields }) => fields['code'] === 'tls-redirect-loop')
    assert.equal(reports.length, 1)
    assert.match(String(reports[0]?.message), /trusted_proxies/)
  })

  it('a redirect that arrives over TLS leaves no cookie: plain HTTP is redirected again', async () => {
    const service = await serve({ trusted_proxies: ['127.0.0.1'] })
    const send = (headers: Record<string, string>) =>
      fetch(`${service.url}/wp-login.php`, { redirect: 'manual', headers })
    const [line = ''] = (await send({})).headers.getSetCookie()
    const [cookie = ''] = line.split(';')
    assert.match(cookie, /^wp-tls-redirect-[0-9a-f]{32}=1$/)
    // Two tabs are no loop.
    assert.equal((await send({ cookie })).status, 302)
    const arrived = await send({ cookie, 'x-forwarded-proto': 'https' })
    assert.equal(arrived.status, 200)
    const ended = arrived.headers.getSetCookie().find((each) => each.startsWith('wp-tls-redirect-'))
    assert.match(ended ?? '', /Max-Age=0; path=\//)
    assert.equal((await send({})).status, 302)
  })
})
