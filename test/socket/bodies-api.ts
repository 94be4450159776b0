import { Readable } from 'node:stream'
import { AsRestRoute, RestError, RestResponse, type RestRequest } from '../../src/index.js'

export const html = { 'Content-Type': 'text/html' }

export const bytes = new Uint8Array([0, 1, 2, 254, 255])

export async function* lines(...texts: readonly (string | Uint8Array)[]) {
  yield* texts
}

/** Bodies by name, and what a client gets. */
export const bodies: Readonly<Record<string, readonly [make: () => unknown, type: string | null, content: string]>> = {
  text: [() => new RestResponse('<p>Käse</p>', 200, html), 'text/html; charset=UTF-8', '<p>Käse</p>'],
  'text-with-charset': [
    () => new RestResponse('a', 200, { 'content-type': 'text/plain; charset=us-ascii' }),
    'text/plain; charset=us-ascii',
    'a',
  ],
  'text-as-json': [
    () => new RestResponse('a "quoted" text'),
    'application/json; charset=UTF-8',
    '"a \\"quoted\\" text"',
  ],
  'text-of-a-json-type': [
    () => new RestResponse('a', 200, { 'Content-Type': 'application/problem+json' }),
    'application/problem+json',
    '"a"',
  ],
  'empty-text': [() => new RestResponse('', 200, html), 'text/html; charset=UTF-8', ''],
  bytes: [() => bytes, 'application/octet-stream', '\0\x01\x02\xfe\xff'],
  'array-buffer': [() => new RestResponse(bytes.buffer), 'application/octet-stream', '\0\x01\x02\xfe\xff'],
  view: [() => new RestResponse(new DataView(bytes.buffer, 1, 2)), 'application/octet-stream', '\x01\x02'],
  buffer: [
    () => new RestResponse(Buffer.from('%PDF'), 200, { 'Content-Type': 'application/pdf' }),
    'application/pdf',
    '%PDF',
  ],
  blob: [() => new Blob(['a,b\n'], { type: 'text/csv' }), 'text/csv', 'a,b\n'],
  'async-iterable': [() => lines('a,b\n', '', Buffer.from('c,d\n')), 'application/octet-stream', 'a,b\nc,d\n'],
  'empty-stream': [() => lines(), 'application/octet-stream', ''],
  'readable-stream': [() => new RestResponse(new Blob(['abc']).stream(), 200, html), 'text/html', 'abc'],
  'node-stream': [() => Readable.from(['a', 'b']), 'application/octet-stream', 'ab'],
  response: [() => new Response('<p>hello</p>', { headers: html }), 'text/html', '<p>hello</p>'],
  'response-json': [() => Response.json({ a: 1 }), 'application/json', '{"a":1}'],
  'response-promise': [() => Promise.resolve(new Response('later')), 'text/plain;charset=UTF-8', 'later'],
}

/** What cannot be a response, and the sentence of the log. */
export const refused: Readonly<Record<string, readonly [make: () => unknown, sentence: RegExp]>> = {
  'read-response': [
    () => {
      const response = new Response('a')
      void response.text()
      return response
    },
    /^BodiesApi\.refused: the body of the Response was read before\. Return the Response unread/,
  ],
  'locked-stream': [
    () => {
      const stream = new Blob(['a']).stream()
      stream.getReader()
      return stream
    },
    /^BodiesApi\.refused: the body is a stream that other code reads/,
  ],
  'network-error': [() => Response.error(), /^BodiesApi\.refused: RestResponse: 0 is not a status/],
  circular: [
    () => {
      const body: Record<string, unknown> = { a: [1] }
      body['self'] = body
      return body
    },
    /^BodiesApi\.refused: the body contains itself at \.self\.$/,
  ],
  nan: [() => ({ items: [{ price: NaN }] }), /^BodiesApi\.refused: the body holds NaN at \.items\[0\]\.price/],
  'nested-stream': [() => ({ file: new Blob(['a']).stream() }), /^BodiesApi\.refused: .*ReadableStream.* \.file\.$/],
  'nested-blob': [() => [new Blob(['a'])], /^BodiesApi\.refused: .*Blob.* \[0\]\.$/],
  'nested-response': [() => new RestResponse({ upstream: new Response('a') }), /Response.* \.upstream\.$/],
  'response-in-a-response': [() => new RestResponse(new Response('a')), /Response.* the body itself\.$/],
  'nested-bytes': [() => ({ file: [new Uint8Array(3)] }), /a Uint8Array, which has no JSON form.* \.file\[0\]\.$/],
  'nested-no-bytes': [() => ({ file: new Int16Array(0) }), /an Int16Array, which has no JSON form.* \.file\.$/],
  'nested-buffer': [() => ({ file: Buffer.from('a') }), /a Buffer, which has no JSON form.* \.file\.$/],
  'buffer-of-a-to-json': [() => ({ file: { toJSON: () => Buffer.from('a') } }), /a Buffer, .* \.file\.$/],
  'buffer-beside-a-date': [() => ({ at: new Date(0), file: Buffer.from('a') }), /a Buffer, .* \.file\.$/],
  'nested-view': [() => ({ file: new DataView(new ArrayBuffer(2)) }), /a DataView, .* \.file\.$/],
  'nested-map': [() => ({ prices: new Map([['a', 1]]) }), /a Map, which has no JSON form.* \.prices\.$/],
  'nested-set': [() => ({ tags: new Set(['a']) }), /a Set, which has no JSON form.* \.tags\.$/],
  'nested-query': [() => ({ query: new URLSearchParams('a=1') }), /an iterable, which has no JSON form.* \.query\.$/],
  'nested-iterable': [() => ({ rows: lines('a') }), /async iterable.* \.rows\.$/],
}

export class BodiesApi {
  @AsRestRoute({ namespace: 'test/v1', route: '/body/(?P<name>[\\w-]+)', permission: 'public' })
  body(request: RestRequest<{ name: string }>) {
    return bodies[request.get_param('name')]?.[0]() ?? null
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/refused/(?P<name>[\\w-]+)', permission: 'public' })
  refused(request: RestRequest<{ name: string }>) {
    return refused[request.get_param('name')]?.[0]() ?? null
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/error', permission: 'public' })
  error(): null {
    throw new RestError('wait', 'Wait.', { status: 429, headers: { 'Retry-After': '7' } })
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/created', method: 'POST', permission: 'public', allow_batch: true })
  created() {
    const response = new Response('<b>made</b>', { status: 201, headers: { ...html, Location: '/x', 'X-Own': 'yes' } })
    response.headers.append('Set-Cookie', 'a=1')
    response.headers.append('Set-Cookie', 'b=2')
    response.headers.set('Access-Control-Allow-Origin', 'https://elsewhere.example')
    return response
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/written', method: 'POST', permission: 'public', allow_batch: true })
  written() {
    return new RestResponse('<b>made</b>', 201, html)
  }
}
