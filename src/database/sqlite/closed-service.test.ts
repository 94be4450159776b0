import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startService } from '../../../test/support/start-service.js'
import { typescriptArguments } from '../../../test/support/typescript.js'
import { AsRestRoute, RestResponse } from '../../index.js'
import { sqliteLibrary } from './sqlite-client.js'

const folder = mkdtempSync(join(tmpdir(), 'closed-service-'))
after(() => rmSync(folder, { recursive: true }))

class PagesApi {
  @AsRestRoute({ namespace: 'test/v1', route: '/pages', permission: 'public' })
  pages() {
    return new RestResponse([])
  }
}

/** Another process, in the middle of a write to the options. `commit` commits it and closes its connection. */
async function writer(path: string): Promise<{ readonly commit: () => Promise<void> }> {
  const client = JSON.stringify(new URL('./sqlite-client.ts', import.meta.url).href)
  const code = `
    const { sqliteLibrary } = await import(${client})
    const database = (await sqliteLibrary())(${JSON.stringify(path)})
    const run = (text) => database.prepare(text).run([])
    run('BEGIN IMMEDIATE')
    run("INSERT INTO wp_options (option_name, option_value) VALUES ('theirs', 'yes')")
    console.log('writing')
    process.stdin.once('data', () => {
      run('COMMIT')
      database.close()
      process.stdin.destroy()
    })`
  const child = spawn(process.execPath, [...typescriptArguments, '--input-type=module', '--eval', code], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  return {
    commit: async () => {
      child.stdin.write('commit\n')
      assert.deepEqual(await ended, [0, null])
    },
  }
}

/** The pages and options of a file as a connection without a history reads them. */
async function stored(path: string): Promise<unknown> {
  const client = (await sqliteLibrary())(path)
  try {
    return [
      client.prepare("SELECT post_title FROM wp_posts WHERE post_type = 'page' ORDER BY ID").all([]),
      client.prepare("SELECT option_value FROM wp_options WHERE option_name = 'theirs'").all([]),
    ]
  } finally {
    client.close()
  }
}

test('one of two services on one file closes while another process writes, and no write is lost', async () => {
  const path = join(folder, 'site.sqlite')
  const options = { database: `sqlite:${path}` }
  const [one, two] = [await startService([PagesApi], options), await startService([PagesApi], options)]
  await one.service.records.insert({ type: 'page', title: 'before' })
  const other = await writer(path)
  await two.close()
  // It waits for the write of the other process, and follows it.
  const during = one.service.records.insert({ type: 'page', title: 'during' })
  await other.commit()
  await during
  // The process that closes last removes the log. The other process was not the last one.
  assert.ok(existsSync(`${path}-wal`))
  await one.service.records.insert({ type: 'page', title: 'after' })
  assert.deepEqual(await stored(path), [[['before'], ['during'], ['after']], [['yes']]])
  await one.close()
  assert.deepEqual(await stored(path), [[['before'], ['during'], ['after']], [['yes']]])
})
