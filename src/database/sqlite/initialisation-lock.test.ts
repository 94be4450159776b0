import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { InitialisationLock } from './initialisation-lock.js'
import { sqliteLibrary } from './sqlite-client.js'

const folder = mkdtempSync(join(tmpdir(), 'first-start-turn-'))
after(() => rmSync(folder, { recursive: true }))

describe('the lock for the first start of a database', () => {
  it('one process holds it at a time, also when the one before created nothing', async () => {
    const open = await sqliteLibrary()
    const database = join(folder, 'one.sqlite')
    let holding = 0
    const turns: number[] = []
    const takePart = async (name: number) => {
      const turn = await InitialisationLock.take(open, database)
      holding += 1
      assert.equal(holding, 1)
      assert.ok(existsSync(`${database}-first-start`), 'others would make another file')
      turns.push(name)
      for (let round = 0; round < 100; round += 1) await setImmediate()
      holding -= 1
      turn.end()
    }
    const first = await InitialisationLock.take(open, database)
    const waiting = [1, 2, 3].map(takePart)
    first.end()
    await Promise.all([...waiting, ...[4, 5].map(takePart)])
    assert.deepEqual(turns.sort(), [1, 2, 3, 4, 5])
    assert.equal(existsSync(`${database}-first-start`), false)
  })

  it('a process waits for it until its signal aborts', async () => {
    const open = await sqliteLibrary()
    const database = join(folder, 'two.sqlite')
    const first = await InitialisationLock.take(open, database)
    const stop = new AbortController()
    let noticeCount = 0
    const onLong = () => {
      noticeCount += 1
      stop.abort()
    }
    const second = InitialisationLock.take(open, database, { onLong, signal: stop.signal })
    await assert.rejects(second, (error) => error === stop.signal.reason)
    assert.equal(noticeCount, 1)
    first.end()
    ;(await InitialisationLock.take(open, database)).end()
  })

  it('others see whether it is taken, and create no file, also when it ends meanwhile', async () => {
    const open = await sqliteLibrary()
    const database = join(folder, 'three #?%41.sqlite')
    const file = `${database}-first-start`
    assert.equal(InitialisationLock.isTaken(open, database), false)
    const lock = await InitialisationLock.take(open, database)
    assert.equal(InitialisationLock.isTaken(open, database), true)
    const openAfterItsEnd: typeof open = (...location) => {
      lock.end()
      return open(...location)
    }
    assert.equal(InitialisationLock.isTaken(openAfterItsEnd, database), false)
    assert.equal(existsSync(file), false)
    writeFileSync(file, '')
    assert.equal(InitialisationLock.isTaken(open, database), false)
  })
})
