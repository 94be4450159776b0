import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Browser, formWith } from '../pages/shop-site.js'
import { until } from '../support/until.js'
import { pairedSites } from '../support/wordpress/paired-sites.js'
import { siteUsers, skipWithoutWordPress, type SiteUser } from '../support/wordpress/wordpress-site.js'

/** `compare` leaves out when sessions end. */
const daysOfLastSession = `$sessions = get_user_meta( get_user_by( 'login', $argument )->ID, 'session_tokens', true );
  return (int) round( ( end( $sessions )['expiration'] - time() ) / DAY_IN_SECONDS );`

/** The cookies that both end. WordPress also ends those of its administration, and of logins before 3.0, whose path was that of the site. */
const ofBoth = /^wordpress_(?:sec_)? \/wp-|^(?:wordpress_logged_in|wp-postpass)_ /

/** Names, without the hash of the site, and paths of cookies that are ended: of logins, and of passwords of records. */
const endedCookies = (lines: readonly string[]) => {
  const ended = lines.filter((line) => / Max-Age=0;/i.test(line))
  const cookies = ended.map((line) => line.replace(/^(\w+(?:-\w+)?_)[0-9a-f]{32}=.*path=([^;]*).*$/, '$1 $2'))
  return [...new Set(cookies)].filter((each) => ofBoth.test(each)).toSorted()
}

