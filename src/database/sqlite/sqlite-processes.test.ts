import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, describe, it } from 'node:test'
import { openSqlite } from './open-sqlite.js'
import { typescriptArguments } from '../../../test/support/typescript.js'

const folder = mkdtempSync(join(tmpdir(), 'sqlite-processes-'))
after(() => rmSync(folder, { recursive: true }))

/** Starts a real process that has opened the database as `storage`, and can make a post with `insert(name)`. */
function startProcess(url: string, work: string): ChildProcess {
  const here = (path: string): string => JSON.stringify(new URL(path, import.meta.url))
  const code = `
    const { openSqlite } = await import(${here('./open-sqlite.ts')})
    const { aPost } = await import(${here('../../../test/contracts/storage/rows.ts')})
    const storage = await openSqlite(${JSON.stringify(url)})
    const insert = (post_name) => storage.posts.insert(aPost({ post_name }))
    ${work}`
  return spawn(process.execPath, [...typescriptArguments, '--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function linesOf(child: ChildProcess): Promise<string[]> {
  const lines: string[] = []
  assert.ok(child.stdout)
  for await (const line of createInterface(child.stdout)) lines.push(line)
  return lines
}

/** All lines that the process printed; it must end well. */
async function outputOf(child: ChildProcess): Promise<string[]> {
  const [lines, [status]] = await Promise.all([linesOf(child), once(child, 'exit')])
  assert.equal(status, 0)
  return lines
}

describe('several processes', () => {
  it('kill -9 loses no acknowledged write', async () => {
    const url = `sqlite:${join(folder, 'killed.db')}`
    for (const enough of [1, 150, 400]) {
      const child = startProcess(
        url,
        `for (let lane = 0; lane < 8; lane += 1) void (async () => {
          for (;;) console.log(await insert('acknowledged'))
        })()`,
      )
      const acknowledged: number[] = []
      assert.ok(child.stdout)
      for await (const line of createInterface(child.stdout)) {
        acknowledged.push(Number(line))
        if (acknowledged.length === enough) child.kill('SIGKILL')
      }
      const storage = await openSqlite(url)
      const rows = (await storage.posts.findWithMeta(acknowledged)).rows
      assert.ok(acknowledged.length >= enough)
      assert.equal(rows.length, acknowledged.length)
      await storage.close()
    }
  })

  it('concurrent writers lose no write', async () => {
    const url = `sqlite:${join(folder, 'shared.db')}`
    const work = `
      await storage.options.writeOnce('counter', '0')
      const increment = () => storage.transaction(async (inside) => {
        await inside.options.write('counter', String(Number(await inside.options.read('counter')) + 1))
      })
      await Promise.all(Array.from({ length: 10 }, async () => {
        for (let count = 0; count < 40; count += 1) {
          await insert('shared')
          if (count % 4 === 0) await increment()
        }
      }))
      await storage.close()`
    await Promise.all([1, 2, 3].map(() => outputOf(startProcess(url, work))))
    const storage = await openSqlite(url)
    assert.equal(await storage.posts.count({ slug: 'shared', order: [], limit: 1, offset: 0 }), 1200)
    assert.equal(await storage.options.read('counter'), '300')
    await storage.close()
  })

  it('processes that start together create the tables once, and one of them reports it', async () => {
    const url = `sqlite:${join(folder, 'raced.db')}`
    const starts = Array.from({ length: 4 }, () =>
      startProcess(
        url,
        `console.log(storage.created, await storage.options.writeOnce('secret', String(process.pid)))
        await storage.close()`,
      ),
    )
    const responses = (await Promise.all(starts.map(outputOf))).flat().map((line) => line.split(' '))
    assert.deepEqual(responses.map(([created]) => created).sort(), ['false', 'false', 'false', 'true'])
    assert.equal(new Set(responses.map(([, secret]) => secret)).size, 1)
  })
})
