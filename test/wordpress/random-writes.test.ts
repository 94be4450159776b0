import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Sessions } from '../../src/auth/sessions.js'
import { SiteOptions } from '../../src/content/site-options.js'
import { Terms } from '../../src/content/terms.js'
import { Random } from '../../suites/support/random.js'
import { pairedSites } from '../support/wordpress/paired-sites.js'
import { siteUsers, skipWithoutWordPress } from '../support/wordpress/wordpress-site.js'

/** One operation in PHP: `$argument` has its name, and what it is done with. */
const operations = `require_once ABSPATH . 'wp-admin/includes/user.php';
  $values = $argument['values'];
  $id = $argument['id'] ?? 0;
  $result = ( function () use ( $argument, $values, $id ) {
    $passwords = WP_Application_Passwords::get_user_application_passwords( $id );
    $uuid = $passwords ? $passwords[ ( $values['index'] ?? 0 ) % count( $passwords ) ]['uuid'] : '';
    switch ( $argument['name'] ) {
      case 'create user': return wp_insert_user( wp_slash( $values ) );
      case 'change user': return wp_update_user( wp_slash( array( 'ID' => $id ) + $values ) );
      case 'set password': return wp_set_password( $values['password'], $id );
      case 'set role': return get_userdata( $id )->set_role( $values['role'] );
      case 'delete user': return wp_delete_user( $id, $values['reassign'] ?? null );
      case 'create application password': return WP_Application_Passwords::create_new_application_password( $id, $values )[0];
      case 'rename application password': return WP_Application_Passwords::update_application_password( $id, $uuid, array( 'name' => $values['name'] ) );
      case 'revoke application password': return WP_Application_Passwords::delete_application_password( $id, $uuid );
      case 'revoke all application passwords': return WP_Application_Passwords::delete_all_application_passwords( $id );
      case 'log out everywhere': return WP_Session_Tokens::get_instance( $id )->destroy_all();
      case 'set option': return update_option( $values['name'], $values['value'] );
      case 'delete option': return delete_option( $values['name'] );
      case 'create term': return wp_insert_term( $values['name'], 'category' );
      case 'insert record': return wp_insert_post( wp_slash( $values ), true );
      case 'update record': return wp_update_post( wp_slash( array( 'ID' => $id ) + $values ), true );
      case 'relate terms': wp_update_post( array( 'ID' => $id ) ); return wp_set_object_terms( $id, $values['terms'], 'category' );
      case 'trash record': return wp_trash_post( $id ) && false;
      case 'restore record': return wp_untrash_post( $id ) && false;
      case 'delete record': return wp_delete_post( $id, true ) && false;
    }
  } )();
  if ( is_wp_error( $result ) ) throw new Exception( $result->get_error_code() );
  return $result;`

const roles = ['subscriber', 'contributor', 'author', 'editor']
const names = ['Ann', 'Bob Smith', 'a & b', '  two  words ', 'Zoë', "O'Neil", '']
const titles = ['Hello', 'Hello', 'Hello Wörld', '2024', 'feed', 'a/b', '<b>Bold</b> & more', '日本']
const contents = ['x', 'y\n\nz', '<p>a</p>', 'back\\slash "q"', '']
const dates = ['2020-02-29 12:00:00', '2035-01-02 03:04:05']
const optionNames = ['shop_notice', 'shop_sizes', 'shop_Sizes2']
const optionValues = [
  'plain',
  'a & <b>b</b> "c"',
  '',
  '0',
  'a:1:{i:0;i:1;}',
  'back\\slash',
  7,
  2.5,
  true,
  [],
  ['s', { x: 1.5, y: null }],
  { b: 1, a: [true, ''] },
]

interface StoredRecord {
  readonly id: number
  readonly type: string
  author: number
  status: string
}

