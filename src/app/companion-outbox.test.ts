import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { until } from '../../test/support/until.js'
import { CompanionOutbox, type Notice } from './companion-outbox.js'

/** An outbox that records the messages it sends. While `state.isAway` is true, each message fails. */
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
  it('of 5 milliseconds are one message, and those of one row are merged into one notice', async () => {
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

  it('are sent again until the plugin accepts them, together with later ones, and an outage is reported once', async () => {
    const { box, sent, failures, state } = outbox()
    state.isAway = true
    box.add([post(1, 'insert')])
    await until(() => sent.length > 2)
    // By now the last message has failed, and the next attempt is at least 40 ms away.
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

  it('are sent in halves after a message that fails, and a single notice that fails is replaced by a notice of kind `all`', async () => {
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
    it(`are sent in halves after a time-out of PHP, while PHP ${isReachable ? 'answers' : 'does not answer'} another message`, async () => {
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

  it('are sent singly when each fails, and the notices `all` and `index` are repeated with growing delays', async () => {
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

  it('of a row that always fails do not delay those of other rows, however often the row is written', async () => {
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

  it('beyond the maximum number that may wait are replaced by one notice of kind `all`', async () => {
    const { box, sent, state } = outbox({ maxWaiting: 100 })
    state.isAway = true
    for (let id = 1; id <= 1000; id += 1) box.add([post(id, 'update')])
    state.isAway = false
    await until(() => sent.flat().some(({ kind }) => kind === 'all'))
    const all = sent.flat()
    assert.ok(all.length < 300, `${all.length}`)
  })

  it('of kind `index` are kept when the others are replaced by one of kind `all`', async () => {
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

  it('are sent in messages of at most 500', async () => {
    const { box, sent } = outbox()
    box.add(Array.from({ length: 1200 }, (_, index) => post(index + 1, 'update')))
    await until(() => sent.flat().length >= 1200)
    assert.deepEqual(
      sent.map(({ length }) => length),
      [500, 500, 200],
    )
  })

  it('that wait are sent once more by `close`, which ends within its time limit', async () => {
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

  it('that `close` could not deliver are counted, those of a pending message included and those of kind `index` excluded', async () => {
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
