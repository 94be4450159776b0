import { request as httpRequest } from 'node:http'
import type { TestContext } from 'node:test'
import type { BootOptions, HandlerSource } from '../../src/index.js'
import { startService, type StartedService } from './start-service.js'

/** Sends a request below the REST prefix: `/shop/v1/products`. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>

export interface Way {
  readonly name: string
  /** Starts a service that ends with the test. */
  open(context: TestContext, source: HandlerSource, options?: BootOptions): Promise<OpenedWay>
}

export interface OpenedWay {
  readonly site: StartedService
  readonly send: Send
}

function way(name: string, options: BootOptions, sendTo: (site: StartedService) => Send): Way {
  return {
    name,
    async open(context, source, more = {}) {
      const site = await startService(source, { ...options, ...more })
      context.after(() => site.close())
      return { site, send: sendTo(site) }
    },
  }
}

const overSocket =
  (site: StartedService): Send =>
  (path, init) =>
    fetch(`${site.rest}${path.slice(1)}`, init)

/** The ways of a request to the service: the fast path, `node:http`, and `service.fetch`. */
export const ways: readonly Way[] = [
  way('fast path', { http: 'fast' }, (site) => (path, init) => sendSimple(`${site.rest}${path.slice(1)}`, init)),
  way('node:http', { http: 'node' }, overSocket),
  way('service.fetch', {}, (site) => (path, init) => {
    return site.service.fetch(new Request(`${site.rest}${path.slice(1)}`, init))
  }),
]

/** `fetch` sends headers that the fast path leaves to `node:http`; this client sends none of them. */
function sendSimple(url: string, init: RequestInit = {}): Promise<Response> {
  return new Promise((resolve, reject) => {
    const headers = Object.fromEntries(new Headers(init.headers))
    const outgoing = httpRequest(url, {
      method: init.method ?? 'GET',
      headers: { ...headers, connection: 'keep-alive' },
    })
    const abort = (): void => void outgoing.destroy(new Error('The test has left.'))
    init.signal?.addEventListener('abort', abort)
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      const list = new Headers()
      for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2)
        list.append(incoming.rawHeaders[index] ?? '', incoming.rawHeaders[index + 1] ?? '')
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          incoming.on('data', (chunk: Buffer) => {
            controller.enqueue(new Uint8Array(chunk))
            if ((controller.desiredSize ?? 1) <= 0) incoming.pause()
          })
          incoming.on('end', () => (incoming.complete ? controller.close() : controller.error(new Error('aborted'))))
          incoming.on('error', (error) => controller.error(error))
        },
        pull: () => void incoming.resume(),
        cancel() {
          incoming.removeAllListeners('data')
          incoming.destroy()
        },
      })
      const status = incoming.statusCode ?? 0
      const isEmpty = init.method === 'HEAD' || status === 204 || status === 304
      if (isEmpty) incoming.resume()
      resolve(new Response(isEmpty ? null : body, { status, headers: list }))
    })
    if (typeof init.body === 'string') outgoing.setHeader('Content-Length', Buffer.byteLength(init.body))
    outgoing.end(init.body)
  })
}
