import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Attempt } from './attempt-limiter.js'
import { FailureSharingLimiter } from './failure-sharing-limiter.js'
import type { SharedCounters, Waits } from './shared-counters.js'

/** Counters that reply when a test says so. */
function slowCounters() {
  const replies: ((waits: Waits) => void)[] = []
  const unused = (): never => assert.fail('only failures are counted')
  const counters: SharedCounters = {
    fail: () => new Promise((resolve) => void replies.push(resolve)),
    begin: unused,
    empty: () => Promise.resolve(),
    count: unused,
  }
  const limiter = new FailureSharingLimiter('applicationPasswords', counters, {
    clock: () => 0,
    onLockOut: () => undefined,
    onFailure: (error) => assert.fail(String(error)),
  })
  return { limiter, replies }
}

const isAllowed = (begun: Attempt | number): begun is Attempt => typeof begun !== 'number'

/** Fails an attempt that is allowed at once. */
function fail(limiter: FailureSharingLimiter, account: string, address: string): void {
  const attempt = limiter.begin(account, address)
  assert.ok(!(attempt instanceof Promise) && isAllowed(attempt))
  attempt.failed()
}

describe('an attempt with an application password', () => {
  it('waits until the failure before it is counted, and is refused when that was the last one', async () => {
    const { limiter, replies } = slowCounters()
    fail(limiter, 'ann', '192.0.2.1')
    let reply: Attempt | number | null = null
    const next = Promise.resolve(limiter.begin('bob', '192.0.2.1')).then((begun) => (reply = begun))
    await new Promise(setImmediate)
    assert.equal(reply, null)
    replies[0]?.(new Map([['network', 6000]]))
    assert.equal(await next, 6)
    // From now on the reply is known.
    assert.equal(limiter.begin('bob', '192.0.2.1'), 6)
  })

  it('waits for no failure of another network at another account', () => {
    const { limiter } = slowCounters()
    fail(limiter, 'ann', '192.0.2.1')
    const other = limiter.begin('bob', '198.51.100.1')
    assert.ok(!(other instanceof Promise) && isAllowed(other))
    other.succeeded()
  })

  it('is checked after a second when the counters do not reply', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { limiter } = slowCounters()
    fail(limiter, 'ann', '192.0.2.1')
    const next = limiter.begin('ann', '192.0.2.1')
    t.mock.timers.tick(1000)
    const begun = await next
    assert.ok(isAllowed(begun))
    begun.abandoned()
  })
})
