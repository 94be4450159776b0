import assert from 'node:assert/strict'
import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { openSqlite } from '../../src/database/sqlite/open-sqlite.js'
import { emptyFolder, endAll, removeFolders, run } from './command-line.js'

after(() => {
  endAll()
  removeFolders()
})

const site = ['--database', 'sqlite:site.sqlite']
let cwd: string
/** By their names. */
const ids = new Map<string, number>()

before(async () => {
  cwd = emptyFolder()
  const storage = await openSqlite(`sqlite:${join(cwd, 'site.sqlite')}`, { synchronous: 'NORMAL' })
  const { jobs } = storage
  const add = async (name: string, due: { readonly at: number } | { readonly in: number } = { in: 0 }) => {
    ids.set(name, await jobs.add({ name, payload: '{"order":5}', request_id: `request-of-${name}`, due }, null))
  }
  const claim = (name: string) => jobs.claim({ names: [name], holder: name, lease: 600_000, limit: 10 }, null)
  const fail = (name: string) => jobs.fail({ id: idOf(name), holder: name, error: 'Error: no paper' }, null, null)
  await add('waiting', { at: Date.UTC(2030, 0, 1) })
  for (const name of ['running', 'failed', 'second']) {
    await add(name)
    await claim(name)
  }
  await fail('failed')
  await fail('second')
  await storage.close()
})

const idOf = (name: string): number => ids.get(name) ?? 0

async function jobs(
  ...words: readonly string[]
): Promise<readonly { readonly name: string; readonly state: string }[]> {
  const { code, stdout, stderr } = await run(['jobs', 'list', '--json', ...words, ...site], { cwd })
  assert.deepEqual([code, stderr], [0, ''])
  return JSON.parse(stdout) as { readonly name: string; readonly state: string }[]
}

test('jobs list shows what waits, runs and has failed, with the request that enqueued it', async () => {
  const { stdout } = await run(['jobs', 'list', ...site], { cwd })
  const lines = stdout.split('\n').map((line) => line.split(/ {2,}/))
  assert.deepEqual(lines[0], ['ID', 'JOB', 'STATE', 'DUE', 'ATTEMPTS', 'REQUEST', 'ERROR'])
  assert.deepEqual(lines[1], [
    String(idOf('waiting')),
    'waiting',
    'waiting',
    '2030-01-01T00:00:00Z',
    '0',
    'request-of-waiting',
  ])
  assert.deepEqual(
    lines.slice(2, 5).map(([, name, state, , attempts, , error]) => [name, state, attempts, error]),
    [
      ['running', 'running', '1', undefined],
      ['failed', 'failed', '1', 'Error: no paper'],
      ['second', 'failed', '1', 'Error: no paper'],
    ],
  )
  const [job] = await jobs()
  assert.ok(job)
  const { created, ...others } = job as typeof job & { readonly created: string }
  assert.ok(Math.abs(Date.parse(created) - Date.now()) < 600_000)
  assert.deepEqual(others, {
    id: idOf('waiting'),
    name: 'waiting',
    payload: { order: 5 },
    state: 'waiting',
    due: '2030-01-01T00:00:00Z',
    attempts: 0,
    error: null,
    request_id: 'request-of-waiting',
  })
  assert.deepEqual(
    (await jobs('--failed')).map(({ name }) => name),
    ['failed', 'second'],
  )
  assert.deepEqual(
    (await jobs('--after', String(idOf('running')))).map(({ name }) => name),
    ['failed', 'second'],
  )
})

test('jobs retry and remove name a job, or all that have failed, and leave those alone that run', async () => {
  const change = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await run(['jobs', ...words, ...site], { cwd })
    return [code, (stdout + stderr).trim()]
  }
  const none = 'Give either the id of a job, or --failed for all that have failed. [job-not-chosen]'
  assert.deepEqual(await change('retry'), [2, none])
  assert.deepEqual(await change('remove', '1', '--failed'), [2, none])
  assert.deepEqual(await change('retry', 'five'), [
    2,
    "'five' is not the id of a job. See: as-rest-route jobs list [job-not-chosen]",
  ])
  const [code, message] = await change('remove', String(idOf('running')))
  assert.equal(code, 1)
  assert.match(String(message), /^There is no job \d+ that waits or has failed.*\[job-missing\]$/)
  assert.deepEqual(await change('retry', String(idOf('failed'))), [0, `Job ${idOf('failed')} is due now.`])
  assert.deepEqual(
    (await jobs()).map(({ name, state }) => [name, state]),
    [
      ['waiting', 'waiting'],
      ['running', 'running'],
      ['failed', 'waiting'],
      ['second', 'failed'],
    ],
  )
  assert.deepEqual(await change('retry', '--failed'), [0, '1 failed job will be tried again.'])
  assert.deepEqual(await change('remove', '--failed'), [0, 'Removed 0 failed jobs.'])
  assert.deepEqual(await change('remove', String(idOf('second'))), [0, `Removed job ${idOf('second')}.`])
  assert.deepEqual(
    (await jobs()).map(({ name, state }) => [name, state]),
    [
      ['waiting', 'waiting'],
      ['running', 'running'],
      ['failed', 'waiting'],
    ],
  )
})

test('on the database of a WordPress site there are no jobs', async () => {
  const folder = emptyFolder()
  writeFileSync(
    join(folder, 'wp-config.php'),
    "<?php\n$table_prefix = 'wp_';\ndefine('DB_NAME', 'site');\ndefine('DB_USER', 'site');\ndefine('DB_PASSWORD', 'site');\ndefine('DB_HOST', '127.0.0.1:1');\n",
  )
  writeFileSync(
    join(folder, 'as-rest-route.config.mjs'),
    `export default { wordpress: { config: '${folder}/wp-config.php' } }`,
  )
  const { code, stderr } = await run(['jobs', 'list'], { cwd: folder })
  assert.equal(code, 1)
  assert.match(stderr, /The database of a WordPress site has no table of jobs\. \[jobs-without-table\]/)
})
