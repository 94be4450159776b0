import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { AsRestRoute, RestResponse } from 'as-rest-route'
import { runHere } from '../cli/command-line.js'
import { startService } from '../support/start-service.js'
import { skipWithoutWordPress, startWordPressSite, type WordPressSite } from '../support/wordpress/wordpress-site.js'

class Ping {
  @AsRestRoute({ namespace: 'shop/v1', route: '/ping', permission: 'public' })
  ping() {
    return new RestResponse('pong')
  }
}

describe('a wp-config.php with code that is not read', { skip: skipWithoutWordPress() }, () => {
  let site: WordPressSite
  /** The configuration of the site with two further lines. */
  let config: string
  before(async () => {
    site = await startWordPressSite()
    config = join(site.configPath, '..', 'unread-config.php')
    const lines = ["function c() { define('DISALLOW_UNFILTERED_HTML', true); }", 'c();']
    writeFileSync(config, readFileSync(site.configPath, 'utf8').replace('<?php', `<?php\n${lines.join('\n')}`))
  })
  after(() => site?.stop())

  const detail = /defines constants in a function.*It may define DISALLOW_UNFILTERED_HTML\./

  it('is a warning of `wordpress check` with the place', async () => {
    const { code, stdout } = await runHere(['wordpress', 'check', '--wordpress', config, '--json'])
    const { problems } = JSON.parse(stdout) as { problems: { severity: string; message: string }[] }
    assert.deepEqual([code, problems.map(({ severity }) => severity)], [0, ['warning']])
    assert.ok(problems[0]?.message.startsWith(`${config}:2: `))
    assert.match(problems[0]?.message ?? '', detail)
  })

  it('is logged by a service when it starts', async () => {
    const service = await startService([Ping], { wordpress: { config } })
    try {
      const lines = service.log.filter(({ fields }) => fields['code'] === 'wordpress-config-unread')
      assert.deepEqual(
        lines.map(({ level, fields }) => [level, { ...fields, detail: '' }]),
        [['warn', { code: 'wordpress-config-unread', file: config, line: 2, detail: '' }]],
      )
      assert.match(JSON.stringify(lines), detail)
    } finally {
      await service.close()
    }
  })

  it('is no warning where the environment has the constant, nor is the configuration of an ordinary site', async () => {
    process.env['WORDPRESS_DISALLOW_UNFILTERED_HTML'] = 'true'
    try {
      for (const path of [config, site.configPath]) {
        const { stdout } = await runHere(['wordpress', 'check', '--wordpress', path])
        assert.match(stdout, /No problem was found\./)
      }
    } finally {
      delete process.env['WORDPRESS_DISALLOW_UNFILTERED_HTML']
    }
  })
})
