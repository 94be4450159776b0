import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runHere } from '../cli/command-line.js'
import { foreignSql } from '../support/servers/open-fresh-mariadb.js'
import { skipWithoutWordPress, startWordPressSite, type WordPressSite } from '../support/wordpress/wordpress-site.js'

const plugin = fileURLToPath(new URL('../../wordpress/as-rest-route.php', import.meta.url))

describe('commands on a WordPress site without keys', { skip: skipWithoutWordPress() }, () => {
  let site: WordPressSite
  before(async () => {
    site = await startWordPressSite({ plugins: { 'as-rest-route.php': readFileSync(plugin, 'utf8') } })
    const config = readFileSync(site.configPath, 'utf8')
    const withoutKeys = config.replaceAll(/^.*\b(?:AUTH|SECURE_AUTH|LOGGED_IN|NONCE)_(?:KEY|SALT)\b.*$/gm, '')
    assert.notEqual(withoutKeys, config)
    writeFileSync(site.configPath, withoutKeys)
    await foreignSql(
      site.database,
      "DELETE FROM wp_options WHERE option_name REGEXP '(auth|logged_in|nonce)_(key|salt)$'",
    )
    process.env['WORDPRESS_CONFIG'] = site.configPath
  })
  after(async () => {
    delete process.env['WORDPRESS_CONFIG']
    await site?.stop()
  })

  const notTold = /^WordPress was not told of the change \(AUTH_KEY, .* are neither in wp-config\.php nor .*\n$/

  it('list users and application passwords', async () => {
    for (const words of [
      ['user', 'list'],
      ['user', 'application-password', 'list', 'author'],
    ]) {
      const { code, stderr } = await runHere(words)
      assert.deepEqual([code, stderr], [0, ''], words.join(' '))
    }
  })

  it('write users and application passwords, and say that WordPress was not told', async () => {
    for (const words of [
      ['user', 'create', 'kate', 'kate@example.org'],
      ['user', 'update', 'kate', '--display_name', 'Kate'],
      ['user', 'application-password', 'create', 'kate', 'phone'],
      ['user', 'application-password', 'delete', 'kate', '--all'],
      ['user', 'delete', 'kate'],
    ]) {
      const { code, stderr } = await runHere(words)
      assert.equal(code, 0, stderr)
      assert.match(stderr, notTold)
    }
    assert.equal((await runHere(['user', 'list'])).stdout.includes('kate'), false)
  })

  it('refuse an application password with limits, and name the missing keys', async () => {
    const words = ['user', 'application-password', 'create', 'author', 'phone', '--expires', '2099-01-01']
    const { code, stderr } = await runHere(words)
    assert.equal(code, 1)
    assert.match(stderr, /AUTH_KEY.*neither in wp-config\.php nor/)
  })
})
