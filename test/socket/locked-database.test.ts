import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sqliteLibrary } from '../../src/database/sqlite/sqlite-client.js'
import { currentUser } from '../../src/auth/current-user.js'
import { RestResponse } from '../../src/http/rest-response.js'
import { AsRestRoute } from '../../src/routing/as-rest-route.js'
import { startService } from '../support/start-service.js'

class Whoami {
  @AsRestRoute({ namespace: 'who/v1', route: '/me', permission: 'public' })
  me() {
    return new RestResponse({ login: currentUser().login })
  }
}

const folder = mkdtempSync(join(tmpdir(), 'locked-database-'))
after(() => rmSync(folder, { recursive: true }))

test('reads with an application password go on while another program holds the write lock; the log says what is lost', async () => {
  const file = join(folder, 'site.sqlite')
  const site = await startService([Whoami], { database: `sqlite:${file}` })
  const { users, applicationPasswords } = site.service
  const { id } = await users.create({ login: 'mia', email: 'mia@shop.example', password: 'right' })
  const { password, item } = await applicationPasswords.create(id, { name: 'Scanner' })
  const Authorization = `Basic ${Buffer.from(`mia:${password}`).toString('base64')}`
  const read = async () => {
    const started = Date.now()
    const answer = await fetch(`${site.rest}who/v1/me`, { headers: { Authorization } })
    assert.deepEqual([answer.status, await answer.json()], [200, { login: 'mia' }])
    return Date.now() - started
  }

  const other = (await sqliteLibrary())(file)
  other.prepare('BEGIN EXCLUSIVE').run([])
  for (let count = 0; count < 3; count += 1) assert.ok((await read()) < 2_000, 'nobody waits for the lock')
  // A write waits five seconds for it.
  for (let tries = 0; tries < 500 && site.log.length === 0; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 20))
  await read()
  other.prepare('ROLLBACK').run([])
  other.close()
  assert.deepEqual(
    site.log.map(({ level, message }) => [level, message]),
    [['warn', 'the last use of an application password could not be stored']],
  )

  // The last read's own note has waited for the lock.
  for (let tries = 0; tries < 50 && (await applicationPasswords.find(id, item.uuid))?.last_used === null; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal((await applicationPasswords.find(id, item.uuid))?.last_ip, '127.0.0.1')
  await site.close()
})
