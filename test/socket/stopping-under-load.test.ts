import assert from 'node:assert/strict'
import { test } from 'node:test'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { RestResponse } from '../../src/http/rest-response.js'
import { AsRestRoute } from '../../src/routing/as-rest-route.js'
import { RawConnection } from '../support/raw-socket.js'
import { startService } from '../support/start-service.js'

class Api {
  @AsRestRoute({ namespace: 'busy/v1', route: '/now', permission: 'public' })
  now() {
    return new RestResponse('now')
  }

  @AsRestRoute({ namespace: 'busy/v1', route: '/later', permission: 'public' })
  async later() {
    await new Promise((resolve) => setTimeout(resolve, 20))
    return new RestResponse('later')
  }
}

/** Simple requests take the fast path, unless the service has none; `node:http` reads the others. */
const kinds: [name: string, header: string][] = [
  ['simple', ''],
  ['unusual', 'TE: trailers\r\n'],
]

const ways = ['fast', 'node'] as const

interface Plan {
  readonly port: number
  readonly clients: number
  /** Sent and answered before the others. Empty for connections that are still in the backlog. */
  readonly first: string
  /** Sent while the service is busy. */
  readonly second: string
}

/** Sends the second requests while this thread is blocked, so that the kernel holds all of them unread. */
const clientThread = `
  const { connect } = require('node:net')
  const { parentPort, workerData: { plan, sent } } = require('node:worker_threads')
  const { port, clients, first, second } = plan
  const responses = []
  const all = Array.from({ length: clients }, () => {
    const client = { text: '', socket: connect({ port, host: '127.0.0.1' }) }
    client.socket.setEncoding('latin1').on('data', (chunk) => (client.text += chunk)).on('error', () => {})
    return client
  })
  const connected = all.map(({ socket }) => new Promise((resolve) => socket.once('connect', resolve)))
  const sendSecond = async () => {
    await Promise.all(connected)
    const written = all.map(({ socket }) => new Promise((resolve) => socket.write(second, resolve)))
    for (const client of all) {
      client.text = ''
      client.socket.once('close', () => {
        responses.push(client.text)
        if (responses.length === clients) parentPort.postMessage(responses)
      })
    }
    await Promise.all(written)
    Atomics.store(sent, 0, 1)
    Atomics.notify(sent, 0)
  }
  if (first === '') sendSecond()
  else {
    for (const { socket } of all) socket.write(first)
    Promise.all(all.map(({ socket }) => new Promise((resolve) => socket.once('data', resolve)))).then(() => {
      parentPort.postMessage('answered')
      parentPort.once('message', sendSecond)
    })
  }
`

/** @returns what each client received after `stop` was called, when its connection has ended. */
async function answersAfter(plan: Plan, stop: () => Promise<void>): Promise<readonly string[]> {
  const sent = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(clientThread, { eval: true, workerData: { plan, sent } })
  try {
    if (plan.first !== '') {
      await once(worker, 'message')
      worker.postMessage('go on')
    }
    Atomics.wait(sent, 0, 0, 30_000)
    assert.equal(sent[0], 1, 'the clients have sent their requests')
    const responses = once(worker, 'message') as Promise<[readonly string[]]>
    await stop()
    return (await responses)[0]
  } finally {
    await worker.terminate()
  }
}

const request = (route: string, header: string) => `GET /wp-json/busy/v1/${route} HTTP/1.1\r\nHost: x\r\n${header}\r\n`

for (const http of ways)
  for (const [kind, header] of kinds)
    for (const route of ['now', 'later']) {
      test(`50 busy clients get the responses to ${kind} requests that are unread at the stop (http: ${http}, ${route})`, async () => {
        const { port, service } = await startService([Api], { http })
        const plan = { port, clients: 50, first: request('now', header), second: request(route, header) }
        const responses = await answersAfter(plan, () => service.close())
        for (const text of responses) assertFinalResponse(text, route)
      })

      test(`50 connections of the backlog get responses to ${kind} requests that are unread at the stop (http: ${http}, ${route})`, async () => {
        const { port, service } = await startService([Api], { http })
        const plan = { port, clients: 50, first: '', second: request(route, header) }
        const responses = await answersAfter(plan, () => service.close())
        for (const text of responses) assertFinalResponse(text, route)
      })

      test(`pipelined ${kind} requests that are unread at the stop are all answered (http: ${http}, ${route})`, async () => {
        const { port, service } = await startService([Api], { http })
        const second = request(route, header)
        const plan = { port, clients: 10, first: request('now', header), second: second.repeat(5) }
        const responses = await answersAfter(plan, () => service.close())
        for (const text of responses) {
          const parts = text.split('HTTP/1.1 ').slice(1)
          assert.equal(parts.length, 5, text)
          for (const part of parts) assert.match(part, /^200 OK\r\n/)
          for (const part of parts.slice(0, 4)) assert.doesNotMatch(part, /^Connection: close\r$/m)
        }
      })
    }

function assertFinalResponse(text: string, body: string): void {
  assert.match(text, /^HTTP\/1\.1 200 OK\r\n/)
  assert.match(text, /^Connection: close\r$/m)
  assert.ok(text.endsWith(`\r\n\r\n"${body}"`), text)
}

for (const http of ways)
  test(`a request that follows the stop at once is answered, on an open and on a new connection (http: ${http})`, async () => {
    const { port, service } = await startService([Api], { http })
    const open = new RawConnection(port)
    open.send(request('now', ''))
    await open.response()
    const closed = service.close()
    const fresh = new RawConnection(port)
    for (const connection of [open, fresh]) connection.send(request('now', ''))
    for (const connection of [open, fresh]) {
      const { status, headers } = await connection.response()
      assert.deepEqual([status, headers['connection']], [200, 'close'])
      await connection.ended()
    }
    await closed
    for (const connection of [open, fresh]) connection.close()
  })
