import assert from 'node:assert/strict'
import { subscribe } from 'node:diagnostics_channel'
import { test, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { AsRestRoute, type RestRequest } from 'as-rest-route'
import { withoutResponseCache } from '../support/response-cache.js'
import { ways, type Way } from '../support/three-ways.js'
import { until } from '../support/until.js'

/** One run of a handler. */
interface Run {
  /** The name and message of the reason with which its signal has aborted; null before that. */
  aborted: string | null
  finish(): void
}

const declared = { namespace: 'prices/v1', permission: 'public', cache: 60 } as const

class PricesApi {
  static runs: Run[] = []

  @AsRestRoute({ ...declared, route: '/prices' })
  @AsRestRoute({ ...declared, route: '/brief', timeout: 0.2 })
  prices({ signal }: RestRequest) {
    return new Promise<object>((resolve, reject) => {
      const number = PricesApi.runs.length + 1
      const run: Run = { aborted: null, finish: () => resolve({ number }) }
      PricesApi.runs.push(run)
      signal.addEventListener('abort', () => {
        const reason = signal.reason as DOMException
        run.aborted = `${reason.name}: ${reason.message}`
        reject(reason)
      })
    })
  }

  /** Does not heed its signal. */
  @AsRestRoute({ ...declared, route: '/deaf', timeout: 0.2 })
  deaf() {
    return new Promise<object>((resolve) => {
      const number = PricesApi.runs.length + 1
      PricesApi.runs.push({ aborted: null, finish: () => resolve({ number }) })
    })
  }
}

/** The number of requests that have reached a service of this file. */
let received = 0
subscribe('as-rest-route.request.start', () => (received += 1))

const run = (number: number): Run => PricesApi.runs[number - 1] ?? assert.fail(`There is no run ${number}.`)
const reached = (count: number) => until(() => PricesApi.runs.length === count, `${count} runs have begun`)

async function opened({ open }: Way, context: TestContext) {
  PricesApi.runs = []
  const { send, site } = await open(context, [PricesApi])
  return {
    send,
    site,
    failures: () => site.log.filter(({ level }) => level !== 'info').map(({ fields }) => fields['code']),
    /** Sends a request that waits for the same response as those before it. Its client leaves when the signal aborts. */
    async waiting(path: string, signal?: AbortSignal): Promise<{ readonly response: Promise<Response | null> }> {
      const before = received
      const response = send(path, { signal: signal ?? null }).catch((error: unknown) => {
        if (signal?.aborted) return null
        throw error
      })
      await until(() => received > before)
      // The service reads the versions of the cache before the request waits.
      await pause(100)
      return { response }
    },
  }
}

for (const way of ways) {
  const { name } = way
  const options = { skip: withoutResponseCache }

  test(
    `a computation is aborted when the last request that waits for it has left (${name})`,
    options,
    async (context) => {
      const { send, waiting, failures } = await opened(way, context)
      const [first, second] = [new AbortController(), new AbortController()]
      await waiting('/prices/v1/prices', first.signal)
      await waiting('/prices/v1/prices', second.signal)
      first.abort()
      await pause(100)
      assert.deepEqual([PricesApi.runs.length, run(1).aborted], [1, null])
      second.abort()
      await until(() => run(1).aborted !== null)
      assert.equal(run(1).aborted, 'AbortError: The client has left.')
      // The next request has a computation of its own, and its response is cached.
      const third = await waiting('/prices/v1/prices')
      await reached(2)
      run(2).finish()
      for (const response of [await third.response, await send('/prices/v1/prices')])
        assert.deepEqual(await response?.json(), { number: 2 })
      assert.deepEqual(failures(), [])
    },
  )

  test(
    `a computation goes on for the requests that wait when the first has left (${name})`,
    options,
    async (context) => {
      const { waiting, failures } = await opened(way, context)
      const first = new AbortController()
      await waiting('/prices/v1/prices', first.signal)
      const second = await waiting('/prices/v1/prices')
      first.abort()
      await pause(100)
      run(1).finish()
      assert.deepEqual(await (await second.response)?.json(), { number: 1 })
      assert.deepEqual([PricesApi.runs.length, run(1).aborted, failures()], [1, null, []])
    },
  )

  test(`a computation is aborted when the last request is over its time limit (${name})`, options, async (context) => {
    const { send, failures } = await opened(way, context)
    assert.equal((await send('/prices/v1/brief')).status, 503)
    await until(() => run(1).aborted !== null)
    assert.equal(run(1).aborted, 'TimeoutError: The time limit of 0.2 s is over.')
    const next = send('/prices/v1/brief')
    await reached(2)
    run(2).finish()
    assert.deepEqual(await (await next).json(), { number: 2 })
    assert.deepEqual(failures(), ['request-timed-out'])
  })

  test(`a handler that does not heed its signal answers later requests (${name})`, options, async (context) => {
    const { send, failures } = await opened(way, context)
    assert.equal((await send('/prices/v1/deaf')).status, 503)
    const next = send('/prices/v1/deaf')
    run(1).finish()
    assert.deepEqual(await (await next).json(), { number: 1 })
    assert.deepEqual([PricesApi.runs.length, failures()], [1, ['request-timed-out']])
  })

  test(`a stop aborts a computation at the end of its grace period (${name})`, options, async (context) => {
    const { site, send } = await opened(way, context)
    const response = send('/prices/v1/prices').catch(() => null)
    await reached(1)
    await site.service.close({ gracePeriod: 100 })
    await response
    assert.deepEqual([PricesApi.runs.length, run(1).aborted], [1, 'AbortError: The service stops.'])
  })
}
