import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { AsRestRoute, RestResponse } from 'as-rest-route'
import { runHere } from '../cli/command-line.js'
import { freshDatabase } from '../support/servers/fresh-database.js'
import { foreignSql } from '../support/servers/open-fresh-mariadb.js'
import { startService } from '../support/start-service.js'
import { siteConfig } from '../support/wordpress/site-config.js'
import { skipWithoutWordPress, startWordPressSite } from '../support/wordpress/wordpress-site.js'

class Ping {
  @AsRestRoute({ namespace: 'shop/v1', route: '/ping', permission: 'public' })
  ping() {
    return new RestResponse('pong')
  }
}

/** The commands of the page that copy such a site. */
const copying = ((): string => {
  const page = readFileSync(new URL('../../docs/wordpress.md', import.meta.url), 'utf8')
  return /```bash\n(mariadb-dump [^]*?)```/.exec(page)?.[1] ?? assert.fail('no commands')
})()

async function copy(from: string, to: string, folder: string): Promise<void> {
  const { hostname, port, username, password } = new URL(from)
  const file = join(folder, 'client.cnf')
  writeFileSync(
    file,
    `[client]\nhost=${hostname}\nport=${port}\nuser=${decodeURIComponent(username)}\npassword=${decodeURIComponent(password)}\n`,
  )
  const [old, recent] = [from, to].map((url) => new URL(url).pathname.slice(1))
  const commands = copying
    .replace('mariadb-dump ', `mariadb-dump --defaults-file=${file} `)
    .replace(' old |', ` ${old} |`)
    .replace('  mariadb ', `  mariadb --defaults-file=${file} `)
    .replace(/ new\n$/, ` ${recent}\n`)
  const bash = spawn('bash', ['-euo', 'pipefail', '-c', commands], { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  bash.stderr.on('data', (bytes) => (output += String(bytes)))
  const [code] = (await once(bash, 'close')) as [number]
  assert.equal(code, 0, output)
}

// Ä is C3 84, Á is C3 81, of which the second is no character of latin1, and € has three bytes.
const title = 'Älpine Á € “x” 😀'

describe('a WordPress site with a DB_CHARSET of latin1', { skip: skipWithoutWordPress() }, () => {
  for (const columns of ['latin1', 'utf8mb4'])
    it(`is refused, and served from a copy of its texts, with columns in ${columns}`, async () => {
      const site = await startWordPressSite({ charset: 'latin1' })
      const target = await freshDatabase('mariadb')
      assert.ok(target)
      try {
        for (const table of columns === 'latin1' ? [] : ['posts', 'options'])
          await foreignSql(site.database, `ALTER TABLE wp_${table} CONVERT TO CHARACTER SET ${columns}`)
        const code = "return get_option( 'blogname' ) . get_post( $argument )->post_title;"
        const id = Number(
          await site.php(
            "update_option( 'blogname', $argument ); return wp_insert_post( array( 'post_title' => $argument, 'post_status' => 'publish' ) );",
            title,
          ),
        )
        assert.equal(await site.php(code, id), title + title)

        const check = ['wordpress', 'check', '--wordpress', site.configPath]
        const refused = await runHere(check)
        assert.equal(refused.code, 1)
        assert.match(refused.stdout, /DB_CHARSET is 'latin1'/)
        assert.ok(!refused.stdout.includes('ALTER TABLE'), refused.stdout)
        await assert.rejects(startService([Ping], { wordpress: { config: site.configPath } }), /DB_CHARSET is 'latin1'/)

        await copy(site.database, target.url, site.folder)
        const config = siteConfig({ database: target.url, prefix: 'wp_', charset: 'utf8mb4', lines: [] })
        writeFileSync(site.configPath, config)
        assert.equal(await site.php(code, id), title + title)
        const accepted = await runHere(check)
        assert.equal(accepted.code, 0, accepted.stdout)
        const service = await startService([Ping], { wordpress: { config: site.configPath } })
        try {
          assert.equal((await service.service.records.get(id))?.title, title)
          await service.service.records.update(id, { title: `${title}!` })
          assert.equal(await site.php(code, id), `${title}${title}!`)
        } finally {
          await service.close()
        }
      } finally {
        await target.drop()
        await site.stop()
      }
    })
})
