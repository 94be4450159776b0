import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AsRestRoute, currentUser, inject, RestResponse, SiteOptions, type AnyRequest } from 'as-rest-route'
import { foreignSql } from '../support/servers/open-fresh-mariadb.js'
import { startServer, type TestServer } from '../support/servers/start-server.js'
import { startService, type StartedService } from '../support/start-service.js'
import {
  siteUsers,
  skipWithoutWordPress,
  startWordPressSite,
  type WordPressSite,
} from '../support/wordpress/wordpress-site.js'

class Odd {
  constructor(private readonly options = inject(SiteOptions)) {}

  @AsRestRoute({ namespace: 'odd/v1', route: '/me', permission: 'public' })
  me() {
    const { login, capabilities } = currentUser()
    return new RestResponse({ login, sells: capabilities.has('plugin_7_sell'), edits: capabilities.has('edit_posts') })
  }

  @AsRestRoute({ namespace: 'odd/v1', route: '/option', permission: 'public' })
  async option(request: AnyRequest) {
    return new RestResponse(await this.options.get(String(request.get_param('name'))))
  }
}

/** What a MySQL 8 has by default, and what a host of old sites has. */
const modes = {
  strict: 'ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO',
  lax: '',
} as const

for (const [name, mode] of Object.entries(modes))
  describe(`an odd WordPress site on a server with a ${name} sql_mode`, { skip: skipWithoutWordPress() }, () => {
    let server: TestServer | null = null
    let site: WordPressSite
    let service: StartedService
    before(async () => {
      server = await startServer('mariadb', [`sql-mode=${mode}`])
      site = await startWordPressSite({ server: server?.url ?? '' })
      service = await startService([Odd], {
        wordpress: { config: site.configPath },
      })
    })
    after(async () => {
      await service?.close()
      await site?.stop()
      await server?.drop()
    })

    const get = async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${service.rest}odd/v1/${path}`, { headers })
      assert.equal(response.status, 200)
      return (await response.json()) as unknown
    }

    it('has the mode', async () => {
      const [[stored = ''] = []] = await foreignSql(site.database, 'SELECT @@GLOBAL.sql_mode')
      assert.equal(stored, mode)
    })

    it('a draft has the date 0000-00-00 in UTC, here and at PHP, until it is published', async () => {
      const { records } = service.service
      const gmt = (id: number) => site.php('return get_post( $argument )->post_date_gmt;', id)
      const { id } = await records.insert({ type: 'post', title: 'Draft' })
      assert.equal(await gmt(id), '0000-00-00 00:00:00')
      const byPhp = Number(await site.php("return wp_insert_post( array( 'post_title' => 'Draft of PHP' ) );"))
      for (const draft of [id, byPhp]) {
        const changed = await records.update(draft, { content: 'More' })
        assert.equal(changed?.status, 'draft')
        assert.equal(await gmt(draft), '0000-00-00 00:00:00')
        await records.update(draft, { status: 'publish' })
        assert.match(String(await gmt(draft)), /^2\d{3}-/)
      }
    })

    it('a text that is too long for its column is refused and not cut', async () => {
      const { records } = service.service
      const insert = records.insert({ type: 'post', title: 'x', password: 'p'.repeat(300) })
      await assert.rejects(insert, { name: 'RecordRejectedError' })
    })

    it('200,000 users with the capabilities of twenty plugins, and 2 MB of autoloaded options', async () => {
      const grants = Array.from({ length: 20 }, (_, plugin) => `plugin_${plugin}_sell`)
      const stored = String(
        await site.php("return serialize( array( 'author' => true ) + array_fill_keys( $argument, true ) );", grants),
      )
      await foreignSql(
        site.database,
        `INSERT INTO wp_users (user_login, user_nicename, user_email, display_name, user_registered)
        SELECT CONCAT('u', seq), CONCAT('u', seq), CONCAT('u', seq, '@x.example'), 'U', NOW() FROM seq_1_to_200000`,
        `INSERT INTO wp_usermeta (user_id, meta_key, meta_value)
        SELECT ID, 'wp_capabilities', '${stored}' FROM wp_users WHERE user_login LIKE 'u%'`,
        `INSERT INTO wp_options (option_name, option_value, autoload)
        SELECT CONCAT('plugin_', seq), REPEAT('x', 10000), 'yes' FROM seq_1_to_200`,
        `UPDATE wp_usermeta SET meta_value = '${stored}' WHERE meta_key = 'wp_capabilities' AND user_id = 3`,
      )
      const authorization = await site.applicationPassword(siteUsers.author)
      assert.deepEqual(await get('me', { authorization }), { login: 'author', sells: true, edits: true })
      const { users } = service.service
      assert.equal(await users.count({ role: 'author' }), 200_001)
      assert.equal((await users.find('u199999'))?.login, 'u199999')
      assert.equal((await users.create({ login: 'new', email: 'new@x.example', password: 'a password' })).login, 'new')
      assert.equal((await get('option?name=plugin_7')) as string, 'x'.repeat(10_000))
    })

    it('an option that is no whole serialised value is read as its text, of which PHP makes false, and kept', async () => {
      const broken = 'a:2:{s:1:"a";s:9:"short";}'
      await foreignSql(
        site.database,
        `REPLACE INTO wp_options (option_name, option_value) VALUES ('broken', '${broken}'), ('nav_menu_options', '${broken}'), ('sticky_posts', '${broken}')`,
      )
      assert.equal(await get('option?name=broken'), broken)
      assert.equal(await site.php("return @get_option( 'broken' );"), false)
      const { records } = service.service
      const { id } = await records.insert({ type: 'post', status: 'publish', title: 'Beside it' })
      assert.equal(await records.delete(id), true)
      const rows = await foreignSql(
        site.database,
        'SELECT option_value FROM wp_options WHERE option_value LIKE \'a:2:{s:1:"a";s:9%\'',
      )
      assert.equal(rows.length, 3)
    })
  })
