import { boot, type BootOptions, type HandlerSource, type Service } from '../../src/index.js'
import { silent } from '../../src/log/log.js'
import { temporaryDatabase } from '../support/test-database.js'

/** What came back: the body decoded, or its text when it is no JSON. */
export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

export interface Sending {
  /** Header `Authorization`, or other headers of a caller. */
  readonly as?: Readonly<Record<string, string>>
  readonly json?: unknown
}

export interface OpenService {
  readonly service: Service
  /** `http://127.0.0.1:41234` */
  readonly url: string
  /** `http://127.0.0.1:41234/wp-json/` */
  readonly root: string
  /** @param path below the REST prefix, with its query: `/shop/v1/products?page=2`. */
  call(method: string, path: string, sending?: Sending): Promise<Answered>
  /** A new user with an application password: the id, and the headers that identify the user. */
  join(login: string, role: string): Promise<Member>
  close(): Promise<void>
}

export interface Member {
  readonly id: number
  /** 24 letters and digits. */
  readonly password: string
  readonly uuid: string
  readonly headers: Readonly<Record<string, string>>
}

/** A service over an empty database, on a socket. */
export async function openService(handlers: HandlerSource, options: BootOptions = {}): Promise<OpenService> {
  const service = await boot(handlers, {
    database: options.database ?? (await temporaryDatabase()),
    environment: 'local',
    log: silent,
    ...options,
  })
  const { url } = await service.listen({ port: 0 })
  const root = `${url}/wp-json/`
  return {
    service,
    url,
    root,
    async call(method, path, { as = {}, json } = {}) {
      const sent = json === undefined ? {} : { body: JSON.stringify(json) }
      const type: Record<string, string> = json === undefined ? {} : { 'Content-Type': 'application/json' }
      const response = await fetch(root + path.slice(1), { method, headers: { ...type, ...as }, ...sent })
      return { status: response.status, headers: response.headers, body: decoded(await response.text()) }
    },
    async join(login, role) {
      const { id } = await service.users.create({ login, email: `${login}@shop.example`, password: 'secret', role })
      const { password, item } = await service.applicationPasswords.create(id, { name: 'test' })
      return { id, password, uuid: item.uuid, headers: { Authorization: `Basic ${btoa(`${login}:${password}`)}` } }
    },
    close: () => service.close(),
  }
}

function decoded(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** What a browser keeps after the login form: the header `Cookie`. */
export async function signedIn(url: string, log: string, pwd = 'secret'): Promise<string> {
  const response = await fetch(`${url}/wp-login.php`, {
    method: 'POST',
    body: new URLSearchParams({ log, pwd }),
    redirect: 'manual',
  })
  const cookies = new Map(
    response.headers.getSetCookie().map((line) => (line.split(';')[0] ?? '').split('=', 2) as [string, string]),
  )
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}
