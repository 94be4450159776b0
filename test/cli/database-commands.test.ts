import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { withPassword } from '../../src/cli/copy-address.js'
import { terminalOutput } from '../../src/cli/output.js'
import { ProgressDisplay } from '../../src/cli/progress.js'
import { openSqlite } from '../../src/database/sqlite/open-sqlite.js'
import { sqliteLibrary } from '../../src/database/sqlite/sqlite-client.js'
import { aPost, aUser } from '../contracts/storage/rows.js'
import { commandArguments, emptyFolder, endAll, removeFolders, run, runInShell } from './command-line.js'

after(() => {
  endAll()
  removeFolders()
})

/** A folder with the database `site.sqlite`, which has three users and this many posts. */
async function folderWithSite(posts = 3): Promise<string> {
  const cwd = emptyFolder()
  const storage = await openSqlite(`sqlite:${join(cwd, 'site.sqlite')}`, { synchronous: 'NORMAL' })
  for (const name of ['ann', 'bob', 'cid'])
    await storage.users.insert(aUser({ user_login: name, user_email: `${name}@example.org`, user_nicename: name }))
  await storage.write(async ({ posts: rows }) => {
    for (let index = 0; index < posts; index += 1) await rows.insert(aPost({ post_content: 'x'.repeat(500) }))
  })
  await storage.close()
  return cwd
}

async function foreign(cwd: string, file: string, statement: string): Promise<unknown> {
  const client = (await sqliteLibrary())(join(cwd, file))
  try {
    return statement.startsWith('SELECT') ? client.prepare(statement).get([])?.[0] : client.prepare(statement).run([])
  } finally {
    client.close()
  }
}

const site = ['--database', 'sqlite:site.sqlite']

