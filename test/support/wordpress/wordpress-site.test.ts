import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  changesBetween,
  siteUsers,
  skipWithoutWordPress,
  startWordPressSite,
  type WordPressSite,
} from './wordpress-site.js'

describe('a WordPress site for tests', { skip: skipWithoutWordPress() }, () => {
  let site: WordPressSite
  before(async () => {
    site = await startWordPressSite()
  })
  after(() => site?.stop())

  test('a user logs in, and the REST API knows the cookies with the nonce', async () => {
    const cookie = await site.logIn(siteUsers.editor)
    const headers = { cookie, 'x-wp-nonce': await site.restNonce(cookie) }
    const me = await fetch(`${site.url}/wp-json/wp/v2/users/me?context=edit`, { headers })
    const { slug, roles } = (await me.json()) as { slug: string; roles: string[] }
    assert.deepEqual({ slug, roles }, { slug: 'editor', roles: ['editor'] })
    const index = (await (await fetch(`${site.url}/wp-json/wp/v2/`)).json()) as { namespace: string }
    assert.equal(index.namespace, 'wp/v2')
  })

  test('a wrong password does not log in', async () => {
    await assert.rejects(site.logIn({ login: 'editor', password: 'wrong' }), /cannot log in/)
  })

  test('the shop answers in PHP, with an application password where one is needed', async () => {
    const create = (authorization: Record<string, string>) =>
      fetch(`${site.url}/wp-json/shop/v1/products`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...authorization },
        body: JSON.stringify({ title: 'Tea "green"', price: 3.5 }),
      })
    assert.equal((await create({})).status, 401)
    const created = await create({ authorization: await site.applicationPassword(siteUsers.author) })
    assert.equal(created.status, 201)
    const product = (await created.json()) as { id: number; link: string }
    assert.equal(product.link, `${site.url}/product/tea-green/`)
    const page = await (await fetch(product.link)).text()
    assert.match(page, /<h2>.*Tea &#8220;green&#8221;/)
    const list = await (await fetch(`${site.url}/wp-json/shop/v1/products`)).json()
    assert.deepEqual(list, [product])
  })

  test('code runs inside of WordPress, and two dumps show what it changed', async () => {
    const dump = await site.dump()
    const id = await site.php('return wp_insert_term( $argument, "category" )["term_id"];', 'Söcks')
    const changes = changesBetween(dump, await site.dump())
    assert.deepEqual(
      changes.map(({ table, key, before: old }) => ({ table, key, isNew: old === null })),
      [
        { table: 'wp_options', key: changes[0]?.key, isNew: true },
        { table: 'wp_term_taxonomy', key: String(id), isNew: true },
        { table: 'wp_terms', key: String(id), isNew: true },
      ],
    )
    assert.equal(changes[2]?.after?.['name'], 'Söcks')
    await assert.rejects(site.php('return undefined_function();'), /undefined_function/)
  })

  test('nginx takes further locations while it runs', async () => {
    await site.setLocations('location = /no-such-place { return 200 "good day"; }')
    assert.equal(await (await fetch(`${site.url}/no-such-place`)).text(), 'good day')
    await site.setLocations('')
    assert.equal((await fetch(`${site.url}/no-such-place`)).status, 404)
  })

  test('PHP logged no error', () => assert.equal(/error|warning/i.exec(site.logs())?.input ?? '', ''))
})

test('a site has a prefix, a path and constants of its own', { skip: skipWithoutWordPress() }, async () => {
  const site = await startWordPressSite({
    prefix: 'Shop_',
    path: '/blog',
    config: ["define( 'WP_ENVIRONMENT_TYPE', 'staging' );"],
  })
  try {
    assert.equal(await site.php('return wp_get_environment_type();'), 'staging')
    assert.ok((await site.dump()).tables['Shop_posts'])
    const cookie = await site.logIn(siteUsers.administrator)
    assert.equal((await fetch(`${site.url}/wp-admin/edit.php`, { headers: { cookie } })).status, 200)
  } finally {
    await site.stop()
  }
})