describe('new passwords in the database of WordPress', { skip: skipWithoutWordPress() }, () => {
  const sites = pairedSites()
  const keepsSessions = () => sites.php.version >= 6.8
  const programs = () => [sites.php.url, sites.service.url] as const

  const logIn = async (url: string, { login, password }: Pick<SiteUser, 'login' | 'password'>, rememberme = '') => {
    const browser = new Browser(url)
    browser.cookies.set('wordpress_test_cookie', 'WP%20Cookie%20check')
    const fields = { log: login, pwd: password, testcookie: '1', ...(rememberme && { rememberme }) }
    assert.equal((await browser.post('/wp-login.php', fields)).status, 302)
    return browser
  }
  /** 200 for a login that is valid, 302 to the login form for any other. */
  const statusOf = async (browser: Browser) => (await browser.get('/wp-admin/profile.php')).status
  /** The same login at the other program of its database. */
  const atOther = (browser: Browser, url: string) => {
    const other = new Browser(url)
    for (const [name, value] of browser.cookies) other.cookies.set(name, value)
    return other
  }
  const nonceOf = async (browser: Browser) => (await browser.get('/wp-admin/admin-ajax.php?action=rest-nonce')).text
  const send = async (browser: Browser, body: Record<string, string>, nonce: string) => {
    const { status, text, headers } = await browser.post('/wp-json/wp/v2/users/me', body, { 'x-wp-nonce': nonce })
    const { code } = JSON.parse(text) as { code?: string }
    return { outcome: { status, code }, ended: endedCookies(headers.getSetCookie()) }
  }

  it('that of the caller, by users/me: old sessions stay and end nothing else, and the browser stays logged in', async () => {
    // Before 6.8, in a new session. A nonce is of one session: the page asks for a new one, as api-fetch does.
    const withFormerNonce = keepsSessions()
      ? { status: 200, code: undefined }
      : { status: 403, code: 'rest_cookie_invalid_nonce' }
    for (const rememberme of ['', 'forever']) {
      const browsers: Browser[] = []
      const others: Browser[] = []
      for (const url of programs()) {
        await logIn(url, siteUsers.author, 'forever')
        others.push(await logIn(url, siteUsers.author))
        browsers.push(await logIn(url, siteUsers.author, rememberme))
      }
      await sites.compare()
      const nonces = await Promise.all(browsers.map(nonceOf))
      const change = { password: siteUsers.author.password, first_name: 'Ann' }
      const allEnded: (readonly string[])[] = []
      for (const [index, browser] of browsers.entries()) {
        const { outcome, ended } = await send(browser, change, nonces[index] ?? '')
        assert.deepEqual(outcome, { status: 200, code: undefined })
        allEnded.push(ended)
      }
      const [endedThere, endedHere] = allEnded
      assert.deepEqual(endedHere, endedThere)
      assert.ok(endedThere?.includes('wp-postpass_ /'), String(endedThere))
      await sites.compare()
      const days = await Promise.all(
        [sites.php, sites.other].map((site) => site.php(daysOfLastSession, siteUsers.author.login)),
      )
      assert.deepEqual(days, rememberme === '' ? [2, 2] : [14, 14])
      for (const browser of browsers) assert.equal(await statusOf(browser), 200)
      for (const browser of others) assert.equal(await statusOf(browser), 302)
      for (const [index, browser] of browsers.entries()) {
        assert.deepEqual((await send(browser, { first_name: 'Eva' }, nonces[index] ?? '')).outcome, withFormerNonce)
        assert.equal((await send(browser, { first_name: 'Eva' }, await nonceOf(browser))).outcome.status, 200)
      }
      await sites.compare()
    }
  })

  it('that of the caller, by an application password: a login begins, as in PHP', async () => {
    const { login, password } = siteUsers.author
    const there = await sites.php.applicationPassword(siteUsers.author, 'program')
    const item = await sites.service.service.applicationPasswords.create(3, { name: 'program' })
    const here = `Basic ${Buffer.from(`${login}:${item.password}`).toString('base64')}`
    // As in PHP, a cookie that is no longer valid says how long the next login lasts, and from 6.8 on in which session.
    for (const days of [2, 14]) {
      for (const [index, url] of programs().entries()) {
        const former = await logIn(url, siteUsers.author, days === 14 ? 'forever' : '')
        await logIn(url, siteUsers.author)
        const browser = new Browser(url)
        for (const [name, value] of former.cookies)
          if (name.startsWith('wordpress_logged_in')) browser.cookies.set(name, `${value.slice(0, -1)}_`)
        const headers = { authorization: [there, here][index] ?? '' }
        const { status } = await browser.post('/wp-json/wp/v2/users/me', { password }, headers)
        assert.equal(status, 200)
        assert.equal(await statusOf(former), 302)
        assert.equal(await statusOf(browser), 200)
      }
      await sites.compare()
      const stored = await Promise.all([sites.php, sites.other].map((site) => site.php(daysOfLastSession, login)))
      assert.deepEqual(stored, keepsSessions() ? [2, 2] : [days, days])
    }
  })

  it('that of another user, by a handler: sessions stay, their cookies are dead at both programs', async () => {
    const browsers = await Promise.all(programs().map((url) => logIn(url, siteUsers.editor)))
    const code = `wp_set_current_user( 1 );
      $request = new WP_REST_Request( 'POST', '/wp/v2/users/2' );
      $request->set_body_params( array( 'password' => $argument ) );
      if ( rest_do_request( $request )->is_error() ) throw new Exception( 'refused' );`
    await sites.same(code, () => sites.service.service.users.update(2, { password: 'another' }), 'another')
    for (const browser of browsers) assert.equal(await statusOf(browser), 302)
    const [, ours = new Browser('')] = browsers
    assert.equal(await statusOf(atOther(ours, sites.other.url)), 302)
    for (const url of programs()) await logIn(url, { login: 'editor', password: 'another' })
    await sites.compare()
  })

  it('a lost password, by the link of an email: the key is removed, sessions stay, and default_password_nag is cleared', async () => {
    for (const nag of [null, '1', '']) {
      if (nag !== null)
        for (const site of [sites.php, sites.other])
          await site.php("update_user_meta( 4, 'default_password_nag', $argument );", nag)
      const password = siteUsers.contributor.password
      const browsers = await Promise.all(programs().map((url) => logIn(url, siteUsers.contributor)))
      await sites.compare()
      for (const url of programs()) {
        const visitor = new Browser(url)
        await visitor.post('/wp-login.php?action=lostpassword', { user_login: 'contributor' })
        const link = await linkOf(url)
        assert.equal((await visitor.get(link)).status, 302)
        const form = await visitor.get('/wp-login.php?action=rp')
        const fields = { ...formWith(form.text, 'pass1'), pass1: password, pass2: password }
        const saved = await visitor.post('/wp-login.php?action=resetpass', fields)
        assert.match(saved.text, /Your password has been reset/)
      }
      await sites.compare()
      for (const browser of browsers) assert.equal(await statusOf(browser), 302)
      const [theirs, ours] = browsers
      assert.ok(theirs && ours)
      assert.equal(await statusOf(atOther(ours, sites.other.url)), 302)
    }
    const kept = await sites.other.php("return count( get_user_meta( 4, 'session_tokens', true ) );")
    assert.equal(kept, 3)
  })

  it('by an application password, with the login cookie of an ended session: a login begins, which it does not in PHP from 6.8 on', async () => {
    const { login, password } = siteUsers.subscriber
    const statuses: number[] = []
    for (const [index, url] of programs().entries()) {
      const authorization = await [sites.php, sites.other][index]?.applicationPassword(siteUsers.subscriber, 'last')
      const browser = await logIn(url, siteUsers.subscriber)
      await [sites.php, sites.other][index]?.php(
        "delete_user_meta( get_user_by( 'login', $argument )->ID, 'session_tokens' );",
        login,
      )
      const response = await browser.post(
        '/wp-json/wp/v2/users/me',
        { password },
        { authorization: authorization ?? '' },
      )
      assert.equal(response.status, 200)
      statuses.push(await statusOf(browser))
    }
    assert.deepEqual(statuses, [keepsSessions() ? 302 : 200, 200])
  })

  /** The link of the last message that this program has sent. */
  const linkOf = async (url: string): Promise<string> => {
    const messages = (): string[] =>
      url === sites.php.url
        ? sites.php.mail().map(({ message }) => message)
        : sites.service.log.map(({ fields }) => String(fields['text'] ?? ''))
    const link = () =>
      /^http\S*(?:action=rp|key=)\S*$/m.exec(messages().findLast((text) => text.includes('key=')) ?? '')
    const count = () => messages().filter((text) => text.includes('key=')).length
    const sent = counts.get(url) ?? 0
    await until(() => count() > sent)
    counts.set(url, count())
    return new URL(link()?.[0] ?? '').href.replace(new URL(url).origin, '').replace(/^https?:\/\/[^/]+/, '')
  }
  const counts = new Map<string, number>()
})