describe('the commands for a whole database', () => {
  let cwd: string
  before(async () => {
    cwd = await folderWithSite()
  })

  test('status shows the server, the versions and the rows, and changes nothing', async () => {
    const { code, stdout, stderr } = await run(['db', 'status', ...site], { cwd })
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /^Database: {2}sqlite:site\.sqlite\nServer: {4}SQLite 3\.\S+\n/)
    assert.match(stdout, /^State: {5}ready\. No migration is needed\.$/m)
    assert.match(stdout, /^wp_users +3$/m)
    assert.match(stdout, /^wp_as_rest_route_versions +\d+$/m)
    const json = await run(['db', 'status', '--json', ...site], { cwd })
    const status = JSON.parse(json.stdout) as { readonly state: string; readonly tables: readonly object[] }
    assert.deepEqual([status.state, status.tables.length], ['current', 13])
  })

  test('status of a missing database says so, and makes none', async () => {
    const { code, stdout } = await run(['db', 'status', '--database', 'sqlite:missing.sqlite'], { cwd })
    assert.deepEqual([code, existsSync(join(cwd, 'missing.sqlite'))], [0, false])
    assert.match(stdout, /State: {5}There is no database/)
    const migrate = await run(['db', 'migrate', '--database', 'sqlite:missing.sqlite'], { cwd })
    assert.equal(migrate.code, 1)
    assert.match(migrate.stderr, /There is no database .*\[database-missing\]/)
  })

  test('check ends with exit code 1 and a remedy where something is wrong', async () => {
    const whole = await run(['db', 'check', '--changed', ...site], { cwd })
    assert.deepEqual(
      [whole.code, whole.stdout],
      [0, 'Running services read everything again from their next request on.\nNo problem was found.\n'],
    )
    await foreign(cwd, 'site.sqlite', 'DROP TRIGGER wp_users_insert_raises')
    const damaged = await run(['db', 'check', ...site], { cwd })
    assert.equal(damaged.code, 1)
    assert.equal(
      damaged.stdout,
      'There is no trigger wp_users_insert_raises of wp_users.\n  Run: as-rest-route db migrate\n',
    )
    assert.equal(damaged.stderr, '1 problem found. [database-faulty]\n')
    const migrated = await run(['db', 'migrate', ...site], { cwd })
    assert.match(migrated.stdout, /nothing to do\.\nThe database lacked the trigger wp_users_insert_raises/)
    assert.equal((await run(['db', 'check', ...site], { cwd })).code, 0)
  })

  test('copy lists tables and checksums, and refuses a second time', async () => {
    const words = ['db', 'copy', 'sqlite:site.sqlite', 'sqlite:copied.sqlite']
    const { code, stdout, stderr } = await run(words, { cwd })
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /^wp_posts +3 +[0-9a-f]{64}$/m)
    assert.match(
      stdout,
      /rows copied from sqlite:site\.sqlite to sqlite:copied\.sqlite, and read again: all checksums are equal\.\n$/,
    )
    const again = await run(words, { cwd })
    assert.equal(again.code, 1)
    assert.match(again.stderr, /^sqlite:.*\/copied\.sqlite: The database holds data already.*\[storage-constraint\]\n$/)
  })

  test('export writes a new file for its owner only, and import reads it', async () => {
    const { code, stdout } = await run(['db', 'export', 'site.jsonl', ...site], { cwd })
    assert.deepEqual([code, stdout], [0, `${join(cwd, 'site.jsonl')}: 6 rows.\n`])
    assert.equal(statSync(join(cwd, 'site.jsonl')).mode & 0o777, 0o600)
    const again = await run(['db', 'export', 'site.jsonl', ...site], { cwd })
    assert.equal(again.code, 1)
    assert.match(again.stderr, /it exists already\. \[export-not-written\]/)
    assert.deepEqual(
      readdirSync(cwd).filter((name) => name.endsWith('.tmp')),
      [],
    )
    const imported = await run(['db', 'import', 'site.jsonl', '--database', 'sqlite:imported.sqlite'], { cwd })
    assert.deepEqual([imported.code, imported.stderr], [0, ''])
    assert.equal(await foreign(cwd, 'imported.sqlite', 'SELECT COUNT(*) FROM wp_users'), 3)
  })

  test('export and import work in a pipe', async () => {
    const command = [process.execPath, ...commandArguments].map((word) => `'${word}'`).join(' ')
    const line = `${command} db export ${site.join(' ')} | ${command} db import --database sqlite:piped.sqlite`
    const { code, stdout } = await runInShell(line, cwd)
    assert.equal(code, 0)
    assert.match(stdout, /6 rows imported into sqlite:piped\.sqlite/)
  })

  const refusals: readonly (readonly [words: readonly string[], code: number, message: RegExp])[] = [
    [['copy', 'sqlite:none.sqlite', 'sqlite:x.sqlite'], 1, /There is no database .*none\.sqlite/],
    [['copy', 'sqlite::memory:', 'sqlite:x.sqlite'], 2, /\[database-is-memory\]/],
    [['copy', 'sqlite:site.sqlite', 'oracle://user:secret@host/x'], 2, /^TO: .*\[database-address-invalid\]/],
    [['copy', 'sqlite:site.sqlite'], 2, /missing required argument 'to'/],
    [['import', 'none.jsonl', '--database', 'sqlite:x.sqlite'], 1, /none\.jsonl cannot be read.*\[import-unreadable\]/],
    [['export', '--database', 'sqlite:none.sqlite'], 1, /\[database-missing\]/],
    [['copy', 'sqlite:site.sqlite', 'postgres://u:secret@127.0.0.1:1/x'], 1, /^postgres:\/\/u@127\.0\.0\.1:1\/x: /],
  ]
  for (const [words, code, message] of refusals)
    test(`db ${words.join(' ').replace(':secret', '')} is refused`, async () => {
      const finished = await run(['db', ...words], { cwd })
      assert.equal(finished.code, code, finished.stderr)
      assert.match(finished.stderr, message)
      assert.doesNotMatch(finished.stderr, /secret/)
      assert.equal(existsSync(join(cwd, 'x.sqlite')), false)
    })
})

