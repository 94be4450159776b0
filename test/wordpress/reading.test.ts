import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AsRestRoute, inject, RecordStore, RestResponse, type RestRequest } from 'as-rest-route'
import { withoutResponseCache } from '../support/response-cache.js'
import { statementsOf } from '../support/counted-statements.js'
import { startService, type StartedService } from '../support/start-service.js'
import { foreignSql } from '../support/servers/open-fresh-mariadb.js'
import {
  changesBetween,
  siteUsers,
  skipWithoutWordPress,
  startWordPressSite,
  type WordPressSite,
} from '../support/wordpress/wordpress-site.js'

const shop = new URL('../../examples/shop/app/', import.meta.url)

class Plain {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ namespace: 'plain/v1', route: '/products', permission: 'public' })
  async list(request: RestRequest) {
    const search = request.get_param('search')
    const products = await this.records.list({
      type: 'product',
      orderby: 'title',
      order: 'asc',
      ...(typeof search === 'string' && { search }),
    })
    return new RestResponse(products.map(({ title, link, meta }) => ({ title, link, meta })))
  }

  @AsRestRoute({ namespace: 'plain/v1', route: '/cached', permission: 'public', cache: 1 })
  async cached() {
    return new RestResponse(await this.records.count({ type: 'product' }))
  }
}

interface Product {
  readonly id: number
  readonly title: string
  readonly link: string
}

