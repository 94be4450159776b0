import { headerOf, HttpConnection, type WireResponse } from '../support/http-connection.js'
import type { Random } from '../support/random.js'
import type { ServiceProcess } from '../support/service-process.js'
import type { Member, Site } from './protocol.js'

export type Headers = Readonly<Record<string, string>>

export interface Ask {
  readonly headers?: Headers
  /** Sent as it is; give its type in the headers. */
  readonly body?: string | Buffer
  /** Default: one address for right credentials, which no throttling reaches. */
  readonly from?: string
}

export interface ReceivedResponse {
  readonly status: number
  readonly text: string
  readonly wire: WireResponse
  header(name: string): string | null
  json(): unknown
}

/** The service under attack, what is known of it, and what was found. */
export class Target {
  #connections: HttpConnection[] = []
  #addresses = 0
  readonly findings: string[] = []
  /** Figures that are printed with the findings. */
  readonly notes: string[] = []
  checks = 0

  constructor(
    readonly service: ServiceProcess,
    readonly site: Site,
    readonly random: Random,
    /** How much is tried: 1 in the quick form. */
    readonly scale: number,
  ) {}

  /** @param target path and query, as they stand in the request line. */
  async ask(
    method: string,
    target: string,
    { headers = {}, body, from = '198.51.100.1' }: Ask = {},
  ): Promise<ReceivedResponse> {
    const lines = Object.entries({ Host: `127.0.0.1:${this.site.port}`, 'X-Forwarded-For': from, ...headers })
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    if (bytes) lines.push(['Content-Length', String(bytes.length)])
    const head = `${method} ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
    const connection = this.#connections.pop() ?? new HttpConnection(this.site.port)
    const wire = await connection.exchange(
      Buffer.concat([Buffer.from(head, 'latin1'), bytes ?? Buffer.alloc(0)]),
      method === 'HEAD',
      60_000,
    )
    if (connection.isOpen && headerOf(wire, 'connection') !== 'close') this.#connections.push(connection)
    else connection.close()
    const text = wire.body.toString('utf8')
    return {
      status: wire.status,
      text,
      wire,
      header: (name) => headerOf(wire, name),
      json: () => JSON.parse(text) as unknown,
    }
  }

  /** An address that nobody has used: failures from it are those of one attempt. */
  freshAddress(): string {
    this.#addresses += 1
    return `2001:db8:${(this.#addresses >> 16).toString(16)}:${(this.#addresses & 0xffff).toString(16)}::1`
  }

  /** Notes a check. @param fault what is wrong; null when nothing is. */
  check(fault: string | null): void {
    this.checks += 1
    if (fault !== null) this.findings.push(fault)
  }

  note(figures: string): void {
    this.notes.push(figures)
  }

  member(login: string): Member {
    const member = this.site.members.find((other) => other.login === login)
    if (!member) throw new Error(`There is no ${login}.`)
    return member
  }

  close(): void {
    for (const connection of this.#connections.splice(0)) connection.close()
  }
}

export function basicOf({ login }: Pick<Member, 'login'>, password: string): string {
  return `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`
}

/** Runs functions side by side, at most eight at a time. */
export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items].reverse()
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await work(item)
    }),
  )
}
