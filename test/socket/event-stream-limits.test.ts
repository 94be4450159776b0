import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { AsRestRoute, EventStream, type RestRequest, type ServerSentEvent } from 'as-rest-route'
import { startService } from '../support/start-service.js'
import { until } from '../support/until.js'

class SlowApi {
  /** The number of streams that have ended. */
  static ended = 0

  @AsRestRoute({ namespace: 'live/v1', route: '/slow', permission: 'public', event_stream: true })
  slow({ signal }: RestRequest) {
    return new EventStream(SlowApi.events(signal))
  }

  private static async *events(signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
    try {
      yield { data: 'first' }
      await pause(60_000, undefined, { signal })
    } finally {
      SlowApi.ended += 1
    }
  }
}

test('the IPv6 networks of one /48 share the streams of four networks', async (t) => {
  SlowApi.ended = 0
  const site = await startService([SlowApi], { trusted_proxies: ['127.0.0.1'] })
  t.after(() => site.close())
  const leaving = new AbortController()
  // A response that is collected as garbage closes its connection, and so its stream.
  const responses: Response[] = []
  const watch = async (address: string): Promise<number> => {
    const headers = { 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'http' }
    const response = await fetch(`${site.rest}live/v1/slow`, { headers, signal: leaving.signal })
    responses.push(response)
    return response.status
  }
  const statuses: number[] = []
  for (let network = 0; network < 205; network += 1) statuses.push(await watch(`2001:db8:1:${network.toString(16)}::1`))
  assert.deepEqual([statuses.lastIndexOf(200), statuses.indexOf(503)], [199, 200])
  assert.equal(await watch('2001:db8:2::1'), 200)
  assert.equal(await watch('192.0.2.1'), 200)
  assert.equal(responses.length, 207)
  leaving.abort()
  await until(() => SlowApi.ended === 202)
  const again = new AbortController()
  const headers = { 'X-Forwarded-For': '2001:db8:1::1', 'X-Forwarded-Proto': 'http' }
  const response = await fetch(`${site.rest}live/v1/slow`, { headers, signal: again.signal })
  assert.equal(response.status, 200)
  again.abort()
})
