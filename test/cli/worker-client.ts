import assert from 'node:assert/strict'
import { RawConnection, type RawResponse } from '../support/raw-socket.js'
import type { Serving } from './command-line.js'

/** A connection that stays with the worker that has accepted it. */
export class Client {
  readonly #port: number
  #connection: RawConnection

  constructor({ url }: Pick<Serving, 'url'>) {
    this.#port = Number(new URL(url).port)
    this.#connection = new RawConnection(this.#port)
  }

  /** Sends a request, and connects again when the response is the last one of its connection. */
  async send(method: string, route: string, form = '', authorization = ''): Promise<RawResponse> {
    const type = form === '' ? '' : 'Content-Type: application/x-www-form-urlencoded\r\n'
    const credentials = authorization === '' ? '' : `Authorization: ${authorization}\r\n`
    this.#connection.send(
      `${method} ${route} HTTP/1.1\r\nHost: x\r\n${type}${credentials}Content-Length: ${form.length}\r\n\r\n${form}`,
    )
    const response = await this.#connection.response()
    if (response.headers['connection'] === 'close') this.reconnect()
    return response
  }

  /** Sends a report of the companion plugin without rows. @param signed the value of its header. */
  report(signed: string): Promise<RawResponse> {
    this.#connection.send(
      `POST /as-rest-route/changes HTTP/1.1\r\nHost: x\r\nX-As-Rest-Route: ${signed}\r\nContent-Length: 2\r\n\r\n[]`,
    )
    return this.#connection.response()
  }

  async get(route: string): Promise<unknown> {
    const { status, text } = await this.send('GET', `/wp-json/own/v1/${route}`)
    assert.equal(status, 200, text)
    return JSON.parse(text)
  }

  reconnect(): void {
    this.close()
    this.#connection = new RawConnection(this.#port)
  }

  close(): void {
    this.#connection.close()
  }
}

/** A client of each worker, by process id. The application tells its process at `/own/v1/process`. */
export async function clientOfEach(served: Pick<Serving, 'url'>, count: number): Promise<ReadonlyMap<number, Client>> {
  const clients = new Map<number, Client>()
  while (clients.size < count) {
    const client = new Client(served)
    const pid = Number(await client.get('process'))
    if (clients.has(pid)) client.close()
    else clients.set(pid, client)
  }
  return clients
}
