import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RowCache } from './row-cache.js'

/** A database with one row, which counts what is asked of it. */
function database() {
  const asked = { stamps: 0, rows: 0, decoded: 0 }
  let stamp = 1
  let row: unknown = 'first'
  const kept = new RowCache()
  return {
    asked,
    write(value: unknown) {
      row = value
      stamp += 1
    },
    ask: (question = 'page 1') =>
      kept.rows(
        question,
        () => ((asked.stamps += 1), stamp),
        () => ((asked.rows += 1), JSON.stringify([row])),
        (json) => ((asked.decoded += 1), JSON.parse(json) as readonly unknown[]),
      ),
  }
}

test('what comes again is read again only when something was written, and decoded only when it is another text', () => {
  const { ask, write, asked } = database()
  for (let time = 0; time < 5; time += 1) assert.deepEqual(ask(), ['first'])
  assert.deepEqual(asked, { stamps: 4, rows: 2, decoded: 2 })
  // Something else was written.
  write('first')
  for (let time = 0; time < 2; time += 1) assert.deepEqual(ask(), ['first'])
  assert.deepEqual(asked, { stamps: 6, rows: 3, decoded: 2 })
  for (const value of ['second', 'first', 'third', 'third', 'first']) {
    write(value)
    for (let time = 0; time < 2; time += 1) assert.deepEqual(ask(), [value])
  }
})

test('a question that is asked for the first time costs no stamp, and keeps nothing', () => {
  const { ask, asked } = database()
  for (let page = 1; page <= 100; page += 1) ask(`page ${page}`)
  assert.deepEqual(asked, { stamps: 0, rows: 100, decoded: 100 })
})

test('who waits for the same stamp shares what the first of them reads', async () => {
  const kept = new RowCache()
  let stamp = 1
  let read = 0
  const ask = () =>
    kept.rows(
      'page 1',
      () => wanted,
      () => JSON.stringify([stamp, (read += 1)]),
      (json) => JSON.parse(json) as readonly number[],
    )
  let wanted = Promise.resolve(stamp)
  for (let time = 0; time < 3; time += 1) await ask()
  assert.equal(read, 2)
  stamp = 2
  wanted = Promise.resolve(stamp)
  const answers = await Promise.all([ask(), ask(), ask()])
  assert.deepEqual(answers, [
    [2, 3],
    [2, 3],
    [2, 3],
  ])
})

test('rows that were written while they were read are read again', async () => {
  const kept = new RowCache()
  let stamp = 1
  let row = 'before'
  const ask = (whileReading = () => undefined as void) =>
    kept.rows(
      'page 1',
      async () => stamp,
      async () => {
        const json = JSON.stringify([row])
        whileReading()
        return json
      },
      (json) => JSON.parse(json) as readonly unknown[],
    )
  await ask()
  await ask(() => {
    row = 'after'
    stamp += 1
  })
  assert.deepEqual(await ask(), ['after'])
})

test('rows that are given twice cannot be changed', () => {
  const { ask } = database()
  ask()
  const rows = ask()
  assert.ok(Object.isFrozen(rows))
  assert.equal(ask(), rows)
})

test('what is long is not kept, nor said to come again', () => {
  const { ask, write, asked } = database()
  write('x'.repeat(40_000))
  for (let time = 0; time < 3; time += 1) assert.equal(Object.isFrozen(ask()), false)
  for (let time = 0; time < 3; time += 1) ask('x'.repeat(10_000))
  assert.equal(asked.rows, 6)
})

test('no more is kept than fits, and what was asked for last stays', () => {
  const { ask, write, asked } = database()
  write('x'.repeat(30_000))
  for (let page = 1; page <= 200; page += 1) for (let time = 0; time < 2; time += 1) ask(`page ${page}`)
  const before = asked.rows
  ask('page 200')
  assert.equal(asked.rows, before)
  ask('page 1')
  assert.equal(asked.rows, before + 1)
})
