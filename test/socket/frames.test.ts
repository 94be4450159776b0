import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { AsRestRoute, RestResponse } from '../../src/index.js'
import { startService } from '../support/start-service.js'

const src = fileURLToPath(new URL('../../src/', import.meta.url))
const maxFrames = 12
let stack = ''

class HelloApi {
  @AsRestRoute({ namespace: 'test/v1', route: '/hello', permission: 'public' })
  hello() {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = Infinity
    stack = new Error('here').stack ?? ''
    Error.stackTraceLimit = stackTraceLimit
    return new RestResponse({ hello: 'world' })
  }
}

test('at most twelve frames of the framework lie between the socket and a handler of a public route', async (context) => {
  const site = await startService([HelloApi], { http: 'fast' })
  context.after(() => site.close())
  assert.equal((await fetch(`${site.rest}test/v1/hello`)).status, 200)
  const frames = stack.split('\n').filter((line) => line.includes(src))
  context.diagnostic(`${frames.length} frames`)
  for (const frame of frames) context.diagnostic(frame.trim().replace(src, 'src/'))
  assert.ok(frames.length > 0 && frames.length <= maxFrames, `${frames.length} frames:\n${frames.join('\n')}`)
})
