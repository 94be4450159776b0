import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { verifierOf } from '../../src/auth/sessions.js'
import { Browser } from '../pages/shop-site.js'
import { until } from '../support/until.js'
import type { StartedService } from '../support/start-service.js'
import { siteUsers, skipWithoutWordPress } from '../support/wordpress/wordpress-site.js'
import { openCompanionSite, type CompanionSite } from './companion-site.js'

/** What the database holds, whatever the object cache has. */
const stored = `global $wpdb;
  return array(
    'password' => $wpdb->get_var( "SELECT user_pass FROM $wpdb->users WHERE ID = 3" ),
    'sessions' => (string) $wpdb->get_var( "SELECT meta_value FROM $wpdb->usermeta WHERE user_id = 2 AND meta_key = 'session_tokens'" ),
    'tasks' => $wpdb->get_var( "SELECT option_value FROM $wpdb->options WHERE option_name = 'cron'" ),
  );`

/** The same by the object cache, which this fills. */
const cached = `return array(
    'password' => get_userdata( 3 )->user_pass,
    'sessions' => serialize( get_user_meta( 2, 'session_tokens', true ) ),
    'tasks' => serialize( get_option( 'cron' ) ),
  );`

interface Rows {
  readonly password: string
  readonly sessions: string
  readonly tasks: string
}

describe('writes of PHP from its object cache', { skip: skipWithoutWordPress() }, () => {
  let opened: CompanionSite
  before(async () => {
    opened = await openCompanionSite()
  })
  after(() => opened?.close())

  /** A password, the end of a session and a task are written here, and PHP then writes other fields of the same rows. */
  const kept = async (service: StartedService, isSettled: (rows: Rows) => Promise<boolean>) => {
    const { site, atPhp } = opened
    const rows = async () => (await site.php(stored)) as Rows
    const browser = new Browser(service.url)
    for (const part of (await site.logIn(siteUsers.editor)).split('; ')) {
      const [, name = '', value = ''] = /^([^=]*)=(.*)$/.exec(part) ?? []
      browser.cookies.set(name, value)
    }
    const loggedIn = [...browser.cookies].find(([name]) => name.startsWith('wordpress_logged_in'))?.[1] ?? ''
    const verifier = verifierOf(decodeURIComponent(loggedIn).split('|')[2] ?? '')
    await site.php(cached)

    await service.service.users.update(3, { password: `a password of ${service.port}` })
    const [, link = ''] =
      /href="([^"]*action=logout[^"]*)"/.exec((await browser.get('/wp-login.php?action=logout')).text) ?? []
    const { pathname, search } = new URL(link.replaceAll(/&amp;|&#038;/g, '&'), service.url)
    await browser.get(pathname + search)
    const date = new Date(Date.now() + 86_400_000).toISOString().slice(0, 19)
    const { id } = await service.service.records.insert({ type: 'book', status: 'future', title: 'Later', date })
    const task = `publish_future_post";a:1:{s:32:"${String(await atPhp('md5( serialize( array( $argument ) ) )', id))}`
    const here = await rows()
    assert.deepEqual([here.sessions.includes(verifier), here.tasks.includes(task)], [false, true])
    await until(async () => isSettled(here), 'the notices')

    await site.php("wp_update_user( array( 'ID' => 3, 'first_name' => (string) time() ) );")
    await site.logIn(siteUsers.editor)
    await site.php("wp_schedule_single_event( time() + 500 + wp_rand( 1, 400 ), 'task_of_a_plugin' );")
    const there = await rows()
    return {
      password: there.password === here.password,
      endOfSession: !there.sessions.includes(verifier),
      task: there.tasks.includes(task),
    }
  }

  it('without the companion plugin bring back a password, a session that was ended, and a list without a task', async () => {
    const without = await opened.start(false)
    try {
      const settled = async () => {
        await setTimeout(300)
        return true
      }
      assert.deepEqual(await kept(without, settled), { password: false, endOfSession: false, task: false })
    } finally {
      await without.close()
    }
  })

  it('with it bring back nothing', async () => {
    await opened.atPhp('wp_cache_flush()')
    const settled = async ({ password, tasks }: Rows) => {
      const atPhp = (await opened.site.php(cached)) as Rows
      return atPhp.password === password && atPhp.tasks === tasks
    }
    assert.deepEqual(await kept(opened.service, settled), { password: true, endOfSession: true, task: true })
  })
})