describe('the records of a WordPress site', { skip: skipWithoutWordPress() }, () => {
  let site: WordPressSite
  let service: StartedService
  let plain: StartedService
  before(async () => {
    site = await startWordPressSite()
    await site.php(`
      $term = wp_insert_term( 'Lamps', 'category' );
      wp_insert_term( 'Desk lamps', 'category', array( 'parent' => $term['term_id'] ) );
      foreach ( array( array( 'Brass lamp', 3, 'Lamps' ), array( 'Älpine lamp', 1.5, 'Desk lamps' ), array( 'Chair 😀 "x" \\\\ <b>', 20, null ) ) as list( $title, $price, $category ) ) {
        $id = wp_insert_post( wp_slash( array( 'post_type' => 'product', 'post_status' => 'publish', 'post_author' => 1, 'post_date' => '2026-01-0' . ( 1 + (int) $price % 7 ) . ' 10:00:00', 'post_title' => $title, 'post_content' => 'About ' . $title, 'meta_input' => array( 'price' => $price, 'total_sales' => 10 * $price ) ) ) );
        if ( $category ) wp_set_object_terms( $id, get_term_by( 'name', $category, 'category' )->term_id, 'category' );
      }
      wp_insert_post( array( 'post_type' => 'product', 'post_status' => 'draft', 'post_title' => 'Hidden' ) );`)
    service = await startService(shop, { wordpress: { config: site.configPath } })
    plain = await startService([Plain], {
      wordpress: { config: site.configPath },
      record_types: { product: { public: true, meta: { price: { type: 'number', default: 0 } } } },
    })
  })
  after(async () => {
    await plain?.close()
    await service?.close()
    await site?.stop()
  })

  const here = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${service.rest}${path}`, { headers })
    return { status: response.status, body: (await response.json()) as unknown }
  }
  const there = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${site.url}/wp-json/${path}`, { headers })
    return { status: response.status, body: (await response.json()) as unknown }
  }
  const list = async (query = '') => (await (await fetch(`${plain.rest}plain/v1/products${query}`)).json()) as Product[]

  for (const path of [
    'shop/v1/products',
    'shop/v1/products?orderby=title',
    'shop/v1/products?orderby=price',
    'shop/v1/products?category=lamps',
    'shop/v1/products?category=desk-lamps&per_page=1',
    'shop/v1/products?category=nothing',
    'shop/v1/products?page=2&per_page=2&orderby=popularity',
    'shop/v1/products?per_page=0',
    'shop/v1/products/999999',
  ])
    it(`GET ${path} is answered as by PHP`, async () => assert.deepEqual(await here(path), await there(path)))

  it('each record is answered as by PHP, and its link is that of PHP', async () => {
    const { body } = await there('shop/v1/products')
    assert.equal((body as Product[]).length, 3)
    for (const { id, link } of body as Product[]) {
      assert.deepEqual(await here(`shop/v1/products/${id}`), await there(`shop/v1/products/${id}`))
      assert.equal((await fetch(link)).status, 200)
    }
  })

  it('a draft is shown to the same callers as by PHP', async () => {
    const id = Number(await site.php("return get_posts( 'post_type=product&post_status=draft' )[0]->ID;"))
    for (const user of [siteUsers.editor, siteUsers.subscriber]) {
      const authorization = await site.applicationPassword(user)
      const [ours, theirs] = [
        await here(`shop/v1/products/${id}`, { authorization }),
        await there(`shop/v1/products/${id}`, { authorization }),
      ]
      assert.deepEqual(ours, theirs)
      assert.equal(ours.status, user === siteUsers.editor ? 200 : 404)
    }
  })

  it('a request reads anew each time, with as many statements for one record as for all', async () => {
    const statements = async (work: () => Promise<unknown>) =>
      // Options of the site are read again after a second.
      (await statementsOf(work)).filter((text) => !text.includes('wp_options'))
    const counts: number[] = []
    // The addresses differ, so that no response is one of the cache.
    for (const count of [1, 3, 2]) {
      const read = async () => {
        const { body } = await here(`shop/v1/products?orderby=title&per_page=${count}`)
        assert.equal((body as Product[]).length, count)
      }
      counts.push((await statements(read)).length)
    }
    assert.ok((counts[0] ?? 0) > 0)
    assert.equal(new Set(counts).size, 1, counts.join())
    const all = await statements(() => list())
    assert.ok(all.length > 0)
    assert.deepEqual(await statements(() => list()), all)
  })

  it('the next request sees records that PHP has created, changed and deleted', async () => {
    const titles = async () => (await list()).map(({ title }) => title)
    const before = await titles()
    const id = Number(
      await site.php(
        "return wp_insert_post( array( 'post_type' => 'product', 'post_status' => 'publish', 'post_title' => 'AAA' ) );",
      ),
    )
    assert.deepEqual(await titles(), ['AAA', ...before])
    await site.php("wp_update_post( array( 'ID' => $argument, 'post_title' => 'AAB' ) );", id)
    assert.deepEqual(await titles(), ['AAB', ...before])
    await site.php('wp_delete_post( $argument, true );', id)
    assert.deepEqual(await titles(), before)
  })

  it(
    'a cached response says for how many seconds it may be old, and a write of PHP is seen after them',
    { skip: withoutResponseCache },
    async () => {
      const response = await fetch(`${service.rest}shop/v1/products?orderby=title`)
      assert.match(response.headers.get('cache-control') ?? '', /max-age=60/)
      const count = async () => Number(await (await fetch(`${plain.rest}plain/v1/cached`)).text())
      const before = await count()
      const id = await site.php(
        "return wp_insert_post( array( 'post_type' => 'product', 'post_status' => 'publish', 'post_title' => 'New' ) );",
      )
      await new Promise((resolve) => setTimeout(resolve, 1100))
      assert.equal(await count(), before + 1)
      await site.php('wp_delete_post( $argument, true );', id)
    },
  )

  it('a product that is created here is in the lists, counts, searches and routes of WordPress, and at its permalink', async () => {
    const record = await service.service.records.insert({
      type: 'product',
      status: 'publish',
      author: 1,
      title: 'Zebra lamp',
      content: 'Striped',
      meta: { price: 7 },
      terms: { category: ['lamps'] },
    })
    const { id } = record
    const title = ({ body }: { body: unknown }) =>
      (body as { title: { rendered: string } }[]).map((product) => product.title.rendered)
    assert.deepEqual(title(await there('wp/v2/product?search=zebra')), ['Zebra lamp'])
    assert.ok(title(await there('wp/v2/product?per_page=100')).includes('Zebra lamp'))
    const page = await fetch(record.link)
    assert.equal(page.status, 200)
    assert.match(await page.text(), /Zebra lamp/)
    const cookie = await site.logIn(siteUsers.administrator)
    const list = await fetch(`${site.url}/wp-admin/edit.php?post_type=product`, { headers: { cookie } })
    assert.match(await list.text(), /Zebra lamp/)
    const counts = () =>
      site.php(
        "return array( (int) wp_count_posts( 'product' )->publish, get_term_by( 'slug', 'lamps', 'category' )->count );",
      )
    assert.deepEqual(await counts(), [4, 2])
    // The team goes back: PHP answers the route for what was written here.
    assert.deepEqual(await there(`shop/v1/products/${id}`), await here(`shop/v1/products/${id}`))

    // An editor changes it in PHP.
    const authorization = await site.applicationPassword(siteUsers.editor)
    const changed = await fetch(`${site.url}/wp-json/wp/v2/product/${id}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Okapi lamp', meta: { price: 8 } }),
    })
    assert.equal(changed.status, 200)
    const { title: newTitle, meta } = (await service.service.records.get(id)) ?? assert.fail('it is gone')
    assert.deepEqual([newTitle, meta['price']], ['Okapi lamp', 8])
    await service.service.records.delete(id)
    assert.deepEqual(await counts(), [3, 1])
    assert.equal((await fetch(record.link)).status, 404)
  })

  it('searches as PHP does', async () => {
    const foundIds = async (search: string) => [
      (await list(`?search=${encodeURIComponent(search)}`)).map(({ title }) => title),
      await site.php(
        "return wp_list_pluck( get_posts( array( 'post_type' => 'product', 's' => $argument, 'orderby' => 'title', 'order' => 'ASC' ) ), 'post_title' );",
        search,
      ),
    ]
    const searches = ['lamp', 'älpine', 'LAMP -brass', '"About Chair"', 'nowhere']
    searches.push('"brass lamp" -chair', 'lamp,brass', 'lamp+-brass', 'the', '-lamp', '-"brass lamp"', '"brass', '%')
    for (const search of searches) {
      const [ours, theirs] = await foundIds(search)
      assert.deepEqual(ours, theirs, search)
    }
  })

  it('a text of meta_query is trimmed, and an item of a list is not, as by PHP', async () => {
    for (const clause of [
      { key: 'price', compare: 'LIKE', value: ' 1.5 ' },
      { key: 'price', compare: 'NOT LIKE', value: ' 1.5 ' },
      { key: 'price', compare: '=', value: ' 1.5\n', type: 'CHAR' },
      { key: 'price', compare: 'IN', value: [' 1.5'], type: 'CHAR' },
    ] as const) {
      const theirs = await site.php(
        "return get_posts( array( 'post_type' => 'product', 'fields' => 'ids', 'meta_query' => array( $argument ) ) );",
        clause,
      )
      const ours = await service.service.records.list({ type: 'product', meta_query: clause })
      assert.deepEqual(ours.map(({ id }) => id).sort(), (theirs as number[]).sort(), JSON.stringify(clause))
    }
  })

  it('a term is found by its name as it was given, as by PHP', async () => {
    const [product] = (await site.php(
      "return get_posts( array( 'post_type' => 'product', 'fields' => 'ids' ) );",
    )) as number[]
    await site.php("wp_set_object_terms( $argument, array( 'Tea & <b>Cake</b>' ), 'category', true );", product)
    for (const name of ['Tea & <b>Cake</b>', 'Tea & Cake', 'Tea &amp; Cake', 'Tea']) {
      const clause = { taxonomy: 'category', field: 'name', terms: name } as const
      const theirs = await site.php(
        "return get_posts( array( 'post_type' => 'product', 'fields' => 'ids', 'tax_query' => array( $argument ) ) );",
        clause,
      )
      const ours = await service.service.records.list({ type: 'product', tax_query: clause })
      assert.deepEqual(
        ours.map(({ id }) => id),
        theirs,
        name,
      )
    }
  })

  it('changed permalinks of the site are noticed', async () => {
    const structure = async (text: string) => {
      await site.php("update_option( 'permalink_structure', $argument );", text)
      await new Promise((resolve) => setTimeout(resolve, 1100))
    }
    await structure('')
    try {
      assert.match((await list())[0]?.link ?? '', /\?product=/)
    } finally {
      await structure('/%postname%/')
    }
    assert.match((await list())[0]?.link ?? '', /\/product\//)
  })

  it('hours of offset, the base of categories and the language of the site are those of PHP', async () => {
    const set = async (offset: string, base: string, language: string) => {
      await site.php(
        "update_option( 'gmt_offset', $argument[0] ); $GLOBALS['wp_rewrite']->set_category_base( $argument[1] );",
        [offset, base],
      )
      // With the base that was stored before this process of PHP began.
      await site.php('flush_rewrite_rules( false );')
      // WordPress refuses a language without a language pack.
      await foreignSql(
        site.database,
        "DELETE FROM wp_options WHERE option_name = 'WPLANG'",
        `INSERT INTO wp_options (option_name, option_value) VALUES ('WPLANG', '${language}')`,
      )
      await new Promise((resolve) => setTimeout(resolve, 1100))
    }
    await set('-3.5', '/topics', 'de_DE')
    try {
      const { id, date, modified } = await plain.service.records.insert({
        type: 'product',
        status: 'publish',
        title: 'Offset',
      })
      assert.equal(Date.parse(`${date}Z`) - Date.parse(`${modified}Z`), -3.5 * 3_600_000)
      const hours =
        "return ( strtotime( current_time( 'mysql' ) ) - strtotime( current_time( 'mysql', true ) ) ) / HOUR_IN_SECONDS;"
      assert.equal(await site.php(hours), -3.5)
      await plain.service.records.delete(id)
      const link = String(await site.php("return get_term_link( 'lamps', 'category' );"))
      const path = link.slice(site.url.length)
      assert.equal(path, '/topics/lamps/')
      for (const root of [site.url, service.url]) assert.equal((await fetch(root + path)).status, 200)
      const authorization = await site.applicationPassword(siteUsers.editor)
      const me = 'wp/v2/users/me?context=edit&_fields=locale'
      assert.deepEqual(await here(me, { authorization }), { status: 200, body: { locale: 'de_DE' } })
      assert.deepEqual(await there(me, { authorization }), { status: 200, body: { locale: 'de_DE' } })
    } finally {
      await set('0', '', '')
    }
  })

  it('changed permalinks and time zones count outside of requests', async () => {
    const { records } = plain.service
    const created: number[] = []
    const insert = async () => {
      const record = await records.insert({ type: 'product', status: 'publish', title: 'Zone' })
      created.push(record.id)
      return record
    }
    const { id } = await insert()
    const options = async (structure: string, zone: string) => {
      await site.php(
        "update_option( 'permalink_structure', $argument[0] ); update_option( 'timezone_string', $argument[1] );",
        [structure, zone],
      )
      // The options of the site are read again after a second.
      await new Promise((resolve) => setTimeout(resolve, 1100))
    }
    await options('', 'Asia/Tokyo')
    try {
      assert.match((await records.get(id))?.link ?? '', /\?product=/)
      await options('/%postname%/', 'Asia/Kolkata')
      const { date, modified, link } = await insert()
      assert.equal(Date.parse(`${date}Z`) - Date.parse(`${modified}Z`), 5.5 * 3_600_000)
      assert.match(link, /\/product\//)
      await options('', '')
      const [listed] = await records.list({ type: 'product', ids: [id] })
      assert.match(listed?.link ?? '', /\?product=/)
      await options('/%postname%/', 'Asia/Kolkata')
      await records.transaction(async (inside) => {
        assert.match((await inside.get(id))?.link ?? '', /\/product\//)
      })
    } finally {
      await options('/%postname%/', '')
      for (const each of created) await records.delete(each)
    }
  })

  for (const [what, statement] of [
    ['of three bytes a character', 'CONVERT TO CHARACTER SET utf8mb3 COLLATE utf8mb3_general_ci'],
    ['of another collation', 'CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci'],
  ] as const)
    it(`tables ${what} are read as by PHP`, async () => {
      await foreignSql(
        site.database,
        "UPDATE wp_posts SET post_title = 'Chair', post_content = 'About Chair' WHERE post_title LIKE 'Chair%'",
      )
      for (const table of [
        'posts',
        'postmeta',
        'terms',
        'term_taxonomy',
        'term_relationships',
        'options',
        'users',
        'usermeta',
      ])
        await foreignSql(site.database, `ALTER TABLE wp_${table} ${statement}`)
      for (const path of [
        'shop/v1/products?orderby=title&category=lamps',
        'shop/v1/products?orderby=price&per_page=99',
      ])
        assert.deepEqual(await here(path), await there(path))
      assert.deepEqual(
        (await list('?search=%C3%A4lpine')).map(({ title }) => title),
        ['Älpine lamp'],
      )
      const authorization = await site.applicationPassword(siteUsers.editor, what)
      assert.equal((await here('wp/v2/users/me', { authorization })).status, 200)
    })

  it('reading changes nothing', async () => {
    const dump = await site.dump()
    await list('?search=lamp')
    await here('shop/v1/products?per_page=3')
    assert.deepEqual(changesBetween(dump, await site.dump()), [])
  })
})
