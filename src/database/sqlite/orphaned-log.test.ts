import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { Purpose } from '../store-adapter.js'
import { sqliteHasTables, openSqlite } from './open-sqlite.js'
import { refuseOrphanedLog } from './orphaned-log.js'
import { typescriptArguments } from '../../../test/support/typescript.js'

const folder = mkdtempSync(join(tmpdir(), 'orphaned-log-'))
after(() => rmSync(folder, { recursive: true }))

/** Makes a database, writes to it, and is killed: what was written last is in the log only. */
function killedDatabase(path: string): void {
  const here = new URL('./open-sqlite.ts', import.meta.url)
  const code = `
    const { openSqlite } = await import(${JSON.stringify(here.href)})
    const storage = await openSqlite(${JSON.stringify(`sqlite:${path}`)})
    await storage.options.write('blogname', 'Kept')
    process.kill(process.pid, 'SIGKILL')`
  const { signal } = spawnSync(process.execPath, [...typescriptArguments, '--input-type=module', '--eval', code])
  assert.equal(signal, 'SIGKILL')
  assert.ok(statSync(`${path}-wal`).size > 0)
}

const losses: [what: string, lose: (path: string) => void][] = [
  ['missing', (path) => renameSync(path, `${path}-moved`)],
  [
    'empty',
    (path) => {
      fs.copyFileSync(path, `${path}-moved`)
      truncateSync(path)
    },
  ],
]
const purposes: readonly Purpose[] = ['read', 'change', 'start']

describe('a database file that is missing or empty beside its log', () => {
  for (const [what, lose] of losses)
    it(`a file that is ${what} is refused, and nothing is lost once it is restored`, async () => {
      const path = join(folder, `${what}.sqlite`)
      killedDatabase(path)
      lose(path)
      const log = readFileSync(`${path}-wal`)
      const refused = {
        name: 'StorageError',
        fault: 'incompatible',
        message: new RegExp(`${path} is ${what}, but ${path}-wal \\(${log.length} bytes\\).*Bring back the file`),
      }
      for (const purpose of purposes) await assert.rejects(openSqlite(`sqlite:${path}`, { purpose }), refused)
      await assert.rejects(sqliteHasTables(`sqlite:${path}`, 'wp_'), refused)
      assert.deepEqual(readFileSync(`${path}-wal`), log)
      if (what === 'missing') assert.equal(existsSync(path), false)
      renameSync(`${path}-moved`, path)
      const storage = await openSqlite(`sqlite:${path}`)
      assert.equal(await storage.options.read('blogname'), 'Kept')
      await storage.close()
    })

  it('a file behind a symbolic link is refused too: its log is beside the target', async (context) => {
    if (process.platform === 'win32') return context.skip('Windows asks for a privilege to make a link')
    mkdirSync(join(folder, 'volume'))
    const [file, link] = [join(folder, 'volume', 'site.sqlite'), join(folder, 'link.sqlite')]
    symlinkSync('volume/site.sqlite', link)
    killedDatabase(file)
    renameSync(file, `${file}-moved`)
    await assert.rejects(openSqlite(`sqlite:${link}`), { fault: 'incompatible' })
    renameSync(`${file}-moved`, file)
    const storage = await openSqlite(`sqlite:${link}`)
    assert.equal(await storage.options.read('blogname'), 'Kept')
    await storage.close()
  })

  it('the check opens no file', async (context) => {
    const path = join(folder, 'unopened.sqlite')
    killedDatabase(path)
    renameSync(path, `${path}-moved`)
    const opened: unknown[] = []
    for (const name of ['openSync', 'readFileSync', 'copyFileSync', 'accessSync'] as const) {
      const real = fs[name] as (...values: unknown[]) => unknown
      context.mock.method(fs, name, ((...values: unknown[]) => {
        if (String(values[0]).startsWith(path)) opened.push(`${name} ${String(values[0])}`)
        return real(...values)
      }) as never)
    }
    syncBuiltinESMExports()
    try {
      await assert.rejects(openSqlite(`sqlite:${path}`), { fault: 'incompatible' })
    } finally {
      context.mock.restoreAll()
      syncBuiltinESMExports()
    }
    assert.deepEqual(opened, [])
  })

  it('a new database is created once the log is moved away', async () => {
    const path = join(folder, 'anew.sqlite')
    killedDatabase(path)
    for (const suffix of ['', '-wal', '-shm']) renameSync(path + suffix, `${path}-old${suffix}`)
    const storage = await openSqlite(`sqlite:${path}`)
    assert.equal(storage.created, true)
    await storage.close()
  })
})

describe('a log that is missing beside its wal-index', () => {
  it('the start is refused, and nothing is lost once the log is back', async () => {
    const path = join(folder, 'log.sqlite')
    killedDatabase(path)
    renameSync(`${path}-wal`, `${path}-moved`)
    for (const purpose of purposes)
      await assert.rejects(openSqlite(`sqlite:${path}`, { purpose }), {
        fault: 'incompatible',
        message: new RegExp(`${path}-wal is missing, but ${path}-shm is there`),
      })
    assert.equal(existsSync(`${path}-wal`), false)
    renameSync(`${path}-moved`, `${path}-wal`)
    const storage = await openSqlite(`sqlite:${path}`)
    assert.equal(await storage.options.read('blogname'), 'Kept')
    await storage.close()
  })

  for (const [what, before, meanwhile] of [
    ['opens', [], (path: string) => ['-wal', '-shm'].forEach((suffix) => writeFileSync(path + suffix, 'x'))],
    ['closes', ['-shm'], (path: string) => rmSync(`${path}-shm`)],
    [
      'closes and opens',
      ['-shm'],
      (path: string) => {
        rmSync(`${path}-shm`)
        writeFileSync(`${path}-wal`, 'x')
        writeFileSync(`${path}-shm`, 'x')
      },
    ],
  ] as const)
    it(`the start is not refused when another process ${what} the database while its files are looked at`, (context) => {
      const path = join(folder, `${what.replaceAll(' ', '-')}.sqlite`)
      for (const suffix of ['', ...before]) writeFileSync(path + suffix, 'x')
      const real = fs.statSync as (...values: unknown[]) => unknown
      let isFirst = true
      context.mock.method(fs, 'statSync', ((...values: unknown[]) => {
        const stats = real(...values)
        if (values[0] === `${path}-wal` && isFirst) {
          isFirst = false
          meanwhile(path)
        }
        return stats
      }) as never)
      syncBuiltinESMExports()
      try {
        refuseOrphanedLog(path)
      } finally {
        context.mock.restoreAll()
        syncBuiltinESMExports()
      }
      assert.equal(isFirst, false)
    })
})
