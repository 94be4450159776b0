import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { until } from '../../test/support/until.js'
import { CompanionOutbox, type Notice } from './companion-outbox.js'

/** An outbox whose messages a test answers, one after the other. */
function outbox(options: { readonly maxWaiting?: number } = {}) {
  const sent: (readonly Notice[])[] = []
  const failures: string[] = []
  const state = { isAway: false }
  const box = new CompanionOutbox({
    async send(notices) {
      sent.push(notices)
      const { isAway } = state
      await setTimeout(5)
      if (isAway) throw new Error('away')
    },
    isReachable: () => Promise.resolve(!state.isAway),
    onFailure: (error) => void failures.push((error as Error).message),
    collecting: 5,
    firstDelay: 10,
    ...options,
  })
  return { box, sent, failures, state }
}

const post = (id: number, event: 'insert' | 'update' | 'delete' | 'meta'): Notice => ({ kind: 'post', id, event })

describe('the notices for the companion plugin', () => {
  it('are collected, and those of one row become one', async () => {
    const { box, sent } = outbox()
    box.add([post(1, 'insert'), post(2, 'update')])
    box.add([
      post(1, 'meta'),
      post(2, 'meta'),
      post(3, 'meta'),
      post(3, 'update'),
      post(4, 'insert'),
      post(4, 'delete'),
    ])
    box.add([
      { kind: 'post', id: 3, event: 'meta', terms: [7] },
      { kind: 'post', id: 3, event: 'meta', terms: [8, 7] },
    ])
    await until(() => sent.length > 0)
    assert.deepEqual(sent, [
      [
        post(1, 'insert'),
        post(2, 'update'),
        { kind: 'post', id: 3, event: 'update', terms: [7, 8] },
        post(4, 'delete'),
      ],
    ])
  })

  it('are sent again until they are taken, with what was written meanwhile, and an outage is reported once', async () => {
    const { box, sent, failures, state } = outbox()
    state.isAway = true
    box.add([post(1, 'insert')])
    await until(() => sent.length > 2)
    // The message has failed by now, and is not sent again before 40 ms are over.
    await setTimeout(15)
    box.add([post(1, 'meta'), post(2, 'update')])
    state.isAway = false
    await until(() => sent.at(-1)?.length === 2)
    assert.deepEqual(sent.at(-1), [post(1, 'insert'), post(2, 'update')])
    assert.deepEqual(failures, ['away'])
    const before = sent.length
    await setTimeout(100)
    assert.equal(sent.length, before)
  })

  it('are sent in halves after a message that ends PHP, and the one that does so becomes one that stands for all', async () => {
    const taken: Notice[] = []
    const failures: string[] = []
    let messages = 0
    const box = new CompanionOutbox({
      async send(notices) {
        messages += 1
        await setTimeout(1)
        if (notices.some((notice) => 'id' in notice && notice.id === 300)) throw new Error('exit')
        taken.push(...notices)
      },
      onFailure: (error) => void failures.push((error as Error).message),
      collecting: 5,
      firstDelay: 10,
    })
    const index: Notice = { kind: 'index', namespaces: [], routes: {} }
    box.add([index, ...Array.from({ length: 1000 }, (_, id) => post(id, 'update'))])
    await until(() => taken.length === 1001)
    const ids = taken.map((notice) => ('id' in notice ? notice.id : notice.kind))
    assert.deepEqual(
      new Set(ids),
      new Set(['index', 'all', ...Array.from({ length: 1000 }, (_, id) => id).filter((id) => id !== 300)]),
    )
    assert.ok(messages < 60, `${messages}`)
    assert.deepEqual(failures, ['exit'])
  })

  for (const isReachable of [true, false])
    it(`that take PHP too long are sent in halves, while it ${isReachable ? 'answers' : 'has no time for'} another message`, async () => {
      const sent: number[] = []
      let taken = 0
      const box = new CompanionOutbox({
        async send(notices) {
          sent.push(notices.length)
          await setTimeout(1)
          if (notices.length > 150) throw new DOMException('too slow', 'TimeoutError')
          taken += notices.length
        },
        isReachable: () => Promise.resolve(isReachable),
        onFailure: () => {},
        collecting: 1,
        firstDelay: 1,
      })
      box.add(Array.from({ length: 1000 }, (_, id) => post(id, 'update')))
      await until(() => taken === 1000)
      assert.deepEqual(sent.slice(0, 3), [500, 250, 125])
    })

  it('that all end PHP are tried alone, and what stands for all of them, and an index, are repeated ever more slowly', async () => {
    const sent: (readonly Notice[])[] = []
    const box = new CompanionOutbox({
      async send(notices) {
        sent.push(notices)
        throw new Error('each of them')
      },
      onFailure: () => {},
      collecting: 1,
      firstDelay: 4,
    })
    box.add([
      { kind: 'index', namespaces: [], routes: {} },
      ...Array.from({ length: 20 }, (_, id) => post(id, 'update')),
    ])
    const kindsOfLast = () => sent.slice(-4).map(([notice]) => notice?.kind)
    await until(() => sent.length > 40 && kindsOfLast().every((kind) => kind === 'all' || kind === 'index'))
    assert.deepEqual(new Set(kindsOfLast()), new Set(['all', 'index']))
    const before = sent.length
    await setTimeout(300)
    assert.ok(sent.length - before < 15, `${sent.length - before}`)
    await box.close(100)
  })

  it('of a row that always fails hold up no other, however often it is written', async () => {
    const taken: Notice[] = []
    const box = new CompanionOutbox({
      async send(notices) {
        await setTimeout(1)
        if (notices.some((notice) => 'id' in notice && notice.id === 1)) throw new Error('exit')
        taken.push(...notices)
      },
      onFailure: () => {},
      collecting: 1,
      firstDelay: 5,
    })
    for (let id = 2; id < 12; id += 1) {
      box.add([post(1, 'update'), post(id, 'update')])
      await setTimeout(4)
    }
    await until(() => taken.filter((notice) => 'id' in notice).length >= 10)
    await until(() => taken.some(({ kind }) => kind === 'all'))
    await box.close(100)
  })

  it('need bounded memory: too many become one that stands for all', async () => {
    const { box, sent, state } = outbox({ maxWaiting: 100 })
    state.isAway = true
    for (let id = 1; id <= 1000; id += 1) box.add([post(id, 'update')])
    state.isAway = false
    await until(() => sent.flat().some(({ kind }) => kind === 'all'))
    const all = sent.flat()
    assert.ok(all.length < 300, `${all.length}`)
  })

  it('too many keep the routes for the index of WordPress', async () => {
    const { box, sent, state } = outbox({ maxWaiting: 100 })
    const index: Notice = { kind: 'index', namespaces: ['shop/v1'], routes: {} }
    state.isAway = true
    box.add([index])
    for (let id = 1; id <= 1000; id += 1) box.add([post(id, 'update')])
    await until(() => sent.length > 1)
    state.isAway = false
    await until(() => sent.at(-1)?.some(({ kind }) => kind === 'index') === true)
    assert.ok(sent.flat().some((notice) => notice === index))
  })

  it('come in messages of at most 500', async () => {
    const { box, sent } = outbox()
    box.add(Array.from({ length: 1200 }, (_, index) => post(index + 1, 'update')))
    await until(() => sent.flat().length >= 1200)
    assert.deepEqual(
      sent.map(({ length }) => length),
      [500, 500, 200],
    )
  })

  it('are sent once more at the end, which waits for a limited time', async () => {
    const { box, sent } = outbox()
    box.add([post(1, 'update')])
    await box.close(1000)
    assert.deepEqual(sent, [[post(1, 'update')]])
    const other = outbox()
    other.state.isAway = true
    other.box.add([post(1, 'update')])
    await other.box.close(1000)
    assert.equal(other.sent.length, 1)
    await setTimeout(50)
    assert.equal(other.sent.length, 1)
  })

  it('that may not have arrived at the end are counted, also those on their way, but not the routes of an index', async () => {
    const lost: number[] = []
    const box = new CompanionOutbox({
      send: () => new Promise(() => {}),
      onFailure: () => {},
      onLost: (count) => void lost.push(count),
      collecting: 1,
    })
    box.add([{ kind: 'index', namespaces: [], routes: {} }, post(1, 'update'), post(2, 'update')])
    await setTimeout(20)
    box.add([post(3, 'update')])
    await box.close(50)
    assert.deepEqual(lost, [3])
  })
})
