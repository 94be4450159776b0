import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { emptyFolder, endAll, removeFolders, serve } from './command-line.js'

const careless = fileURLToPath(new URL('../fixtures/left-behind/', import.meta.url))

after(() => {
  endAll()
  removeFolders()
})

test('what a handler leaves behind is logged, and every other request is answered', async () => {
  const served = await serve([careless, '--port', '0', '--database', 'sqlite::memory:'], { cwd: emptyFolder() })
  for (const [path, told] of [
    ['promise', /nobody waited/],
    ['timer', /thrown later/],
  ] as const) {
    const answer = await fetch(`${served.url}/wp-json/careless/v1/${path}`)
    assert.equal(await answer.json(), 'answered')
    await served.says(told)
  }
  assert.equal((await fetch(`${served.url}/healthz`)).status, 200)
  assert.equal(await served.end('SIGTERM'), 0)
})
