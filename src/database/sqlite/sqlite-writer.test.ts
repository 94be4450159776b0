import assert from 'node:assert/strict'
import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { StorageError } from '../storage-error.js'
import type { SqlConnection } from '../sql/sql-connection.js'
import { SqliteWriter } from './sqlite-writer.js'
import { RecordingConnection, alone, shared } from '../../../test/support/writer-connections.js'

const full = new StorageError('full', 'The disk is full')

describe('writing', () => {
  it('each write runs in the asynchronous context of its submitter', async () => {
    const caller = new AsyncLocalStorage<string>()
    const writer = new SqliteWriter(new RecordingConnection(), 1000)
    const name = async (own: SqlConnection) => {
      await own.execute('write')
      return caller.getStore()
    }
    const submitted = ['ada', 'bob', 'eve'].flatMap((who) =>
      caller.run(who, () => [writer.submit(name, shared), writer.submit(name, alone)]),
    )
    assert.deepEqual(await Promise.all(submitted), ['ada', 'ada', 'bob', 'bob', 'eve', 'eve'])
    assert.equal(await writer.submit(name, shared), undefined)
  })

  it('each write destroys its asynchronous resource, also when it fails', async () => {
    const created: number[] = []
    const destroyed = new Set<number>()
    const hook = createHook({
      init: (id, type) => void (type === 'SqliteWrite' && created.push(id)),
      destroy: (id) => void destroyed.add(id),
    }).enable()
    const writer = new SqliteWriter(new RecordingConnection({ 'write badly': full }), 1000)
    await Promise.allSettled([
      ...['write', 'write badly', 'write'].map((text) => writer.submit((own) => own.execute(text), shared)),
      writer.submit(() => Promise.reject(new Error('of the work')), alone),
    ])
    await writer.close()
    await assert.rejects(writer.submit((own) => own.execute('late'), shared))
    await nextTurn()
    hook.disable()
    assert.equal(created.length, 4)
    assert.deepEqual(
      created.filter((id) => !destroyed.has(id)),
      [],
    )
  })

  it('commits once for writes that wait at the same time', async () => {
    const connection = new RecordingConnection()
    const writer = new SqliteWriter(connection, 1000)
    const results = await Promise.all(
      [1, 2, 3].map((number) =>
        writer.submit(async (own) => {
          await own.execute(`write ${number}`)
          return number
        }, shared),
      ),
    )
    assert.deepEqual(results, [1, 2, 3])
    assert.deepEqual(connection.texts, ['BEGIN IMMEDIATE', 'write 1', 'write 2', 'write 3', 'COMMIT'])
  })

  it('a group waits while each tick brings a write, for four ticks at most', async () => {
    const connection = new RecordingConnection()
    const writer = new SqliteWriter(connection, 1000)
    const results: Promise<unknown>[] = []
    for (const number of [1, 2, 3, 4, 5, 6]) {
      // Begins before the tick of the writer, as reading a socket does.
      const next = nextTurn()
      results.push(writer.submit((own) => own.execute(`write ${number}`), shared))
      await next
    }
    await Promise.all(results)
    const groups = connection.texts
      .join()
      .split(/,?BEGIN IMMEDIATE,/)
      .slice(1)
    assert.deepEqual(groups, ['write 1,write 2,write 3,write 4,write 5,COMMIT', 'write 6,COMMIT'])
  })

  it('a transaction of its own waits for one tick, because no write joins it', async () => {
    const connection = new RecordingConnection()
    const writer = new SqliteWriter(connection, 1000)
    const results = [writer.submit((own) => own.execute('transaction'), alone)]
    const next = nextTurn()
    results.push(writer.submit((own) => own.execute('write'), shared))
    await next
    results.push(writer.submit((own) => own.execute('late'), shared))
    await Promise.all(results)
    assert.deepEqual(connection.texts.slice(0, 3), ['BEGIN IMMEDIATE', 'transaction', 'COMMIT'])
  })

  it('commits 500 waiting writes in few groups', async () => {
    const connection = new RecordingConnection()
    const writer = new SqliteWriter(connection, 1000)
    await Promise.all(Array.from({ length: 500 }, () => writer.submit((own) => own.execute('write'), shared)))
    assert.equal(connection.texts.filter((text) => text === 'write').length, 500)
    assert.equal(connection.texts.filter((text) => text === 'COMMIT').length, 8)
  })

  it('a write resolves only after the commit', async () => {
    const connection = new RecordingConnection()
    const writer = new SqliteWriter(connection, 1000)
    await Promise.all(
      [1, 2].map(async () => {
        await writer.submit((own) => own.execute('write'), shared)
        assert.equal(connection.texts.at(-1), 'COMMIT')
      }),
    )
  })

  it('a write that fails before any change does not affect the writes behind it', async () => {
    const connection = new RecordingConnection()
    const writer = new SqliteWriter(connection, 1000)
    const outcomes = await Promise.allSettled([
      writer.submit((own) => own.execute('write 1'), shared),
      writer.submit(async (own) => {
        await own.row('read')
        throw new Error('refused')
      }, shared),
      writer.submit((own) => own.execute('write 2'), shared),
    ])
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(connection.texts, ['BEGIN IMMEDIATE', 'write 1', 'read', 'write 2', 'COMMIT'])
  })

  it('a write that fails after a change is rolled back alone, and the others run again', async () => {
    const connection = new RecordingConnection()
    const writer = new SqliteWriter(connection, 1000)
    let runs = 0
    const outcomes = await Promise.allSettled([
      writer.submit(async (own) => {
        runs += 1
        await own.execute('write 1')
        return `run ${runs}`
      }, shared),
      writer.submit(async (own) => {
        await own.execute('half')
        throw new Error('in the middle')
      }, shared),
      writer.submit((own) => own.execute('write 2'), shared),
    ])
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(outcomes[0], { status: 'fulfilled', value: 'run 2' })
    const inSavepoint = (...texts: string[]) => ['SAVEPOINT job', ...texts, 'RELEASE SAVEPOINT job']
    assert.deepEqual(connection.texts, [
      'BEGIN IMMEDIATE',
      'write 1',
      'half',
      'ROLLBACK',
      'BEGIN IMMEDIATE',
      ...inSavepoint('write 1'),
      ...inSavepoint('half', 'ROLLBACK TO SAVEPOINT job'),
      ...inSavepoint('write 2'),
      'COMMIT',
    ])
  })

  it('all writes of a group run separately when one of them hides a failed statement', async () => {
    const connection = new RecordingConnection({ refused: new StorageError('constraint', 'a trigger rolled back') })
    const writer = new SqliteWriter(connection, 1000)
    const outcomes = await Promise.all([
      writer.submit((own) => own.execute('write 1'), shared),
      writer.submit(async (own) => {
        try {
          return await own.execute('refused')
        } catch {
          return 'swallowed'
        }
      }, shared),
      writer.submit((own) => own.execute('write 2'), shared),
    ])
    assert.deepEqual(outcomes, [1, 'swallowed', 1])
    const inSavepoint = (text: string) => ['SAVEPOINT job', text, 'RELEASE SAVEPOINT job']
    const together = ['BEGIN IMMEDIATE', 'write 1', 'refused', 'ROLLBACK']
    const again = [
      'BEGIN IMMEDIATE',
      ...inSavepoint('write 1'),
      ...inSavepoint('refused'),
      ...inSavepoint('write 2'),
      'COMMIT',
    ]
    assert.deepEqual(connection.texts, [...together, ...again])
  })

  it('a single write that fails is rolled back and not run again', async () => {
    const connection = new RecordingConnection()
    const half = async (own: SqlConnection) => {
      await own.execute('half')
      throw new Error('in the middle')
    }
    await assert.rejects(new SqliteWriter(connection, 1000).submit(half, shared), /in the middle/)
    assert.deepEqual(connection.texts, ['BEGIN IMMEDIATE', 'half', 'ROLLBACK'])
  })

  it('a transaction of unknown length shares no commit', async () => {
    const connection = new RecordingConnection()
    const writer = new SqliteWriter(connection, 1000)
    await Promise.all([
      writer.submit((own) => own.execute('short 1'), shared),
      writer.submit((own) => own.execute('long'), alone),
      writer.submit((own) => own.execute('short 2'), shared),
    ])
    assert.deepEqual(
      connection.texts,
      ['short 1', 'long', 'short 2'].flatMap((text) => ['BEGIN IMMEDIATE', text, 'COMMIT']),
    )
  })

  it('a failed commit rejects every write of its group, and the next group is committed', async () => {
    const connection = new RecordingConnection({ COMMIT: full })
    const writer = new SqliteWriter(connection, 1000)
    const outcomes = await Promise.allSettled([1, 2].map(() => writer.submit((own) => own.execute('write'), shared)))
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason),
      [full, full],
    )
    assert.equal(connection.texts.at(-1), 'ROLLBACK')
    await assert.rejects(
      writer.submit((own) => own.execute('write'), shared),
      full,
    )
  })

  it('every write of a group is rejected when the database cannot be locked', async () => {
    const connection = new RecordingConnection({ 'BEGIN IMMEDIATE': full })
    const writer = new SqliteWriter(connection, 1000)
    const outcomes = await Promise.allSettled([1, 2].map(() => writer.submit((own) => own.execute('write'), shared)))
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason),
      [full, full],
    )
    assert.deepEqual(connection.texts, ['BEGIN IMMEDIATE'])
  })

  it('after a fault that may have ended the transaction nothing of the group is written or committed', async () => {
    const connection = new RecordingConnection({ overflow: full })
    const writer = new SqliteWriter(connection, 1000)
    const outcomes = await Promise.allSettled([
      writer.submit((own) => own.execute('before'), shared),
      writer.submit(async (own) => {
        for (const text of ['overflow', 'after']) {
          try {
            await own.execute(text)
          } catch {
            // The work of the application catches the error.
          }
        }
      }, shared),
      writer.submit((own) => own.execute('next'), shared),
    ])
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected', 'rejected'],
    )
    assert.ok(!connection.texts.includes('after'))
    assert.ok(!connection.texts.includes('COMMIT'))
  })

  it('closing finishes the submitted writes and refuses later ones', async () => {
    const connection = new RecordingConnection()
    const writer = new SqliteWriter(connection, 1000)
    const write = writer.submit((own) => own.execute('write'), shared)
    const closing = writer.close()
    await assert.rejects(
      writer.submit((own) => own.execute('late'), shared),
      { fault: 'unavailable' },
    )
    await Promise.all([write, closing])
    assert.equal(connection.texts.at(-1), 'COMMIT')
  })

  it('another connection gets its turn while many writes wait', async () => {
    // By turns of the event loop: how long one takes depends on what else the machine does.
    let turns = 0
    const count = (): void => {
      turns += 1
      counting = setImmediate(count)
    }
    let counting = setImmediate(count)
    let [last, longest] = [Infinity, 0]
    const writer = new SqliteWriter(new RecordingConnection(), 1000)
    const until = performance.now() + 400
    const write = async (): Promise<void> => {
      while (performance.now() < until) {
        await writer.submit(async () => (longest = Math.max(longest, turns - last)), alone)
        last = turns
      }
    }
    await Promise.all([write(), write()])
    clearImmediate(counting)
    assert.ok(longest >= 10, `${longest} turns`)
  })

  it('writes beyond the limit of the queue are refused', async () => {
    const writer = new SqliteWriter(new RecordingConnection(), 1000)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10_001 }, () => writer.submit(async () => undefined, shared)),
    )
    assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 1)
    await assert.doesNotReject(writer.submit(async () => undefined, shared))
  })
})