for (const signal of ['SIGKILL', 'SIGINT'] as const)
  test(`an import that ${signal} ends in the middle goes on with the next one`, async () => {
    const cwd = await folderWithSite(3000)
    await run(['db', 'export', 'site.jsonl', ...site], { cwd })
    const text = readFileSync(join(cwd, 'site.jsonl'), 'utf8')
    const words = ['db', 'import', '--database', 'sqlite:half.sqlite']
    const child = spawn(process.execPath, [...commandArguments, ...words], { cwd, stdio: ['pipe', 'ignore', 'pipe'] })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (piece: string) => (stderr += piece))
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    // A pipe to a process that was killed.
    child.stdin.on('error', () => undefined)
    // The rest never comes, so that the command is in the middle until it is ended.
    child.stdin.write(text.slice(0, text.length / 2))
    while (!existsSync(join(cwd, 'half.sqlite')) || !(await hasPosts(cwd)))
      await new Promise((resolve) => setTimeout(resolve, 20))
    child.kill(signal)
    assert.equal(await ended, signal === 'SIGKILL' ? null : 1)
    if (signal === 'SIGINT') assert.match(stderr, /Ended by SIGINT\. Run the same command again\. \[move-interrupted\]/)
    const half = ['--database', 'sqlite:half.sqlite']
    assert.match((await run(['db', 'status', ...half], { cwd })).stdout, /an import was ended in the middle/)
    const users = await run(['user', 'list', ...half], { cwd })
    assert.match(users.stderr, /import from the export .*\[storage-incompatible\]/)
    const finished = await run(['db', 'import', 'site.jsonl', ...half], { cwd })
    assert.equal(finished.code, 0)
    // Progress is shown where a step takes longer than some seconds.
    assert.match(finished.stderr, /^(?:\w+ wp_\w+: \d+ of \d+ rows \(\d+ %\)\n)*$/)
    assert.equal(await foreign(cwd, 'half.sqlite', 'SELECT COUNT(*) FROM wp_posts'), 3000)
    assert.equal((await run(['db', 'check', ...half], { cwd })).code, 0)
  })

async function hasPosts(cwd: string): Promise<boolean> {
  try {
    return Number(await foreign(cwd, 'half.sqlite', 'SELECT COUNT(*) FROM wp_posts')) > 0
  } catch {
    // The tables are not there yet, or are being written.
    return false
  }
}

test('the password of each address of a copy comes from the environment', (context) => {
  const file = join(emptyFolder(), 'password')
  writeFileSync(file, 'from a file\n')
  const variables = { FROM_DATABASE_PASSWORD: 'a/b@c', TO_DATABASE_PASSWORD_FILE: file }
  Object.assign(process.env, variables)
  context.after(() => Object.keys(variables).forEach((name) => delete process.env[name]))
  const table: readonly (readonly [address: string, role: 'FROM' | 'TO', expected: string])[] = [
    ['postgres://shop@host/shop', 'FROM', 'postgres://shop:a%2Fb%40c@host/shop'],
    ['postgres:///shop?socket=/run/x', 'FROM', 'postgres://:a%2Fb%40c@/shop?socket=/run/x'],
    ['mariadb://shop@h1:1,h2:2/shop', 'TO', 'mariadb://shop:from%20a%20file@h1:1,h2:2/shop'],
    ['mariadb://shop:own@host/shop', 'TO', 'mariadb://shop:own@host/shop'],
    ['sqlite:/a@b', 'FROM', 'sqlite:/a@b'],
    ['sqlite:///var/lib/shop.db', 'TO', 'sqlite:///var/lib/shop.db'],
  ]
  for (const [address, role, expected] of table) assert.equal(withPassword(address, role), expected)
  process.env['TO_DATABASE_PASSWORD_FILE'] = join(file, 'none')
  assert.throws(() => withPassword('mariadb://shop@host/shop', 'TO'), { code: 'password-file-unreadable' })
})

test('progress is a bar in a terminal, and lines elsewhere', (context) => {
  let now = 0
  context.mock.method(performance, 'now', () => now)
  for (const isTTY of [true, false]) {
    let text = ''
    const errors = { isTTY, write: (piece: string) => (text += piece) }
    const display = new ProgressDisplay(terminalOutput({ write: () => true }, errors))
    for (let done = 0; done <= 200; done += 50) {
      now += 2500
      display.show({ step: 'moving', table: 'wp_posts', done }, 200)
    }
    display.end()
    const bar = String.raw`\r\[#{15} {15}\] moving wp_posts: 100 of 200 rows \(50 %\)\x1b\[K`
    assert.match(
      text,
      isTTY ? new RegExp(bar) : /^moving wp_posts: 50 of 200 rows \(25 %\)\nmoving wp_posts: 150 of 200 rows/,
    )
    assert.equal(text.endsWith('\r\x1b[K'), isTTY)
  }
})
