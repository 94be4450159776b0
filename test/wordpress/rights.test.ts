import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AsRestRoute, currentUser, inject, RecordStore, RestResponse, type AnyRequest } from 'as-rest-route'
import { foreignSql } from '../support/servers/open-fresh-mariadb.js'
import { startService, type StartedService } from '../support/start-service.js'
import {
  changesBetween,
  siteUsers,
  skipWithoutWordPress,
  startWordPressSite,
  type SiteUser,
  type WordPressSite,
} from '../support/wordpress/wordpress-site.js'

class Posts {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ namespace: 'shop/v1', route: '/me', permission: 'public' })
  me() {
    return new RestResponse(currentUser().login)
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/posts', method: 'POST', permission: 'public' })
  async add(request: AnyRequest) {
    const { id } = await this.records.insert({
      type: 'post',
      status: 'publish',
      title: String(request.get_param('title')),
    })
    return new RestResponse(id, 201)
  }
}

describe('a WordPress site whose user of the database has few rights', { skip: skipWithoutWordPress() }, () => {
  let site: WordPressSite
  before(async () => {
    site = await startWordPressSite()
  })
  after(() => site?.stop())

  const withRights = async (rights: string, work: (service: StartedService) => Promise<void>) => {
    const name = new URL(site.database).pathname.slice(1)
    const user = `few_${name.slice(-8)}`
    await foreignSql(
      site.database,
      `CREATE USER ${user}@'127.0.0.1' IDENTIFIED BY 'few'`,
      `GRANT ${rights} ON \`${name}\`.* TO ${user}@'127.0.0.1'`,
    )
    Object.assign(process.env, { WORDPRESS_DB_USER: user, WORDPRESS_DB_PASSWORD: 'few' })
    try {
      const service = await startService([Posts], { wordpress: { config: site.configPath } })
      await work(service).finally(() => service.close())
    } finally {
      for (const variable of ['WORDPRESS_DB_USER', 'WORDPRESS_DB_PASSWORD']) delete process.env[variable]
      await foreignSql(site.database, `DROP USER ${user}@'127.0.0.1'`)
    }
  }
  const logIn = ({ url }: StartedService, { login, password }: SiteUser) =>
    fetch(`${url}/wp-login.php`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: 'wordpress_test_cookie=WP%20Cookie%20check' },
      body: new URLSearchParams({ log: login, pwd: password, testcookie: '1' }),
    })
  const add = ({ rest }: StartedService, authorization: string) =>
    fetch(`${rest}shop/v1/posts`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: '{"title":"A title"}',
    })

  it('needs no right but those to read and write rows', () =>
    withRights('SELECT, INSERT, UPDATE, DELETE', async (service) => {
      const authorization = await site.applicationPassword(siteUsers.author)
      const added = await add(service, authorization)
      assert.equal(added.status, 201)
      assert.equal(await site.php('return get_post( $argument )->post_title;', await added.json()), 'A title')
      assert.equal((await logIn(service, siteUsers.editor)).status, 302)
      assert.deepEqual(service.log, [])
    }))

  it('a user who may only read is logged in, and a write is refused, changes nothing and is explained in the log', () =>
    withRights('SELECT', async (service) => {
      const authorization = await site.applicationPassword(siteUsers.author)
      const dump = await site.dump()
      const me = await fetch(`${service.rest}shop/v1/me`, { headers: { authorization } })
      assert.equal(await me.json(), 'author')
      const added = await add(service, authorization)
      assert.equal(added.status, 503)
      assert.equal(((await added.json()) as { code: string }).code, 'service_unavailable')
      assert.equal((await logIn(service, siteUsers.author)).status, 503)
      assert.deepEqual(changesBetween(dump, await site.dump()), [])
      const lines = service.log.map(({ fields }) => `${String(fields['code'])}: ${(fields['err'] as Error).message}`)
      const lacked = 'The user of the database lacks a right'
      assert.deepEqual(
        lines.map((line) => line.replace(/ to user .* for table `\w+`\./, ' ')),
        [
          `last-use-not-stored: ${lacked} (UPDATE command denied \`wp_usermeta\`).`,
          `request-failed: ${lacked} (INSERT command denied \`wp_posts\`).`,
          `page-failed: ${lacked} (INSERT command denied \`wp_usermeta\`).`,
        ],
      )
    }))
})
