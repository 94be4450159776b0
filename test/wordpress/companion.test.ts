import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { createHmac, randomBytes } from 'node:crypto'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { AsRestRoute, inject, RecordStore, RestResponse, SiteOptions, Terms, type AnyRequest } from 'as-rest-route'
import { runHere } from '../cli/command-line.js'
import { startService, type StartedService } from '../support/start-service.js'
import {
  siteUsers,
  skipWithoutWordPress,
  startWordPressSite,
  type WordPressSite,
} from '../support/wordpress/wordpress-site.js'
import { until } from '../support/until.js'

const plugin = fileURLToPath(new URL('../../wordpress/as-rest-route.php', import.meta.url))
const objectCache = fileURLToPath(new URL('../support/wordpress/object-cache.php', import.meta.url))

class Books {
  constructor(
    private readonly records = inject(RecordStore),
    private readonly terms = inject(Terms),
    private readonly options = inject(SiteOptions),
  ) {}

  @AsRestRoute({ namespace: 'books/v1', route: '/books', permission: 'public', cache: 600 })
  async list() {
    const books = await this.records.list({ type: 'book', orderby: 'title', order: 'asc' })
    return new RestResponse(books.map(({ title }) => title))
  }

  @AsRestRoute({ namespace: 'books/v1', route: '/terms', method: 'POST', permission: 'public' })
  async add(request: AnyRequest) {
    const name = request.get_param('name')
    const { id } = await this.terms.create({ name: typeof name === 'string' ? name : 'Novels' })
    await this.options.set('blogdescription', 'Written here')
    return new RestResponse(id, 201)
  }
}

