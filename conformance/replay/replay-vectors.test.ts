import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMap } from '../../src/php/array-shape.js'
import { readVectors, vectorNames, type VectorCase, type VectorFile } from '../vectors.js'
import { recordedForm } from './recorded-form.js'
import { replayCases } from './replay-cases.js'
import { replayVectors } from './replay-vectors.js'

/** One case of each file, for speed; the tests beside the sources and the conformance run replay the rest. */
function firstOf(file: VectorFile): VectorFile {
  return { ...file, cases: file.cases.slice(0, 1) }
}

const names = vectorNames().filter((name) => name !== 'routes-wordpress-shapes')
for (const name of names)
  test(`${name}: a case passes, and fails once its expectation is changed`, async () => {
    const file = firstOf(readVectors(name))
    assert.deepEqual(
      (await replayVectors(file)).map(({ differences }) => differences),
      [[]],
    )
    const results = await replayVectors({ ...file, cases: file.cases.map(withOtherExpectation) })
    assert.deepEqual(
      results.map(({ passed, quirk }) => [passed, quirk]),
      [[false, false]],
    )
  })

/** The case with an expectation that nothing meets, of the same shape at its top. */
function withOtherExpectation(recorded: VectorCase): VectorCase {
  const { expect } = recorded
  if (!isMap(expect)) return { ...recorded, expect: 'something else' }
  const inside = isMap(expect['row']) ? 'row' : null
  if (inside) return { ...recorded, expect: { row: { ...(expect['row'] as object), post_title: 'something else' } } }
  return { ...recorded, expect: { ...expect, other: 'something else' } }
}

test('an unknown file and an empty file fail, with all their cases', async () => {
  const cases = [{ id: 'a', expect: 1 }, { id: 'b', expect: 2 }] // prettier-ignore
  const results = await replayVectors({ name: 'vectors/unheard-of', cases })
  assert.deepEqual(results.map(({ id, passed }) => [id, passed]), [['a', false], ['b', false]]) // prettier-ignore
  assert.match(results[0]?.differences[0] ?? '', /no replay knows a file of this name/)
  assert.equal((await replayVectors({ name: 'unheard-of', cases: [] })).length, 1)
})

test('a function that is not ours, and a file without its setup, fail with a reason', async () => {
  const unknown = { name: 'functions/wp_nope', function: 'wp_nope', cases: [{ id: 'a', args: ['x'], expect: 'x' }] }
  const broken = { name: 'routes', cases: [{ id: 'a', expect: 1 }] }
  for (const file of [unknown, broken]) {
    const [result] = await replayVectors(file)
    assert.equal(result?.passed, false)
    assert.notEqual(result?.differences[0], undefined)
  }
})

test('one case that cannot be replayed leaves the others alone', async () => {
  const cases = [{ id: 'a-1', expect: 1 }, { id: 'a-2', expect: 2 }] // prettier-ignore
  const results = await replayCases({ cases }, ({ expect }) => {
    if (expect === 1) throw new TypeError('no way')
    return { actual: { expect } }
  })
  assert.deepEqual(results.map(({ passed, rule }) => [passed, rule]), [[false, 'a'], [true, 'a']]) // prettier-ignore
  assert.deepEqual(results[0]?.differences, ['TypeError: no way'])
})

test('a rule excuses a difference and hides it not', async () => {
  const cases = [{ id: 'a-1', expect: 1 }]
  const [result] = await replayCases({ cases }, () => ({ actual: { expect: 2 }, excuse: 'an accident' }))
  assert.deepEqual([result?.passed, result?.quirk], [false, true])
  assert.deepEqual(result?.differences, ['an accident', '.expect: 2, expected 1'])
})

test('values are told apart as far as PHP tells them apart in JSON', () => {
  const pairs: [value: unknown, form: unknown][] = [
    ['\udcc3(', { $hex: 'c328' }],
    [-0, { $float: '-0' }],
    [Infinity, { $float: 'INF' }],
    [{}, []],
    [{ 0: 'a', 1: 'b' }, ['a', 'b']],
    [{ 1: 'b' }, { 1: 'b' }],
    [undefined, null],
    ['5', '5'],
  ]
  for (const [value, form] of pairs) assert.deepStrictEqual(recordedForm(value), form)
})
