import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AsRestRoute, RestResponse } from '../../src/index.js'
import { exchange } from '../support/raw-socket.js'
import { startService, type StartedService } from '../support/start-service.js'
import { ways } from '../support/three-ways.js'
import { html, bytes, lines, bodies, refused, BodiesApi } from './bodies-api.js'
import { withoutResponseCache } from '../support/response-cache.js'

/** The message of the error in the latest line of the log. */
function loggedMessage({ log }: StartedService): string {
  return (log.at(-1)?.fields['err'] as Error | undefined)?.message ?? 'no error'
}

for (const way of ways) {
  test(`bodies that are not JSON: ${way.name}`, async (context) => {
    const { send } = await way.open(context, [BodiesApi])
    for (const [name, [, type, content]] of Object.entries(bodies)) {
      const response = await send(`/test/v1/body/${name}`)
      const raw = Buffer.from(await response.arrayBuffer())
      assert.deepEqual(
        [name, response.status, response.headers.get('content-type'), raw.toString('latin1')],
        [name, 200, type, content.includes('ä') ? Buffer.from(content).toString('latin1') : content],
      )
      assert.equal(response.headers.get('allow'), 'GET', name)
      assert.match(response.headers.get('x-request-id') ?? '', /./, name)
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff', name)
      const head = await send(`/test/v1/body/${name}`, { method: 'HEAD' })
      assert.deepEqual([head.status, head.headers.get('content-type'), await head.text()], [200, type, ''], name)
    }
  })

  test(`status, headers, cookies and CORS of a Response: ${way.name}`, async (context) => {
    const { send } = await way.open(context, [BodiesApi])
    for (const [method, path] of [
      ['POST', '/test/v1/created'],
      ['GET', '/test/v1/created?_method=POST'],
    ] as const) {
      const response = await send(path, { method, headers: { Origin: 'https://shop.example' } })
      assert.equal(response.status, 201)
      assert.equal(await response.text(), '<b>made</b>')
      const { headers } = response
      assert.deepEqual(headers.getSetCookie(), ['a=1', 'b=2'])
      assert.deepEqual(
        ['location', 'x-own', 'access-control-allow-origin', 'access-control-allow-credentials'].map((name) =>
          headers.get(name),
        ),
        ['/x', 'yes', 'https://shop.example', 'true'],
      )
    }
  })

  test(`_fields and _embed leave such a body alone, _envelope and _jsonp take text only: ${way.name}`, async (context) => {
    const { send } = await way.open(context, [BodiesApi])
    assert.equal(await (await send('/test/v1/body/text?_fields=a&_embed')).text(), '<p>Käse</p>')
    assert.equal(await (await send('/test/v1/body/async-iterable?_fields=a&_embed')).text(), 'a,b\nc,d\n')
    const enveloped = await send('/test/v1/body/text?_envelope')
    const { body, status } = (await enveloped.json()) as { body: unknown; status: number }
    assert.deepEqual([enveloped.status, body, status], [200, '<p>Käse</p>', 200])
    const padded = await send('/test/v1/body/text?_jsonp=show')
    assert.equal(padded.headers.get('content-type'), 'application/javascript; charset=UTF-8')
    assert.equal(await padded.text(), '/**/show("<p>K\\u00e4se<\\/p>")')
    for (const name of ['bytes', 'blob', 'async-iterable', 'response']) {
      const refusal = (await (await send(`/test/v1/body/${name}?_envelope`)).json()) as Record<string, unknown>
      assert.equal(refusal['status'], 406, name)
      assert.equal((refusal['body'] as { code: string }).code, 'rest_body_not_json', name)
      const jsonp = await send(`/test/v1/body/${name}?_jsonp=show`)
      assert.deepEqual(
        [jsonp.status, (await jsonp.text()).slice(0, 36)],
        [406, '/**/show({"code":"rest_body_not_json'],
        name,
      )
    }
  })

  test(`a body that cannot be sent is a 500, and the log names the handler and the place: ${way.name}`, async (context) => {
    const { send, site } = await way.open(context, [BodiesApi])
    for (const [name, [, sentence]] of Object.entries(refused)) {
      const response = await send(`/test/v1/refused/${name}`)
      assert.equal(response.status, 500, name)
      assert.doesNotMatch(await response.text(), /BodiesApi/)
      assert.match(loggedMessage(site), sentence, name)
    }
  })

  test(`a RestError has headers: ${way.name}`, async (context) => {
    const { send } = await way.open(context, [BodiesApi])
    const response = await send('/test/v1/error')
    assert.deepEqual([response.status, response.headers.get('retry-after')], [429, '7'])
    assert.deepEqual(await response.json(), { code: 'wait', message: 'Wait.', data: { status: 429 } })
  })
}

test('an item of a batch is answered with text as a JSON string, and with 406 for a stream', async (context) => {
  const site = await startService([BodiesApi])
  context.after(() => site.close())
  const requests = ['/test/v1/written', '/test/v1/created'].map((path) => ({ path }))
  const response = await fetch(`${site.rest}batch/v1`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ requests }),
  })
  const { responses } = (await response.json()) as { responses: { status: number; body: unknown }[] }
  assert.deepEqual([responses[0]?.status, responses[0]?.body], [201, '<b>made</b>'])
  assert.deepEqual(
    [responses[1]?.status, (responses[1]?.body as { code: string } | undefined)?.code],
    [406, 'rest_body_not_json'],
  )
})

class CachedApi {
  runs = 0

  @AsRestRoute({ namespace: 'test/v1', route: '/page', permission: 'public', cache: 60 })
  page() {
    this.runs += 1
    return new RestResponse(`<p>Käse ${this.runs}</p>`, 200, html)
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/picture', permission: 'public', cache: 60 })
  picture() {
    this.runs += 1
    return new RestResponse(bytes, 200, { 'Content-Type': 'image/png' })
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/stream', permission: 'public', cache: 60 })
  stream() {
    return lines('a')
  }
}

test(
  'text and bytes are cached, and a stream with cache is refused',
  { skip: withoutResponseCache },
  async (context) => {
    const site = await startService([CachedApi])
    context.after(() => site.close())
    for (let round = 0; round < 3; round += 1) {
      const page = await fetch(`${site.rest}test/v1/page`)
      assert.deepEqual(
        [await page.text(), page.headers.get('content-type')],
        ['<p>Käse 1</p>', 'text/html; charset=UTF-8'],
      )
      const picture = await fetch(`${site.rest}test/v1/picture`)
      assert.deepEqual(new Uint8Array(await picture.arrayBuffer()), bytes)
      const etag = picture.headers.get('etag') ?? ''
      const again = await exchange(
        site.port,
        `GET /wp-json/test/v1/picture HTTP/1.1\r\nHost: x\r\nIf-None-Match: ${etag}\r\n\r\n`,
      )
      assert.equal(again.status, 304)
      const lengths = ['page', 'picture'].map(async (path) => {
        const head = await fetch(`${site.rest}test/v1/${path}`, { method: 'HEAD' })
        return head.headers.get('content-length')
      })
      assert.deepEqual(await Promise.all(lengths), ['14', '5'])
    }
    assert.equal((await fetch(`${site.rest}test/v1/stream`)).status, 500)
    assert.match(loggedMessage(site), /^CachedApi\.stream: a stream cannot be cached\. Remove 'cache'/)
  },
)