describe('the companion plugin', { skip: skipWithoutWordPress() }, () => {
  let site: WordPressSite
  let service: StartedService
  let book: number
  before(async () => {
    const types = `<?php
      add_action( 'init', function () { register_post_type( 'book', array( 'public' => true, 'show_in_rest' => true, 'taxonomies' => array( 'category' ) ) ); } );
      foreach ( array( 'user_register', 'profile_update', 'deleted_user', 'created_term', 'created_category', 'deleted_post', 'after_delete_post', 'clean_user_cache', 'clean_term_cache' ) as $hook )
        add_action( $hook, function ( ...$arguments ) { file_put_contents( WP_CONTENT_DIR . '/other-hooks.txt', current_filter() . ' ' . json_encode( $arguments ) . "\\n", FILE_APPEND ); }, 10, 3 );
      add_action( 'save_post_book', function ( $id, $post ) {
        if ( ! isset( $_GET['as_rest_route'] ) ) return;
        if ( $post->post_title === 'Throws' ) throw new Error( 'a hook of another plugin' );
        if ( $post->post_title === 'Dies' ) wp_die( 'a hook of another plugin' );
        if ( $post->post_title === 'Exits' ) exit;
      }, 20, 2 );
      add_action( 'clean_post_cache', function ( $id, $post ) { if ( isset( $_GET['as_rest_route'] ) && $post->post_title === 'Keeps' ) throw new Error( 'a hook of another plugin' ); }, 20, 2 );
      foreach ( array( 'save_post_book', 'save_post', 'wp_after_insert_post' ) as $hook )
        add_action( $hook, function ( $id, $post, $update ) { file_put_contents( WP_CONTENT_DIR . '/hooks.txt', current_filter() . " $id $post->post_title " . ( $update ? 'update' : 'insert' ) . "\\n", FILE_APPEND ); }, 10, 3 );`
    site = await startWordPressSite({
      plugins: { 'books.php': types, 'as-rest-route.php': readFileSync(plugin, 'utf8') },
    })
    copyFileSync(objectCache, join(site.folder, 'wp-content/object-cache.php'))
    book = Number(
      await site.php(
        "return wp_insert_post( array( 'post_type' => 'book', 'post_status' => 'publish', 'post_title' => 'Emma', 'meta_input' => array( 'pages' => 400 ) ) );",
      ),
    )
    service = await start()
    // PHP tells this service of its writes, and fires its hooks for those of the service.
    writeFileSync(
      join(site.folder, 'wp-content/mu-plugins/address.php'),
      `<?php define( 'AS_REST_ROUTE_URL', '${service.url}' ); define( 'AS_REST_ROUTE_HOOKS', true );`,
    )
  })
  after(async () => {
    await service?.close()
    await site?.stop()
  })

  const start = (companion?: string | false) =>
    startService([Books], {
      wordpress: { config: site.configPath, ...(companion !== undefined && { companion }) },
      record_types: {
        book: { public: true, taxonomies: ['category'], meta: { pages: { type: 'integer', default: 0 } } },
      },
    })
  /** What PHP shows, by its object cache. */
  const atPhp = async (expression: string, argument?: unknown) => site.php(`return ${expression};`, argument)
  const titleAtPhp = () => atPhp('get_post( $argument )->post_title', book)
  const codes = ({ log }: StartedService) =>
    log.map(({ fields }) => fields['code']).filter((code) => code !== undefined)

  it('PHP without it shows what its object cache has from before a write here', async () => {
    const without = await start(false)
    await titleAtPhp()
    await without.service.records.update(book, { title: 'Persuasion' })
    await setTimeout(300)
    assert.equal(await titleAtPhp(), 'Emma')
    await atPhp('wp_cache_flush()')
    assert.equal(await titleAtPhp(), 'Persuasion')
    await without.service.records.update(book, { title: 'Emma' })
    await atPhp('wp_cache_flush()')
    await without.close()
  })

  it('PHP with it shows a record, its metadata and its terms as they were written here', async () => {
    const pages = () => atPhp("get_post_meta( $argument, 'pages', true )", book)
    assert.deepEqual([await titleAtPhp(), await pages()], ['Emma', '400'])
    await service.service.records.update(book, { title: 'Mansfield Park', meta: { pages: 500 } })
    await until(async () => (await titleAtPhp()) === 'Mansfield Park', 'the new title')
    assert.equal(await pages(), '500')
    await service.service.records.update(book, { title: 'Emma' })
    await until(async () => (await titleAtPhp()) === 'Emma', 'the old title')
  })

  it('a record that is created, and one that is deleted, count at PHP', async () => {
    const count = async () => Number(await atPhp("wp_count_posts( 'book' )->publish"))
    const before = await count()
    const { id } = await service.service.records.insert({ type: 'book', status: 'publish', title: 'Sanditon' })
    await until(async () => (await count()) === before + 1, 'one book more')
    await atPhp('get_post( $argument )', id)
    await service.service.records.delete(id)
    await until(async () => (await count()) === before, 'one book less')
    assert.equal(await atPhp('get_post( $argument )', id), null)
  })

  for (const title of ['Throws', 'Dies', 'Exits', 'Keeps'])
    it(`a hook that fails holds up no notice: ${title}`, async () => {
      const { records } = service.service
      await titleAtPhp()
      const [failing] = await Promise.all([
        records.insert({ type: 'book', status: 'publish', title }),
        records.update(book, { title: 'Northanger Abbey' }),
      ])
      await until(async () => (await titleAtPhp()) === 'Northanger Abbey', 'the new title')
      await records.update(book, { title: 'Emma' })
      await until(async () => (await titleAtPhp()) === 'Emma', 'the old title')
      await records.delete(failing.id)
      assert.deepEqual(codes(service), [])
    })

  it('takes notices again when the clock of the service was wrong and is set back', async (context) => {
    const clock = Date.now
    context.after(() => (Date.now = clock))
    const ahead = await start()
    await titleAtPhp()
    Date.now = () => clock() + 600_000
    await ahead.service.records.update(book, { title: 'Evelyn' })
    await until(() => codes(ahead).includes('companion-unreachable'), 'a line of the log')
    assert.match(String(ahead.log.at(-1)?.fields['err']), /refuses the time of the message/)
    Date.now = clock
    await until(async () => (await titleAtPhp()) === 'Evelyn', 'the new title')
    await ahead.service.records.update(book, { title: 'Emma' })
    await until(async () => (await titleAtPhp()) === 'Emma', 'the old title')
    await ahead.close()
  })

  it('the comments of a record are hidden with it, and come back with it', async () => {
    const { id } = await service.service.records.insert({ type: 'book', status: 'publish', title: 'The Watsons' })
    const comment = await atPhp(
      "wp_insert_comment( array( 'comment_post_ID' => $argument, 'comment_content' => 'Unfinished', 'comment_approved' => 1 ) )",
      id,
    )
    const status = () => atPhp('get_comment( $argument )->comment_approved', comment)
    assert.equal(await status(), '1')
    await service.service.records.update(id, { status: 'trash' })
    await until(async () => (await status()) === 'post-trashed', 'a hidden comment')
    await service.service.records.update(id, { status: 'publish' })
    await until(async () => (await status()) === '1', 'the comment')
    await service.service.records.delete(id)
  })

  it('users, terms and options are those that were written here', async () => {
    const id = Number(await atPhp("get_user_by( 'login', 'author' )->ID"))
    const name = () => atPhp('get_userdata( $argument )->display_name', id)
    const categories = () =>
      atPhp("wp_list_pluck( get_terms( array( 'taxonomy' => 'category', 'hide_empty' => false ) ), 'name' )")
    const description = () => atPhp("get_option( 'blogdescription' )")
    await Promise.all([name(), categories(), description()])
    await service.service.users.update(id, { displayName: 'Jane' })
    await until(async () => (await name()) === 'Jane', 'the new name')
    const response = await fetch(`${service.rest}books/v1/terms`, { method: 'POST' })
    assert.equal(response.status, 201, await response.text())
    await until(async () => JSON.stringify(await categories()).includes('Novels'), 'the new term')
    await until(async () => (await description()) === 'Written here', 'the new option')
  })

  /** Runs a command on the site. */
  async function command(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    const variables = { WORDPRESS_CONFIG: site.configPath, ...environment }
    Object.assign(process.env, variables)
    return runHere(words).finally(() => {
      for (const name of Object.keys(variables)) delete process.env[name]
    })
  }

  it('users are those that a command has written', async () => {
    const created = await command(['user', 'create', 'short', 'short@example.org', '--porcelain'])
    assert.equal(created.code, 0, created.stderr)
    const id = Number(created.stdout)
    const atSite = () => atPhp('get_userdata( $argument )->display_name ?? null', id)
    assert.equal(await atSite(), 'short')
    await command(['user', 'update', 'short', '--display_name', 'Long'])
    assert.equal(await atSite(), 'Long')
    const { code, stderr } = await command(['user', 'delete', 'short'])
    assert.deepEqual([code, stderr], [0, ''])
    assert.equal(await atSite(), null)
  })

  it('a command says when PHP does not answer', async () => {
    const words = ['user', 'update', 'author', '--display_name', 'Jane']
    const { code, stderr } = await command(words, { WORDPRESS_COMPANION: 'http://127.0.0.1:2' })
    assert.equal(code, 0)
    assert.match(stderr, /^WordPress was not told of the change \(.*ECONNREFUSED.*\)\. If .* run: wp cache flush\n$/)
  })

  it('runs the hooks of WordPress for a record, once for each write', async () => {
    const file = join(site.folder, 'wp-content/hooks.txt')
    writeFileSync(file, '')
    const { id } = await service.service.records.insert({ type: 'book', status: 'draft', title: 'Lesley Castle' })
    const expected = ['save_post_book', 'save_post', 'wp_after_insert_post'].map(
      (hook) => `${hook} ${id} Lesley Castle insert\n`,
    )
    await until(async () => readFileSync(file, 'utf8') === expected.join(''), 'the hooks')
    writeFileSync(file, '')
    await service.service.records.update(id, { title: 'Love and Freindship' })
    await until(
      async () => readFileSync(file, 'utf8').includes(`save_post ${id} Love and Freindship update\n`),
      'the hooks',
    )
  })

  it('runs the hooks for deletions, users and terms, and those that clean caches', async () => {
    const file = join(site.folder, 'wp-content/other-hooks.txt')
    const { records, users } = service.service
    /** The arguments of a hook when it runs the next time, as JSON. */
    const next = async (hook: string, write: () => Promise<unknown>): Promise<readonly unknown[]> => {
      writeFileSync(file, '')
      await write()
      const line = () =>
        readFileSync(file, 'utf8')
          .split('\n')
          .find((each) => each.startsWith(`${hook} `))
      await until(async () => line() !== undefined, `the hook ${hook}`)
      return JSON.parse(line()?.slice(hook.length + 1) ?? '') as unknown[]
    }
    const { id } = await records.insert({ type: 'book', status: 'publish', title: 'Lady Susan' })
    const [deleted, post] = await next('after_delete_post', () => records.delete(id))
    assert.equal(deleted, id)
    assert.equal((post as { post_type: string }).post_type, 'book')
    let user = 0
    const newUser = { login: 'cassandra', email: 'cassandra@site.example', password: 'a password' }
    const [registered] = await next('user_register', async () => (user = (await users.create(newUser)).id))
    assert.equal(registered, user)
    const [updated, , data] = await next('profile_update', () => users.update(user, { displayName: 'Cass' }))
    assert.equal(updated, user)
    assert.equal((data as { display_name: string }).display_name, 'Cass')
    assert.equal((await next('clean_user_cache', () => users.update(user, { displayName: 'Cassandra' })))[0], user)
    assert.deepEqual((await next('deleted_user', () => users.delete(user, { reassign: 1 }))).slice(0, 2), [user, 1])
    for (const hook of ['created_term', 'created_category', 'clean_term_cache']) {
      let term = 0
      const add = async () => {
        const response = await fetch(`${service.rest}books/v1/terms?name=${hook}`, { method: 'POST' })
        term = Number(await response.json())
      }
      const [created] = await next(hook, add)
      assert.deepEqual(created, hook === 'clean_term_cache' ? [term] : term)
    }
  })

  it('a write of WordPress empties the cache of the service, by its command line and by its REST API', async () => {
    const titles = async () => (await fetch(`${service.rest}books/v1/books`)).text()
    const emma = await titles()
    assert.equal(await titles(), emma)
    await site.php("wp_update_post( array( 'ID' => $argument, 'post_title' => 'Emma Woodhouse' ) );", book)
    await until(async () => (await titles()).includes('Emma Woodhouse'), 'the title of the command line')
    const cookie = await site.logIn(siteUsers.administrator)
    const headers = { cookie, 'x-wp-nonce': await site.restNonce(cookie), 'content-type': 'application/json' }
    await titles()
    const written = await fetch(`${site.url}/wp-json/wp/v2/book/${book}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ title: 'Emma' }),
    })
    assert.equal(written.status, 200, await written.text())
    await until(async () => (await titles()) === emma, 'the title of a request')
  })

  it("WordPress's index lists the namespaces and routes of the service", async () => {
    const index = async () =>
      (await (await fetch(`${site.url}/wp-json/`)).json()) as { namespaces: string[]; routes: Record<string, object> }
    await until(async () => (await index()).namespaces.includes('books/v1'), 'the namespace')
    const { routes, namespaces } = await index()
    assert.ok(namespaces.includes('wp/v2'))
    const ours = (await (await fetch(service.rest)).json()) as typeof routes
    assert.deepEqual(
      Object.keys(routes).filter((route) => route.startsWith('/books/v1')),
      Object.keys((ours as { routes?: object }).routes ?? {}).filter((route) => route.startsWith('/books/v1')),
    )
    assert.deepEqual((routes['/books/v1/books'] as { methods: unknown }).methods, ['GET'])
  })

  const key = async () => String(await atPhp("hash_hmac( 'sha256', 'as-rest-route companion', wp_salt( 'auth' ) )"))
  const signed = (
    secret: string,
    direction: string,
    time: number,
    body: string,
    sender = randomBytes(8).toString('hex'),
  ) =>
    `${sender} ${time} ${createHmac('sha256', secret).update(`${direction}\n${sender}\n${time}\n${body}`).digest('hex')}`
  const now = () => Date.now() * 1000

  it('takes a message of the service once, with its signature and in its time', async () => {
    const secret = await key()
    const body = '[{"kind":"all"}]'
    const send = async (header: string, text = body) => {
      const response = await fetch(`${site.url}/?as_rest_route=notices`, {
        method: 'POST',
        headers: { 'x-as-rest-route': header },
        body: text,
      })
      return [response.status, ((await response.json()) as { refused: string | null }).refused]
    }
    const genuine = signed(secret, 'notices', now(), body)
    assert.deepEqual(
      await Promise.all([send(genuine), send(genuine)]).then((both) => both.map(([status]) => status).sort()),
      [200, 403],
    )
    assert.deepEqual(await send(genuine), [403, 'replayed'])
    assert.deepEqual(await send(signed(secret, 'notices', now(), body), '[]'), [403, 'signature'])
    assert.deepEqual(await send(signed('another key', 'notices', now(), body)), [403, 'signature'])
    assert.deepEqual(await send(signed(secret, 'changes', now(), body)), [403, 'signature'])
    assert.deepEqual(await send(signed(secret, 'notices', now() - 120_000_000, body)), [403, 'time'])
    assert.deepEqual(await send('nonsense'), [403, 'signature'])
  })

  it('the service takes a report of PHP once, with its signature and in its time', async () => {
    const secret = await key()
    const send = async (header: string, body = '[]') =>
      (
        await fetch(`${service.url}/as-rest-route/changes`, {
          method: 'POST',
          headers: { 'x-as-rest-route': header },
          body,
        })
      ).status
    const genuine = signed(secret, 'changes', now(), '[]')
    assert.deepEqual([await send(genuine), await send(genuine)], [204, 403])
    assert.equal(await send(signed(secret, 'changes', now(), '[]'), '[1]'), 403)
    assert.equal(await send(signed(secret, 'notices', now(), '[]')), 403)
    assert.equal(await send(signed(secret, 'changes', now() - 120_000_000, '[]')), 403)
    assert.equal(await send(signed(secret, 'changes', now(), '[]'), ' '.repeat(2000)), 403)
    assert.equal(await send('nonsense'), 403)
  })

  it('a site that does not answer holds up no request, and is named once in the log', async (context) => {
    const order: string[] = []
    const silent = createServer((socket) => socket.resume().once('close', () => order.push('given up'))).listen(
      0,
      '127.0.0.1',
    )
    await once(silent, 'listening')
    context.after(() => silent.close())
    const away = await start(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`)
    await away.service.records.update(book, { content: '0' })
    order.push('written')
    await until(() => order.includes('given up'))
    // A write that waited for its notice would end after the time limit of the message.
    assert.equal(order[0], 'written')
    for (let count = 1; count < 5; count += 1) await away.service.records.update(book, { content: `${count}` })
    await until(async () => codes(away).includes('companion-unreachable'), 'a line of the log')
    await away.close()
    assert.equal(codes(away).filter((code) => code === 'companion-unreachable').length, 1)
  })

  it('takes notices at another address of PHP, and says when something else answers there', async () => {
    const other = await start(site.url.replace('127.0.0.1', 'localhost'))
    await titleAtPhp()
    await other.service.records.update(book, { title: 'Sense and Sensibility' })
    await until(async () => (await titleAtPhp()) === 'Sense and Sensibility', 'the new title')
    assert.deepEqual(codes(other), [])
    await other.close()
    const wrong = await start(service.url)
    await until(async () => codes(wrong).includes('companion-unreachable'), 'a line of the log')
    await wrong.close()
    const line = wrong.log.find(({ fields }) => fields['code'] === 'companion-unreachable')
    assert.match(String(line?.fields['err']), /not as the companion plugin/)
  })

  it('check says that it is there, and without it what will be stale', async () => {
    const check = async () => (await runHere(['wordpress', 'check', '--wordpress', site.configPath])).stdout
    assert.match(await check(), /companion .*mu-plugins\/as-rest-route\.php/)
    assert.doesNotMatch(await check(), /persistent object cache/)
    await site.php("rename( WPMU_PLUGIN_DIR . '/as-rest-route.php', WPMU_PLUGIN_DIR . '/away' );")
    try {
      assert.match(await check(), /warning: WordPress has a persistent object cache .*companion plugin cures it/)
    } finally {
      await site.php("rename( WPMU_PLUGIN_DIR . '/away', WPMU_PLUGIN_DIR . '/as-rest-route.php' );")
    }
  })

  it('has fewer than 150 lines', () => assert.ok(readFileSync(plugin, 'utf8').trimEnd().split('\n').length < 150))
})
