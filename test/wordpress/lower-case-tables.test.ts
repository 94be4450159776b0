import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AsRestRoute, inject, RecordStore, RestResponse } from 'as-rest-route'
import { runHere } from '../cli/command-line.js'
import { foreignSql } from '../support/servers/open-fresh-mariadb.js'
import { startServer, type TestServer } from '../support/servers/start-server.js'
import { startService, type StartedService } from '../support/start-service.js'
import {
  siteUsers,
  skipWithoutWordPress,
  startWordPressSite,
  type WordPressSite,
} from '../support/wordpress/wordpress-site.js'

class Posts {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ namespace: 'shop/v1', route: '/posts' })
  async list() {
    return new RestResponse((await this.records.list({ type: 'post' })).map(({ title }) => title))
  }
}

describe('a prefix with capitals on a server that stores names in lower case', { skip: skipWithoutWordPress() }, () => {
  let server: TestServer | null = null
  let site: WordPressSite
  before(async () => {
    server = await startServer('mariadb', ['lower-case-table-names=1'])
    site = await startWordPressSite({
      server: server?.url ?? '',
      prefix: 'Shop_',
      config: ["define( 'CUSTOM_USER_TABLE', 'Shop_People' );"],
    })
  })
  after(async () => {
    await site?.stop()
    await server?.drop()
  })

  const command = (...words: readonly string[]) => runHere(['wordpress', ...words, '--wordpress', site.configPath])
  const serve = async (work: (service: StartedService) => Promise<void>) => {
    const service = await startService([Posts], { wordpress: { config: site.configPath } })
    await work(service).finally(() => service.close())
  }

  it('the names are in lower case', async () => {
    const tables = await foreignSql(site.database, 'SHOW TABLES')
    assert.ok(tables.flat().includes('shop_people') && tables.flat().includes('shop_posts'))
  })

  it('is found by `wordpress check`', async () => {
    const { code, stdout } = await command('check')
    assert.equal(code, 0, stdout)
    assert.match(stdout, /No problem was found\./)
    assert.match(stdout, /record types +page \(2\), post \(1\)/)
  })

  it('is served, and tracked', async () => {
    const authorization = await site.applicationPassword(siteUsers.author)
    const titles = async ({ rest }: StartedService) =>
      (await fetch(`${rest}shop/v1/posts`, { headers: { authorization } })).json()
    await serve(async (service) => {
      assert.deepEqual(await titles(service), ['Hello world!'])
      const { id } = await service.service.records.insert({ type: 'post', status: 'publish', title: 'Here', author: 3 })
      assert.equal(await site.php('return get_post( $argument )->post_title;', id), 'Here')
      await service.service.users.update(4, { role: 'editor' })
      assert.deepEqual(await site.php('return get_userdata( 4 )->roles;'), ['editor'])
      await site.php('wp_delete_post( $argument, true );', id)
    })
    const installed = await command('install-tracking', '--yes')
    assert.equal(installed.code, 0, installed.stderr)
    assert.match((await command('check')).stdout, /freshness +tracking: /)
    await serve(async (service) => {
      for (let count = 0; count < 2; count += 1) assert.deepEqual(await titles(service), ['Hello world!'])
      await site.php("wp_update_post( array( 'ID' => 1, 'post_title' => 'Changed' ) );")
      assert.deepEqual(await titles(service), ['Changed'])
    })
    assert.equal((await command('remove-tracking', '--yes')).code, 0)
    assert.match((await command('check')).stdout, /freshness +each request reads/)
  })
})
