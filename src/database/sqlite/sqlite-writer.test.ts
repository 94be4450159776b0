import assert from 'node:assert/strict'
import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { StorageError } from '../storage-error.js'
import type { SqlConnection } from '../sql/sql-connection.js'
import { anonymousClientWork, runForClient, type ClientPresence } from '../../base/client-presence.js'
import { SqliteWriter, type WriterConnection } from './sqlite-writer.js'

/** As a request does: what the work has left running is kept after the response. */
async function forClient<T>(client: ClientPresence, work: () => T | Promise<T>): Promise<T> {
  const clientWork = { client, requestId: '', isKept: false }
  try {
    return await runForClient(clientWork, work)
  } finally {
    clientWork.isKept = true
  }
}

/** A connection that writes down what it is told, and fails where it should. */
class RecordingConnection implements WriterConnection {
  readonly texts: string[] = []
  readonly #failing: ReadonlyMap<string, StorageError>

  constructor(failing: Readonly<Record<string, StorageError>> = {}) {
    this.#failing = new Map(Object.entries(failing))
  }

  async query(text: string): Promise<[]> {
    await this.execute(text)
    return []
  }

  async row(text: string): Promise<null> {
    await this.execute(text)
    return null
  }

  async execute(text: string): Promise<number> {
    this.texts.push(text)
    const fault = this.#failing.get(text)
    if (fault !== undefined) throw fault
    return 1
  }

  insert(text: string): Promise<number> {
    return this.execute(text)
  }

  attempt(text: string): Promise<number> {
    return this.execute(text)
  }

  commit(): Promise<number> {
    return this.execute('COMMIT')
  }

  rollBack(): Promise<number> {
    return this.execute('ROLLBACK')
  }
}

/** A connection whose lock another process has until `release`. */
class LockedConnection extends RecordingConnection {
  #isLocked = true
  #whenTried = (): void => {}

