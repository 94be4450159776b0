import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { emptyFolder, endAll, removeFolders, serve, startServe } from './command-line.js'
import { seededBy, otherFiles, titlesAt } from './seeded-application.js'

after(() => {
  endAll()
  removeFolders()
})

describe('the first start of several processes', { concurrency: 2 }, () => {
  it('a process that waits for the first start of another process logs that, and can be stopped', async () => {
    const cwd = emptyFolder()
    const app = seededBy(`const { existsSync } = await import('node:fs')
      while (!existsSync('enough')) await new Promise((resolve) => setTimeout(resolve, 20))
      await insert(records, 'One')`)
    const words = [app, '--port', '0', '--database', 'sqlite:x.sqlite']
    const first = startServe(words, { cwd })
    const second = startServe(words, { cwd })
    const waiting = /"database":"sqlite:x\.sqlite".*another process makes the first start of this database: waiting/
    const isFirst = await Promise.race([
      first.waitForOutput(waiting).then(() => false),
      second.waitForOutput(waiting).then(() => true),
    ])
    const [creator, waiter] = isFirst ? [first, second] : [second, first]
    assert.equal(await waiter.end('SIGTERM'), 0)
    assert.equal(waiter.output().trim().split('\n').length, 1, waiter.output())
    writeFileSync(join(cwd, 'enough'), '')
    await creator.waitForOutput(/1 route at http/)
    assert.equal(await creator.end('SIGTERM'), 0)
  })

  it('one of several processes makes it, and the others wait for it', async () => {
    const cwd = emptyFolder()
    const app = seededBy(`await insert(records, 'One')
      await new Promise((resolve) => setTimeout(resolve, 1500))
      await insert(records, 'Two')`)
    const words = [app, '--port', '0', '--database', 'sqlite:x.sqlite']
    const served = await Promise.all([1, 2, 3].map(() => serve(words, { cwd })))
    for (const { url } of served) assert.deepEqual(((await titlesAt(url)) as string[]).sort(), ['One', 'Two'])
    assert.equal(
      served.filter((each) => each.output().includes('created a new database and an administrator')).length,
      1,
    )
    assert.ok(served.every((each) => !each.output().includes('Nobody can log in yet')))
    for (const each of served) assert.equal(await each.end('SIGTERM'), 0)
    assert.deepEqual(otherFiles(cwd), ['first-login.txt'])
  })
})
