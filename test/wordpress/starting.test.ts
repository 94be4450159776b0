import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { AsRestRoute, RestResponse } from 'as-rest-route'
import { boot } from '../../src/app/boot.js'
import type { BootOptions } from '../../src/app/options.js'
import { runHere } from '../cli/command-line.js'
import { startService } from '../support/start-service.js'
import { foreignSql } from '../support/servers/open-fresh-mariadb.js'
import {
  changesBetween,
  siteUsers,
  skipWithoutWordPress,
  startWordPressSite,
  type WordPressSite,
} from '../support/wordpress/wordpress-site.js'

class Ping {
  @AsRestRoute({ namespace: 'shop/v1', route: '/ping', permission: 'public' })
  ping() {
    return new RestResponse('pong')
  }
}

describe('a start on the database of a WordPress site', { skip: skipWithoutWordPress() }, () => {
  let site: WordPressSite
  before(async () => {
    site = await startWordPressSite()
  })
  after(() => site?.stop())

  const refused = async (options: BootOptions, message: RegExp) =>
    assert.rejects(boot([Ping], options), (error: Error) => {
      assert.match(error.message, message)
      assert.ok(!error.message.includes(new URL(site.database).password), 'the message has no password')
      return true
    })
  const here = (): BootOptions => ({ wordpress: { config: site.configPath } })
  const withConfig = (name: string, text: string): BootOptions => {
    const folder = join(site.folder, 'wp-content', name)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'wp-config.php'), text)
    return { wordpress: { config: join(folder, 'wp-config.php') } }
  }
  const environment = async (variables: Readonly<Record<string, string>>, work: () => Promise<void>) => {
    Object.assign(process.env, variables)
    try {
      await work()
    } finally {
      for (const name of Object.keys(variables)) delete process.env[name]
    }
  }

  it('refuses a network', () =>
    environment({ WORDPRESS_MULTISITE: 'true' }, () =>
      refused(here(), /network \(MULTISITE\).*\[wordpress-multisite\]/s),
    ))

  it('refuses options whose values are those of the site', async () => {
    await refused(
      { ...here(), base_url: 'https://shop.example' },
      /'base_url' is that of the WordPress site.*\[wordpress-conflict\]/s,
    )
    await refused({ ...here(), table_prefix: 'x_' }, /'table_prefix' is that of the WordPress site/)
    await refused({ ...here(), database: 'sqlite::memory:' }, /a database is named beside it/)
  })

  it('refuses a wp-config.php that is missing or not understood, with the line and the variable to set', async () => {
    await refused({ wordpress: { config: '/nowhere/wp-config.php' } }, /nowhere.*\[wordpress-config-invalid\]/s)
    await refused(
      withConfig('odd', "<?php\n$table_prefix = 'wp_';\ndefine( 'DB_NAME', my_function() );"),
      /wp-config\.php:3: .*WORDPRESS_DB_NAME/s,
    )
    await refused({ wordpress: { config: '' } }, /a map with the path of the site's wp-config\.php/)
  })

  it('refuses a charset in which texts would be read as others', () =>
    environment({ WORDPRESS_DB_CHARSET: 'latin1' }, () => refused(here(), /DB_CHARSET is 'latin1'/)))

  it('refuses a database that cannot be reached, and one without these tables', async () => {
    await environment({ WORDPRESS_DB_HOST: '127.0.0.1:1' }, () =>
      refused({ ...here(), database_wait: 0 }, /127\.0\.0\.1:1.*Is the server running there\?/s),
    )
    await environment({ WORDPRESS_TABLE_PREFIX: 'other_' }, () =>
      refused(here(), /no tables other_posts.*Correct \$table_prefix/),
    )
  })

  it('refuses tables that are not in Unicode, and an old WordPress', async () => {
    const changed = async (statement: string, undo: string, message: RegExp) => {
      await foreignSql(site.database, statement)
      try {
        await refused(here(), message)
      } finally {
        await foreignSql(site.database, undo)
      }
    }
    await changed(
      'ALTER TABLE wp_terms CONVERT TO CHARACTER SET latin1',
      'ALTER TABLE wp_terms CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci',
      /wp_terms \(latin1\) are not in Unicode/,
    )
    await changed(
      'ALTER TABLE wp_posts CONVERT TO CHARACTER SET latin1',
      'ALTER TABLE wp_posts CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci',
      /Its tables wp_posts \(latin1\) are not in Unicode\. Convert each of them, after a backup: ALTER TABLE wp_posts CONVERT TO CHARACTER SET utf8mb4/,
    )
    await changed(
      'ALTER TABLE wp_users MODIFY display_name varchar(250) CHARACTER SET latin1 NOT NULL',
      'ALTER TABLE wp_users CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci',
      /wp_users \(latin1\) are not in Unicode/,
    )
    const version = (number: number) =>
      `UPDATE wp_options SET option_value = '${number}' WHERE option_name = 'db_version'`
    await changed(version(48_748), version(site.dbVersion), /before 5\.6/)
  })

  it('refuses a database without the option siteurl, as `wordpress check` does, also when a constant defines it', async () => {
    await foreignSql(
      site.database,
      "UPDATE wp_options SET option_name = 'siteurl_before' WHERE option_name = 'siteurl'",
    )
    try {
      await environment({ WORDPRESS_WP_SITEURL: 'http://shop.example' }, async () => {
        await refused(here(), /wp_options lacks siteurl/)
        const { stdout, code } = await runHere(['wordpress', 'check', '--wordpress', site.configPath])
        assert.match(stdout, /The table wp_options lacks siteurl/)
        assert.equal(code, 1)
      })
    } finally {
      await foreignSql(
        site.database,
        "UPDATE wp_options SET option_name = 'siteurl' WHERE option_name = 'siteurl_before'",
      )
    }
  })

  it('serves tables whose columns are in Unicode, whatever charset new columns would have', async () => {
    await foreignSql(site.database, 'ALTER TABLE wp_posts DEFAULT CHARACTER SET latin1')
    try {
      const service = await startService([Ping], here())
      assert.equal((await fetch(`${service.rest}shop/v1/ping`)).status, 200)
      await service.close()
    } finally {
      await foreignSql(site.database, 'ALTER TABLE wp_posts DEFAULT CHARACTER SET utf8mb4')
    }
  })

  it('refuses keys that are nowhere, which only WordPress may make, and takes those of the options', async () => {
    const dump = await site.dump()
    await environment({ WORDPRESS_NONCE_SALT: '' }, async () => {
      await refused(here(), /NONCE_SALT are neither in wp-config\.php nor in the options/)
      assert.deepEqual(changesBetween(dump, await site.dump()), [])
      const salt = String(await site.php('return NONCE_SALT;')).replaceAll(/[\\']/g, '\\$&')
      await foreignSql(
        site.database,
        `INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('nonce_salt', '${salt}', 'no')`,
      )
      const service = await startService([Ping], here())
      try {
        const cookie = await site.logIn(siteUsers.editor)
        const headers = { cookie, 'x-wp-nonce': await site.restNonce(cookie) }
        assert.equal((await fetch(`${service.rest}shop/v1/ping`, { headers })).status, 200)
      } finally {
        await service.close()
        await foreignSql(site.database, "DELETE FROM wp_options WHERE option_name = 'nonce_salt'")
      }
    })
  })

  it('needs no right but that to read for requests that read', async () => {
    const name = new URL(site.database).pathname.slice(1)
    const user = `reads_${name.slice(-8)}`
    await foreignSql(
      site.database,
      `CREATE USER ${user}@'127.0.0.1' IDENTIFIED BY 'reader'`,
      `GRANT SELECT ON \`${name}\`.* TO ${user}@'127.0.0.1'`,
    )
    try {
      await environment({ WORDPRESS_DB_USER: user, WORDPRESS_DB_PASSWORD: 'reader' }, async () => {
        const service = await startService([Ping], here())
        try {
          const cookie = await site.logIn(siteUsers.author)
          const headers = { cookie, 'x-wp-nonce': await site.restNonce(cookie) }
          assert.equal(await (await fetch(`${service.rest}shop/v1/ping`, { headers })).json(), 'pong')
          assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
        } finally {
          await service.close()
        }
      })
    } finally {
      await foreignSql(site.database, `DROP USER ${user}@'127.0.0.1'`)
    }
  })

  it('is named by WORDPRESS_CONFIG as well, and a database of code wins over it', () =>
    environment({ WORDPRESS_CONFIG: site.configPath }, async () => {
      const service = await boot([Ping], {})
      assert.equal(await service.users.count(), 5)
      await service.close()
      const own = await boot([Ping], { database: 'sqlite::memory:', secrets: {} })
      assert.equal(await own.users.count(), 0)
      await own.close()
    }))
})
