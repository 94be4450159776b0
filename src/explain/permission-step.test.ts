import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anonymous } from '../http/caller.js'
import { HttpRequest } from '../http/http-request.js'
import { parseRequest } from '../http/parsed-request.js'
import { CallbackPermission } from '../pipeline/authorize.js'
import { compileEndpoint } from '../routing/compile-endpoint.js'
import { explainPermission } from './permission-step.js'

const incoming = {
  method: 'GET',
  path: '/wp-json/test/v1/books',
  query: '',
  headers: {},
  body: new Uint8Array(0),
  address: '127.0.0.1',
  secure: false,
  local: true,
}
const request = new HttpRequest({
  incoming,
  parsed: parseRequest(incoming),
  route: '/test/v1/books',
  user: anonymous,
})

const cyclic: Record<string, unknown> = {}
cyclic['itself'] = cyclic

const verdicts: [returned: unknown, line: string][] = [
  [false, 'It returned false.'],
  [undefined, 'It returned nothing, which is not a boolean. Only true admits.'],
  [null, 'It returned null, which is not a boolean. Only true admits.'],
  ['yes', 'It returned "yes", which is not a boolean. Only true admits.'],
  [1n, 'It returned 1n, which is not a boolean. Only true admits.'],
  [Symbol('yes'), 'It returned Symbol(yes), which is not a boolean. Only true admits.'],
  [cyclic, 'It returned <ref *1> { itself: [Circular *1] }, which is not a boolean. Only true admits.'],
  [() => true, 'It returned a function, which is not a boolean. Only true admits.'],
]
for (const [returned, line] of verdicts)
  for (const [when, callback] of [
    ['immediately', () => returned],
    ['by a promise', async () => returned],
  ] as const)
    test(`a callback returns ${String(returned)} ${when}: ${line}`, async () => {
      const requirement = { kind: 'callback', method: 'mayRead' } as const
      const declaration = { namespace: 'test/v1', route: '/books' }
      const required = new CallbackPermission(requirement, callback)
      const endpoint = compileEndpoint({ declaration, handle: () => null, permission: required, name: 'books' })
      const { step, permission } = await explainPermission(request, endpoint, new Map())
      assert.equal(step.lines[1], line)
      assert.equal(permission.verdict, 'denied')
    })
