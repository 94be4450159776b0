import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StorageError } from '../storage-error.js'
import type { SqlConnection } from '../sql/sql-connection.js'
import { anonymousClientWork, runForClient, type ClientPresence } from '../../base/client-presence.js'
import { SqliteWriter } from './sqlite-writer.js'
import { RecordingConnection, alone, shared } from '../../../test/support/writer-connections.js'

/** As a request does: what the work has left running is kept after the response. */
async function forClient<T>(client: ClientPresence, work: () => T | Promise<T>): Promise<T> {
  const clientWork = { client, requestId: '', isKept: false }
  try {
    return await runForClient(clientWork, work)
  } finally {
    clientWork.isKept = true
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
