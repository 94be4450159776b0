import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SiteOptions } from '../../src/content/site-options.js'
import { foreignSql } from '../support/servers/open-fresh-mariadb.js'
import { pairedSites } from '../support/wordpress/paired-sites.js'
import { skipWithoutWordPress } from '../support/wordpress/wordpress-site.js'

describe('the column autoload of new options in the database of WordPress', { skip: skipWithoutWordPress() }, () => {
  const sites = pairedSites()
  const newer = "autoload IN ('on', 'off', 'auto', 'auto-on', 'auto-off')"

  /** The word of an option that is new, on the tables of this version with or without words that 6.6 has added. */
  const wordOf = async (dbVersion: number, hasNewerWords: boolean) => {
    const { database } = sites.other
    await foreignSql(
      database,
      `UPDATE wp_options SET option_value = '${dbVersion}' WHERE option_name = 'db_version'`,
      `UPDATE wp_options SET autoload = IF(autoload IN ('no', 'off', 'auto-off'), 'no', 'yes') WHERE ${newer}`,
      ...(hasNewerWords ? ["UPDATE wp_options SET autoload = 'on' WHERE option_name = 'blogname'"] : []),
    )
    const options = new SiteOptions(sites.storage)
    await options.set('of_the_test', 'x')
    const [row] = await foreignSql(database, "SELECT autoload FROM wp_options WHERE option_name = 'of_the_test'")
    await options.delete('of_the_test')
    return row?.[0]
  }

  it('has the words of the installed version', async () => {
    const options = new SiteOptions(sites.storage)
    await sites.same("add_option( 'of_the_test', 'x' );", () => options.set('of_the_test', 'x'))
    await options.delete('of_the_test')
    const old = [await wordOf(49_752, false), await wordOf(56_657, true)]
    assert.deepEqual(old, ['yes', 'yes'])
    // 6.5 and 6.6 have one version of the tables.
    assert.deepEqual([await wordOf(57_155, false), await wordOf(57_155, true)], ['yes', 'auto'])
    assert.deepEqual([await wordOf(58_975, false), await wordOf(61_833, false)], ['auto', 'auto'])
  })
})
