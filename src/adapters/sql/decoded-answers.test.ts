import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DecodedAnswers } from './decoded-answers.js'

const parsed = (json: string): readonly unknown[] => JSON.parse(json) as readonly unknown[]
const answer = (number: number): string => JSON.stringify([[number, 'x'.repeat(100)]])

test('an answer is decoded once for as long as its text is the same', () => {
  const answers = new DecodedAnswers()
  const first = answers.decoded(answer(1), 'page 1', parsed)
  assert.deepEqual(first, [[1, 'x'.repeat(100)]])
  const second = answers.decoded(answer(1), 'page 1', parsed)
  assert.equal(answers.decoded(answer(1), 'page 1', parsed), second)
  assert.deepEqual(second, first)
})

test('another text is another answer, also when an earlier one comes back', () => {
  const answers = new DecodedAnswers()
  for (const number of [1, 1, 1, 2, 2, 1, 3, 2, 2]) {
    assert.deepEqual(answers.decoded(answer(number), 'page 1', parsed), JSON.parse(answer(number)))
  }
})

test('questions with the same answer are as right as others', () => {
  const answers = new DecodedAnswers()
  for (const question of ['page 1', 'page 1', 'page 2', 'page 2', 'page 1']) {
    assert.deepEqual(answers.decoded('[]', question, parsed), [])
  }
})

test('what is asked once, or is long, is not kept', () => {
  const answers = new DecodedAnswers()
  const long = JSON.stringify(['x'.repeat(40_000)])
  const isKept = (json: string, question: string): boolean =>
    answers.decoded(json, question, parsed) === answers.decoded(json, question, parsed)
  assert.equal(isKept(answer(1), 'page 1'), false)
  assert.equal(isKept(answer(1), 'page 1'), true)
  for (let time = 0; time < 3; time += 1) {
    assert.equal(isKept(long, 'long'), false)
    assert.equal(isKept(answer(1), 'x'.repeat(10_000)), false)
  }
})

test('no more is kept than fits, and what was asked for last stays', () => {
  const answers = new DecodedAnswers()
  const large = JSON.stringify(['x'.repeat(30_000)])
  const kept = new Map<number, unknown>()
  for (let page = 0; page < 100; page += 1) {
    for (let time = 0; time < 2; time += 1) kept.set(page, answers.decoded(large, `page ${page}`, parsed))
  }
  assert.ok(kept.get(99) === answers.decoded(large, 'page 99', parsed))
  assert.ok(kept.get(0) !== answers.decoded(large, 'page 0', parsed))
})
