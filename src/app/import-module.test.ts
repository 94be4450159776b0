import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { importModule } from './import-module.js'

const folder = mkdtempSync(join(tmpdir(), 'import-module-'))
after(() => rmSync(folder, { recursive: true }))

test('a module that never finishes loading is refused, and leaves no listener', async () => {
  const listeners = process.listenerCount('exit')
  const file = join(folder, 'never.mjs')
  writeFileSync(file, 'await new Promise(() => setInterval(() => {}, 1_000).unref())')
  const waiting = setInterval(() => undefined, 1_000)
  const message = 'it has not finished loading after 0.05 seconds. A top-level await that never ends keeps it.'
  await assert.rejects(importModule(file, 50), { message })
  clearInterval(waiting)
  assert.equal(process.listenerCount('exit'), listeners)
})

test('a module that is loaded in time is returned', async () => {
  const file = join(folder, 'soon.mjs')
  writeFileSync(file, 'export const answer = await Promise.resolve(42)')
  assert.equal((await importModule(file))['answer'], 42)
})
