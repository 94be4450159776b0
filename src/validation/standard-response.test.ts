import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { unbound } from '../base/bind-function.js'
import { standardChecker } from './standard-response.js'

/** A schema that notes for each value whether Zod may wait, which is slower: Zod compiles objects for the other case only. */
function observed(schema: z.ZodType): readonly [z.ZodType, (boolean | undefined)[]] {
  const waits: (boolean | undefined)[] = []
  const { run } = schema._zod
  schema._zod.run = (payload, context) => {
    waits.push(context.async)
    return run(payload, context)
  }
  return [schema, waits]
}

test('a response schema of Zod without functions is never run with waiting', () => {
  const [schema, waits] = observed(z.object({ id: z.number() }))
  const check = standardChecker(schema, unbound)
  assert.equal(check({ id: 1 }, 'body'), null)
  assert.match(check({ id: 'x' }, 'body') ?? '', /^body\.id: Invalid input/)
  assert.deepEqual(waits, [false, false])
})

test('a response schema of Zod with functions is run with waiting for the first value only', () => {
  const [schema, waits] = observed(z.object({ id: z.number().refine((id) => id > 0) }))
  const check = standardChecker(schema, unbound)
  for (const _ of [1, 2, 3]) assert.equal(check({ id: 1 }, 'body'), null)
  assert.deepEqual(waits, [true, false, false])
})

test('a response schema of Zod that is asynchronous for some values is run with waiting from then on', () => {
  const [schema, waits] = observed(z.object({ id: z.number().refine((id) => id > 0 || Promise.resolve(true)) }))
  const check = standardChecker(schema, unbound)
  assert.equal(check({ id: 1 }, 'body'), null)
  for (const _ of [1, 2]) assert.throws(() => check({ id: 0 }, 'body'), /response schema of zod is asynchronous/)
  assert.equal(check({ id: 1 }, 'body'), null)
  assert.deepEqual(waits, [true, false, true, true])
})

test('an error of a function in a response schema is thrown', () => {
  for (const schema of [
    z.string().refine(() => fail()),
    z.string().overwrite(() => fail()),
    z.string().transform(() => fail()),
  ])
    for (const check = standardChecker(schema, unbound), rounds = [1, 2]; rounds.pop();)
      assert.throws(() => check('a', 'body'), /a fault of the application/)
})

function fail(): never {
  throw new Error('a fault of the application')
}