describe('random sequences of writes', { skip: skipWithoutWordPress() }, () => {
  const sites = pairedSites()

  for (const seed of [1, 2, 3])
    it(`are those of PHP row by row, with the seed ${seed}`, async () => {
      const random = new Random(seed)
      const { users, records, applicationPasswords } = sites.service.service
      const sessions = new Sessions(sites.storage, Date.now)
      const options = new SiteOptions(sites.storage)
      const people: number[] = [2, 3]
      const stored: StoredRecord[] = []
      const terms: string[] = []
      const inPhp = (name: string, values: object = {}, id = 0) => sites.php.php(operations, { name, values, id })
      const uuidAt = async (id: number, index: number) => {
        const list = await applicationPasswords.list(id)
        return list.length === 0 ? null : (list[index % list.length]?.uuid ?? null)
      }

      const createUser = async () => {
        const login = `user${seed}${random.text(6)}`
        const [email, role, password] = [`${login}@site.example`, random.pick(roles), 'a password']
        const displayName = random.pick(names) || login
        const values = { user_login: login, user_email: email, user_pass: password, role, display_name: displayName }
        const theirs = await inPhp('create user', values)
        const { id } = await users.create({ login, email, password, role, displayName })
        assert.equal(id, theirs)
        people.push(id)
      }
      const changeUser = async () => {
        const [id, firstName, lastName, description] = [
          random.pick(people),
          random.pick(names),
          random.pick(names),
          random.pick(contents),
        ]
        await inPhp('change user', { first_name: firstName, last_name: lastName, description }, id)
        await users.update(id, { firstName, lastName, description })
      }
      const setPassword = async () => {
        const [id, password] = [random.pick(people), random.text(12)]
        await inPhp('set password', { password }, id)
        await users.update(id, { password })
      }
      const setRole = async () => {
        const [id, role] = [random.pick(people), random.pick(roles)]
        await inPhp('set role', { role }, id)
        await users.update(id, { role })
      }
      const deleteUser = async () => {
        const id = people.length > 3 ? people.splice(random.integer(2, people.length - 1), 1)[0] : undefined
        if (id === undefined) return createUser()
        const owned = stored.filter(({ author }) => author === id)
        // WordPress leaves the task of a scheduled record of such a type.
        const leavesTask = owned.some(({ type, status }) => type === 'note' && status === 'future')
        const reassign = leavesTask || random.chance(0.5) ? random.pick(people) : undefined
        await inPhp('delete user', { reassign }, id)
        await users.delete(id, { ...(reassign !== undefined && { reassign }) })
        for (const record of owned) {
          const now = await records.get(record.id)
          if (now === null) stored.splice(stored.indexOf(record), 1)
          else Object.assign(record, { status: now.status, author: now.author })
        }
      }
      const setOption = async () => {
        const [name, value] = [random.pick(optionNames), random.pick(optionValues)]
        await inPhp('set option', { name, value })
        await options.set(name, value)
      }
      const deleteOption = async () => {
        const name = random.pick(optionNames)
        await inPhp('delete option', { name })
        await options.delete(name)
      }

      const createPassword = async () => {
        const [id, name] = [random.pick(people), `app ${random.text(5)}`]
        const theirs = await inPhp('create application password', { name }, id)
        const { password } = await applicationPasswords.create(id, { name })
        if (random.chance(0.5)) return
        const login = await sites.php.php('return get_userdata( $argument )->user_login;', id)
        const used = [
          [`${sites.php.url}/wp-json/`, theirs],
          [sites.service.rest, password],
        ] as const
        for (const [root, secret] of used) {
          const authorization = `Basic ${Buffer.from(`${String(login)}:${String(secret)}`).toString('base64')}`
          assert.equal((await fetch(`${root}wp/v2/users/me`, { headers: { authorization } })).status, 200)
        }
      }
      const changePassword = async () => {
        const [id, index, name] = [random.pick(people), random.integer(0, 3), `renamed ${random.text(5)}`]
        const uuid = await uuidAt(id, index)
        if (uuid === null) return createPassword()
        const isRenamed = random.chance(0.5)
        await inPhp(isRenamed ? 'rename application password' : 'revoke application password', { index, name }, id)
        await (isRenamed ? applicationPasswords.rename(id, uuid, name) : applicationPasswords.revoke(id, uuid))
      }
      const revokeAll = async () => {
        const id = random.pick(people)
        if ((await uuidAt(id, 0)) === null) return createPassword()
        await inPhp('revoke all application passwords', {}, id)
        await applicationPasswords.revokeAll(id)
      }
      const logIn = async () => {
        const { login, password } = siteUsers.contributor
        for (const url of [sites.php.url, sites.service.url]) {
          const response = await fetch(`${url}/wp-login.php`, {
            method: 'POST',
            redirect: 'manual',
            headers: { cookie: 'wordpress_test_cookie=WP%20Cookie%20check' },
            body: new URLSearchParams({ log: login, pwd: password, testcookie: '1' }),
          })
          assert.equal(response.status, 302)
        }
      }
      const logOut = async () => {
        await inPhp('log out everywhere', {}, 4)
        await sessions.endAll(4)
      }

      const insertRecord = async () => {
        const type = random.pick(['product', 'product', 'post', 'page', 'book', 'note'])
        const [title, content] = [random.pick(titles), random.pick(contents)]
        const [status, author] = [
          random.pick(['publish', 'publish', 'draft', 'private', 'pending']),
          random.pick(people),
        ]
        const slug = random.chance(0.3) ? random.pick(['same', 'hello', 'other']) : undefined
        const date = random.chance(0.3) ? random.pick(dates) : undefined
        const meta = random.chance(0.5) ? { price: random.integer(1, 99), total_sales: random.integer(0, 9) } : {}
        const values = {
          post_type: type,
          post_title: title,
          post_content: content,
          post_status: status,
          post_author: author,
          ...(slug && { post_name: slug }),
          ...(date && { post_date: date }),
          meta_input: meta,
        }
        const theirs = await inPhp('insert record', values)
        const { id } = await records.insert({
          type,
          title,
          content,
          status,
          author,
          meta,
          ...(slug && { slug }),
          ...(date && { date }),
        })
        assert.equal(id, theirs)
        const record = await records.get(id)
        stored.push({ id, type, author, status: record?.status ?? status })
      }
      const updateRecord = async () => {
        const record = stored.filter(({ status }) => status !== 'trash').at(random.integer(-3, -1))
        if (record === undefined) return insertRecord()
        const { id } = record
        const title = random.chance(0.5) ? random.pick(titles) : undefined
        const content = random.chance(0.5) ? random.pick(contents) : undefined
        const slug = random.chance(0.3) ? random.pick(['same', 'hello', 'third']) : undefined
        const status = random.chance(0.4) ? random.pick(['publish', 'draft', 'private', 'pending']) : undefined
        const date = random.chance(0.3) ? random.pick(dates) : undefined
        const meta = { price: random.integer(1, 99) }
        const values = {
          ...(title !== undefined && { post_title: title }),
          ...(content !== undefined && { post_content: content }),
          ...(slug !== undefined && { post_name: slug }),
          ...(status !== undefined && { post_status: status }),
          ...(date !== undefined && { post_date: date, post_date_gmt: date, edit_date: true }),
          meta_input: meta,
        }
        await inPhp('update record', values, id)
        await records.update(id, {
          ...(title !== undefined && { title }),
          ...(content !== undefined && { content }),
          ...(slug !== undefined && { slug }),
          ...(status !== undefined && { status }),
          ...(date !== undefined && { date, date_gmt: date }),
          meta,
        })
        record.status = (await records.get(id))?.status ?? ''
      }
      const relateTerms = async () => {
        const record = stored
          .filter(({ type, status }) => type !== 'book' && type !== 'note' && status !== 'trash')
          .at(-1)
        if (terms.length === 0 || (record?.type !== 'product' && record?.type !== 'post')) {
          const name = `Term ${random.text(5)}`
          await inPhp('create term', { name })
          terms.push((await new Terms(sites.storage, null, undefined, true).create({ name })).slug)
          return
        }
        const chosen = terms.filter(() => random.chance(0.5))
        // A post without a category gets the one by default.
        const slugs = chosen.length === 0 && record.type === 'post' ? terms.slice(-1) : chosen
        await inPhp('relate terms', { terms: slugs }, record.id)
        await records.update(record.id, { terms: { category: slugs } })
      }
      const moveToTrash = async () => {
        const record = stored.findLast(({ status }) => status !== 'trash')
        if (record === undefined) return insertRecord()
        await inPhp('trash record', {}, record.id)
        await records.update(record.id, { status: 'trash' })
        record.status = 'trash'
      }
      const restore = async () => {
        const record = stored.find(({ status }) => status === 'trash')
        if (record === undefined) return moveToTrash()
        await inPhp('restore record', {}, record.id)
        await records.update(record.id, { status: 'draft' })
        record.status = 'draft'
      }
      const deleteRecord = async () => {
        const [record] = stored.length === 0 ? [] : stored.splice(random.integer(0, stored.length - 1), 1)
        if (record === undefined) return insertRecord()
        await inPhp('delete record', {}, record.id)
        await records.delete(record.id)
      }

      const done: string[] = []
      for (let count = 0; count < 40; count += 1) {
        const operation = random.choose<() => Promise<void>>([
          [2, () => createUser],
          [2, () => changeUser],
          [1, () => setPassword],
          [1, () => setRole],
          [2, () => deleteUser],
          [2, () => setOption],
          [1, () => deleteOption],
          [2, () => createPassword],
          [2, () => changePassword],
          [1, () => revokeAll],
          [2, () => logIn],
          [1, () => logOut],
          [6, () => insertRecord],
          [6, () => updateRecord],
          [2, () => relateTerms],
          [2, () => moveToTrash],
          [2, () => restore],
          [2, () => deleteRecord],
        ])
        done.push(operation.name)
        await operation().catch((cause: unknown) => assert.fail(`${done.join(', ')}: ${String(cause)}`))
        await sites.compare().catch((cause: unknown) => {
          throw new Error(`The rows differ after ${done.slice(-5).join(', ')}, operation ${count}: ${String(cause)}`)
        })
      }
    })
})
