import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { TimeLimits } from './time-limits.js'

/** A service-wide limit of three seconds, whose timer has a period of 375 ms, and a clock that is turned by hand. */
function limitsOf(context: TestContext, milliseconds = 3000) {
  context.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
  const expired: string[] = []
  const limits = new TimeLimits(milliseconds)
  const begin = (name: string, declared: number | null = null) =>
    limits.begin(declared, (limit) => void expired.push(`${name} ${limit}`))
  const pass = (time: number): void => {
    for (let passed = 0; passed < time; passed += 25) context.mock.timers.tick(25)
  }
  return { limits, expired, begin, pass }
}

test('a limit expires between its time and a period more, whenever it begins', (context) => {
  const { expired, begin, pass } = limitsOf(context)
  begin('first')
  pass(400)
  begin('second')
  pass(2575)
  assert.deepEqual(expired, [])
  pass(400)
  assert.deepEqual(expired, ['first 3000'])
  pass(400)
  assert.deepEqual(expired, ['first 3000', 'second 3000'])
})

test('a limit that is ended in time does not expire, and may be ended twice', (context) => {
  const { expired, begin, pass } = limitsOf(context)
  const [first, second] = [begin('first'), begin('second')]
  begin('third')
  first?.end()
  first?.end()
  pass(5000)
  second?.end()
  assert.deepEqual(expired, ['second 3000', 'third 3000'])
})

test('a limit that begins while another one expires has its whole time', (context) => {
  const { limits, expired, begin, pass } = limitsOf(context)
  limits.begin(null, () => void begin('second'))
  pass(3375)
  pass(2975)
  assert.deepEqual(expired, [])
  pass(400)
  assert.deepEqual(expired, ['second 3000'])
})

// With the timers of Node: those of the test runner go on when they are cleared by their own callback.
test('limits begin again after all have ended', async (context) => {
  // The timers of limits keep no process alive.
  const alive = setInterval(() => undefined, 1000)
  context.after(() => clearInterval(alive))
  const limits = new TimeLimits(80)
  limits.begin(null, () => assert.fail('it has ended'))?.end()
  await sleep(40)
  const begun = performance.now()
  await new Promise<void>((resolve) => limits.begin(null, () => resolve()))
  assert.ok(performance.now() - begun >= 79)
})

test('the limit of a declaration has a timer of its own, and 0 is none', (context) => {
  const { expired, begin, pass } = limitsOf(context)
  begin('declared', 100)
  begin('ended', 100)?.end()
  assert.equal(begin('none', 0), null)
  pass(100)
  assert.deepEqual(expired, ['declared 100'])
})

test('without a service-wide limit, only declared ones exist', (context) => {
  const { expired, begin, pass } = limitsOf(context, 0)
  assert.equal(begin('none'), null)
  begin('declared', 50)
  pass(50)
  assert.deepEqual(expired, ['declared 50'])
})

test('a limit does not expire in the context of the request that started the timer', (context) => {
  const current = new AsyncLocalStorage<string>()
  const { limits, begin, pass } = limitsOf(context)
  const seen: (string | undefined)[] = []
  current.run('first', () => begin('first'))
  current.run('second', () => limits.begin(null, () => void seen.push(current.getStore())))
  pass(4000)
  assert.deepEqual(seen, [undefined])
})
