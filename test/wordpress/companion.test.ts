import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { runHere } from '../cli/command-line.js'
import { until } from '../support/until.js'
import { siteUsers, skipWithoutWordPress } from '../support/wordpress/wordpress-site.js'
import { codesOf, companionPlugin, openCompanionSite, type CompanionSite } from './companion-site.js'

const newerTokens = /^T_(?:FN|COALESCE_EQUAL|NULLSAFE_OBJECT_OPERATOR|MATCH|ATTRIBUTE|ENUM|READONLY)$/
const newerFunctions =
  /^(?:is_countable|hrtime|array_key_(?:first|last)|mb_str_split|str_(?:contains|starts_with|ends_with)|get_debug_type|array_is_list|fdiv|json_validate)$/

/** The parts of code that PHP knows from 7.3 on: tokens, functions, commas behind the last argument, named arguments and the like. */
function newerThan72(code: string): string[] {
  const list =
    'echo json_encode( array_map( function ( $token ) { return array( $token->getTokenName(), $token->text ); }, array_values( array_filter( PhpToken::tokenize( stream_get_contents( STDIN ) ), function ( $token ) { return ! $token->isIgnorable(); } ) ) ) );'
  const tokens = JSON.parse(execFileSync('php', ['-r', list], { input: code, encoding: 'utf8' })) as [string, string][]
  const textAt = (index: number): string => tokens[index]?.[1] ?? ''
  const found: string[] = []
  const openings: number[] = []
  for (const [index, [name, text]] of tokens.entries()) {
    if (text === '(' || text === '[') openings.push(index)
    const opening = openings.at(-1) ?? 0
    const isOfCall = textAt(opening) === '(' && !['array', 'list'].includes(textAt(opening - 1).toLowerCase())
    const isNewer =
      newerTokens.test(name) ||
      (name === 'T_LNUMBER' && text.includes('_')) ||
      (name === 'T_STRING' && newerFunctions.test(text.toLowerCase()) && textAt(index + 1) === '(') ||
      (name === 'T_STRING' && textAt(index + 1) === ':' && ['(', ','].includes(textAt(index - 1)) && isOfCall) ||
      (text === '...' && (textAt(opening) === '[' || textAt(index + 1) === ')')) ||
      (text === ',' && textAt(index + 1) === ')' && isOfCall)
    if (isNewer) found.push(`${textAt(index - 1)} ${text} ${textAt(index + 1)}`)
    if (text === ')' || text === ']') openings.pop()
  }
  return found
}

describe('the companion plugin', { skip: skipWithoutWordPress() }, () => {
  let opened: CompanionSite | undefined
  let site: CompanionSite['site']
  let service: CompanionSite['service']
  let book: CompanionSite['book']
  let start: CompanionSite['start']
  let atPhp: CompanionSite['atPhp']
  let titleAtPhp: CompanionSite['titleAtPhp']
  before(async () => {
    opened = await openCompanionSite()
    ;({ site, service, book, start, atPhp, titleAtPhp } = opened)
  })
  after(() => opened?.close())

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
      assert.deepEqual(codesOf(service), [])
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

  it('runs none of them where the constant is not true', async () => {
    const file = join(site.folder, 'wp-content/hooks.txt')
    const settings = join(site.folder, 'wp-content/mu-plugins/address.php')
    const text = readFileSync(settings, 'utf8')
    assert.ok(text.includes("'AS_REST_ROUTE_HOOKS', true"))
    for (const value of ["define( 'AS_REST_ROUTE_HOOKS', false );", '']) {
      writeFileSync(settings, text.replace("define( 'AS_REST_ROUTE_HOOKS', true );", value))
      writeFileSync(file, '')
      await titleAtPhp()
      await service.service.records.update(book, { title: 'Without hooks' })
      await until(async () => (await titleAtPhp()) === 'Without hooks', 'the new title')
      await service.service.records.update(book, { title: 'Emma' })
      await until(async () => (await titleAtPhp()) === 'Emma', 'the old title')
      await setTimeout(200)
      assert.equal(readFileSync(file, 'utf8'), '')
    }
    writeFileSync(settings, text)
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

  it('check says that it is there, and without it what will be stale', async () => {
    const check = async () => (await runHere(['wordpress', 'check', '--wordpress', site.configPath])).stdout
    assert.match(await check(), /companion .*mu-plugins\/as-rest-route\.php/)
    assert.doesNotMatch(await check(), /persistent object cache/)
    await site.php("rename( WPMU_PLUGIN_DIR . '/as-rest-route.php', WPMU_PLUGIN_DIR . '/away' );")
    try {
      assert.match(
        await check(),
        /warning: WordPress has a persistent object cache .*can undo a new password, the end of a session, or the tasks .* in `cron`.*companion plugin, which tells the cache/,
      )
    } finally {
      await site.php("rename( WPMU_PLUGIN_DIR . '/away', WPMU_PLUGIN_DIR . '/as-rest-route.php' );")
    }
  })

  it('has nothing that PHP 7.2 lacks', () => {
    assert.deepEqual(newerThan72(readFileSync(companionPlugin, 'utf8')), [])
    const newer = ['fn($a) => 1', 'f($a,)', '$a ??= 1', '$a?->b', 'match($a) {}', '#[A] f()', '1_000', '[...$a]']
    for (const code of [...newer, 'array_key_last($a)', 'str_contains($a, $b)', 'f(a: 1)', 'f(...)'])
      assert.equal(newerThan72(`<?php ${code};`).length, 1, code)
    assert.deepEqual(newerThan72('<?php f( array( 1, ), ...$a ); $a ? f() : g(); list( $b, ) = $c;'), [])
  })

  it('has fewer than 150 lines', () =>
    assert.ok(readFileSync(companionPlugin, 'utf8').trimEnd().split('\n').length < 150))
})
