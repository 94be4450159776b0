import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { emptyFolder, endAll, removeFolders, serve } from './command-line.js'

const careless = fileURLToPath(new URL('../fixtures/left-behind/', import.meta.url))

after(() => {
  endAll()
  removeFolders()
})

test('what a handler leaves behind is logged, and every other request is answered', async () => {
  const served = await serve([careless, '--port', '0', '--database', 'sqlite::memory:'], { cwd: emptyFolder() })
  for (const path of ['promise', 'timer']) {
    const answer = await fetch(`${served.url}/wp-json/careless/v1/${path}`)
    assert.equal(await answer.json(), 'answered')
    await wait(50)
  }
  assert.equal((await fetch(`${served.url}/healthz`)).status, 200)
  assert.match(served.output(), /nobody waited/)
  assert.match(served.output(), /thrown later/)
  assert.equal(await served.end('SIGTERM'), 0)
})
