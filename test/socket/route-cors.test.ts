import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { AsRestRoute, conditional, RestError, type EventStream, type RestRequest } from 'as-rest-route'
import { StorageError } from '../../src/database/storage-error.js'
import { ways } from '../support/three-ways.js'

const open = { namespace: 'kinds/v1', method: 'POST', permission: 'public' } as const
const args = { how: { type: 'string', enum: ['busy', 'refused'], required: true } } as const
const kinds = {
  limited: { rate_limit: { requests: 100, per: 'minute' } },
  repeated: { idempotency_key: 'optional' },
  conditional: { around: [conditional(() => 'version')] },
  events: { method: 'GET', event_stream: true },
} as const

class KindsApi {
  @AsRestRoute({ ...open, ...kinds.limited, route: '/limited', args })
  @AsRestRoute({ ...open, ...kinds.repeated, route: '/repeated', args })
  @AsRestRoute({ ...open, ...kinds.conditional, route: '/conditional', args })
  @AsRestRoute({ ...open, route: '/plain', args })
  write(request: RestRequest<{ how: 'busy' | 'refused' }>): never {
    return this.#fail(request)
  }

  @AsRestRoute({ ...open, ...kinds.events, route: '/events', args })
  events(request: RestRequest<{ how: 'busy' | 'refused' }>): EventStream {
    return this.#fail(request)
  }

  @AsRestRoute({ ...open, ...kinds.limited, route: '/late/limited', timeout: 0.1 })
  @AsRestRoute({ ...open, ...kinds.repeated, route: '/late/repeated', timeout: 0.1 })
  @AsRestRoute({ ...open, ...kinds.conditional, route: '/late/conditional', timeout: 0.1 })
  @AsRestRoute({ ...open, route: '/late/plain', timeout: 0.1 })
  async late({ signal }: RestRequest) {
    await pause(60_000, undefined, { signal })
    return null
  }

  @AsRestRoute({ ...open, ...kinds.events, route: '/late/events', timeout: 0.1 })
  async lateEvents({ signal }: RestRequest): Promise<EventStream> {
    throw await pause(60_000, new Error('not late'), { signal })
  }

  #fail(request: RestRequest<{ how: 'busy' | 'refused' }>): never {
    if (request.get_param('how') === 'busy') throw new StorageError('busy', 'expected')
    throw new RestError('refused', 'Refused.', { status: 409 })
  }
}

const usual = {
  exposed: 'X-WP-Total, X-WP-TotalPages, Link',
  allowed: 'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type',
}

/** What each kind of route adds to the names of headers that pages may read, and may send. */
const own: Readonly<Record<string, readonly [exposed: string, allowed: string]>> = {
  limited: [', RateLimit, RateLimit-Policy, Retry-After', ''],
  repeated: [', Idempotent-Replayed, Retry-After', ', Idempotency-Key'],
  conditional: [', ETag', ', If-Match, If-None-Match'],
  events: ['', ', Last-Event-ID'],
  plain: ['', ''],
}

const refusals: readonly (readonly [how: string, headers: Readonly<Record<string, string>>, status: number])[] = [
  ['late', {}, 503],
  ['busy', {}, 503],
  ['refused', {}, 409],
  ['other', {}, 400],
  ['refused', { 'X-WP-Nonce': '0123456789' }, 403],
  ['refused', { Authorization: `Basic ${btoa('ann:wrong')}` }, 401],
]

for (const { name, open: start } of ways)
  test(`refusals and time-outs of a route have its own CORS headers (${name})`, async (context) => {
    const { send, site } = await start(context, [KindsApi], { environment: 'local' })
    const { users, applicationPasswords } = site.service
    const { id } = await users.create({ login: 'ann', email: 'ann@app.example', password: 'secret', role: 'editor' })
    await applicationPasswords.create(id, { name: 'Test' })
    for (const [kind, [exposed, allowed]] of Object.entries(own))
      for (const [how, headers, status] of refusals) {
        const path = how === 'late' ? `late/${kind}` : `${kind}?how=${how}`
        const response = await send(`/kinds/v1/${path}`, {
          method: kind === 'events' ? 'GET' : 'POST',
          headers: { Origin: 'https://app.example', ...headers },
        })
        assert.deepEqual(
          [
            response.status,
            ...['Expose', 'Allow'].map((verb) => response.headers.get(`Access-Control-${verb}-Headers`)),
          ],
          [status, usual.exposed + exposed, usual.allowed + allowed],
          path,
        )
      }
  })
