import assert from 'node:assert/strict'
import test from 'node:test'
import { RestError } from '../http/rest-error.js'
import { decide, isVerdict } from './decision.js'

const visitor = { id: 0 }
const user = { id: 3 }

test('the verdict true allows the request of any caller', () => {
  assert.equal(decide(true, visitor), null)
  assert.equal(decide(true, user), null)
})

for (const verdict of [false, null, undefined, 0, 1, '', 'no', 'true', [], {}, [true], new Error('no')])
  test(`the verdict ${String(JSON.stringify(verdict))} denies the request of any caller`, () => {
    for (const [caller, status] of [[visitor, 401] as const, [user, 403] as const]) {
      const refusal = decide(verdict, caller)
      assert.ok(refusal)
      const { code, message, data } = refusal
      assert.deepEqual(
        { code, message, data },
        { code: 'rest_forbidden', message: 'Sorry, you are not allowed to do that.', data: { status } },
      )
    }
  })

test('a RestError as verdict is the error of the response', () => {
  const error = new RestError('shop_closed', 'Come back tomorrow.', { status: 423 })
  assert.equal(decide(error, user), error)
})

test('only a boolean or a RestError is a verdict of the declared type', () => {
  for (const verdict of [true, false, new RestError('closed', 'Closed.')]) assert.equal(isVerdict(verdict), true)
  for (const verdict of [1, 'yes', null, undefined, {}]) assert.equal(isVerdict(verdict), false)
})
