import { describe, it } from 'node:test'
import { foreignSql } from '../support/servers/open-fresh-mariadb.js'
import { pairedSites } from '../support/wordpress/paired-sites.js'
import { skipWithoutWordPress } from '../support/wordpress/wordpress-site.js'

describe('the option user_count changes with users as by WordPress', { skip: skipWithoutWordPress() }, () => {
  const sites = pairedSites()

  const counts = ['10000', '10001', '123456', '-1', '', 'x', '0', '1e5', ' 20000 users']
  for (const [index, stored] of counts.entries())
    it(`when it is '${stored}'`, async () => {
      for (const { database } of [sites.php, sites.other])
        await foreignSql(database, `UPDATE wp_options SET option_value = '${stored}' WHERE option_name = 'user_count'`)
      await sites.compare()
      const login = `counted${index}`
      const create = `return wp_insert_user( array( 'user_login' => $argument, 'user_email' => "$argument@site.example", 'user_pass' => 'p', 'role' => 'author' ) );`
      await sites.same(
        create,
        () =>
          sites.service.service.users.create({ login, email: `${login}@site.example`, password: 'p', role: 'author' }),
        login,
      )
    })
})