  override async attempt(text: string): Promise<number> {
    this.#whenTried()
    if (this.#isLocked) throw busy
    return super.attempt(text)
  }

  lock(): void {
    this.#isLocked = true
  }

  release(): void {
    this.#isLocked = false
  }

  /** Resolves after two more attempts have failed, and so after all that follows the first one. */
  async tried(): Promise<void> {
    for (let attempts = 0; attempts < 2; attempts += 1)
      await new Promise<void>((resolve) => {
        this.#whenTried = resolve
      })
  }
}

const busy = new StorageError('busy', 'locked')
const full = new StorageError('full', 'The disk is full')
const alone = { alone: true }
const shared = { alone: false }

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

describe('writing while another process has the lock', () => {
  const connected = { destroyed: false, readableEnded: false }
  const write = (own: SqlConnection) => own.execute('write')

  it('each write waits from its own submission on, however many wait', async (context) => {
    let now = 0
    context.mock.method(performance, 'now', () => now)
    const connection = new LockedConnection()
    const writer = new SqliteWriter(connection, 5000)
    const early = Promise.allSettled(Array.from({ length: 500 }, () => writer.submit(write, shared)))
    await connection.tried()
    now = 4999
    const late = Array.from({ length: 10 }, (_, index) => writer.submit(write, index % 2 === 0 ? shared : alone))
    await connection.tried()
    now = 5000
    for (const outcome of await early) assert.ok(outcome.status === 'rejected' && outcome.reason === busy)
    now = 9998
    await connection.tried()
    connection.release()
    assert.deepEqual(await Promise.all(late), Array(10).fill(1))
  })

  it('the time of a write ends while it waits for the second attempt of its group', async (context) => {
    let now = 0
    context.mock.method(performance, 'now', () => now)
    const connection = new LockedConnection()
    connection.release()
    const writer = new SqliteWriter(connection, 5000)
    const outcomes = Promise.allSettled([
      writer.submit(write, shared),
      writer.submit(async (own) => {
        await own.execute('half')
        connection.lock()
        throw new Error('in the middle')
      }, shared),
    ])
    await connection.tried()
    assert.equal(connection.texts.at(-1), 'ROLLBACK')
    now = 5000
    for (const outcome of await outcomes) assert.ok(outcome.status === 'rejected' && outcome.reason === busy)
  })

  it('a write whose client has left is dropped, also one that would share a commit', async () => {
    for (const left of [{ destroyed: true }, { readableEnded: true }]) {
      const connection = new LockedConnection()
      const writer = new SqliteWriter(connection, 60_000, anonymousClientWork)
      const client = { ...connected }
      const abandoned = [shared, alone, shared].map((kind) =>
        forClient(client, () => writer.submit((own) => own.execute('abandoned'), kind)),
      )
      const others = [writer.submit(write, shared), forClient(connected, () => writer.submit(write, shared))]
      await connection.tried()
      Object.assign(client, left)
      for (const outcome of await Promise.allSettled(abandoned))
        assert.ok(outcome.status === 'rejected' && /client has left/.test(String(outcome.reason)))
      connection.release()
      await Promise.all(others)
      assert.deepEqual(connection.texts, ['BEGIN IMMEDIATE', 'write', 'write', 'COMMIT'])
    }
  })

  it('a request that has begun to write is finished without its client', async () => {
    const connection = new LockedConnection()
    connection.release()
    const writer = new SqliteWriter(connection, 60_000, anonymousClientWork)
    const client = { ...connected }
    const outcome = forClient(client, async () => {
      await writer.submit(write, shared)
      connection.lock()
      const second = writer.submit(write, shared)
      client.destroyed = true
      await connection.tried()
      connection.release()
      return second
    })
    assert.equal(await outcome, 1)
  })

  it('closing refuses what waits for the lock, whatever time it has left', async (context) => {
    context.mock.method(performance, 'now', () => 0)
    const connection = new LockedConnection()
    const writer = new SqliteWriter(connection, 60_000, anonymousClientWork)
    const waiting = Promise.allSettled(Array.from({ length: 200 }, () => writer.submit(write, shared)))
    await connection.tried()
    await writer.close()
    for (const outcome of await waiting) assert.ok(outcome.status === 'rejected' && outcome.reason === busy)
    assert.deepEqual(connection.texts, [])
  })
})

describe('writing while the lock is free', () => {
  it('a handler that submits after its client has left gets its write', async () => {
    const connection = new RecordingConnection()
    const writer = new SqliteWriter(connection, 1000, anonymousClientWork)
    const submitted = (client: { destroyed: boolean; readableEnded: boolean }) =>
      forClient(client, () => writer.submit((own) => own.execute('write'), shared))
    const outcomes = await Promise.allSettled([
      submitted({ destroyed: false, readableEnded: true }),
      submitted({ destroyed: true, readableEnded: true }),
    ])
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'fulfilled'],
    )
    assert.deepEqual(connection.texts, ['BEGIN IMMEDIATE', 'write', 'write', 'COMMIT'])
  })

  it('a client that leaves while its write waits loses it', async () => {
    const client = { destroyed: false, readableEnded: false }
    const writer = new SqliteWriter(new RecordingConnection(), 1000, anonymousClientWork)
    const write = forClient(client, () => writer.submit((own) => own.execute('write'), shared))
    client.destroyed = true
    await assert.rejects(Promise.resolve(write))
  })

  it('work that goes on after the response keeps its write when the client leaves', async () => {
    const client = { destroyed: false, readableEnded: false }
    const writer = new SqliteWriter(new RecordingConnection(), 1000, anonymousClientWork)
    // Another request in progress: without one, no asynchronous context is in use.
    let finishOther = (): void => undefined
    const other = forClient({ ...client }, () => new Promise<void>((resolve) => (finishOther = resolve)))
    let goOn = (): void => undefined
    const response = new Promise<void>((resolve) => (goOn = resolve))
    let written: Promise<unknown> | null = null
    const submitLater = async (): Promise<void> => {
      await response
      written = writer.submit((own) => own.execute('write'), shared)
    }
    let submitted: Promise<void> | null = null
    await forClient(client, async () => {
      submitted = submitLater()
    })
    goOn()
    await submitted
    client.destroyed = true
    await written
    finishOther()
    await other
  })
})
