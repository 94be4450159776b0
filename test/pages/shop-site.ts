import { boot, type BootOptions, type Service } from '../../src/index.js'
import { temporaryDatabase } from '../support/test-database.js'

export const passwordOf = (login: string): string => `password-of-${login}-1`

const roles = {
  ada: 'administrator',
  ed: 'editor',
  cora: 'contributor',
  sam: 'subscriber',
  nora: null,
} as const

/** The reference application on a real socket with an empty database, and a user of each role. */
export async function openShop(options: BootOptions = {}) {
  const service = await boot(new URL('../../examples/shop/app/', import.meta.url), {
    database: options.database ?? (await temporaryDatabase()),
    seed: async () => {},
    log: { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} } as unknown as NonNullable<
      BootOptions['log']
    >,
    ...options,
  })
  const { url } = await service.listen({ port: 0 })
  for (const [login, role] of Object.entries(roles))
    await service.users.create({ login, email: `${login}@shop.example`, password: passwordOf(login), role })
  return { service, url, browser: () => new Browser(url), signedIn: (login: string) => signedIn(url, login) }
}

export type Shop = { readonly service: Service; readonly url: string }

async function signedIn(url: string, login: string): Promise<Browser> {
  const browser = new Browser(url)
  await browser.get('/wp-login.php')
  const ReceivedResponse = await browser.post('/wp-login.php', { log: login, pwd: passwordOf(login), testcookie: '1' })
  if (ReceivedResponse.status !== 302)
    throw new Error(`${login} could not log in: ${ReceivedResponse.status}\n${ReceivedResponse.text}`)
  return browser
}

export interface ReceivedResponse {
  readonly status: number
  readonly headers: Headers
  readonly location: string
  readonly text: string
}

/** Keeps cookies and follows nothing. */
export class Browser {
  readonly cookies = new Map<string, string>()
  /** Sent with every request. */
  headers: Record<string, string> = {}

  constructor(readonly url: string) {}

  get(path: string, headers: Record<string, string> = {}): Promise<ReceivedResponse> {
    return this.send('GET', path, { headers })
  }

  post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<ReceivedResponse> {
    return this.send('POST', path, { body: new URLSearchParams(fields), headers })
  }

  async send(
    method: string,
    path: string,
    { body, headers = {} }: { body?: URLSearchParams; headers?: Record<string, string> } = {},
  ): Promise<ReceivedResponse> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(new URL(path, this.url), {
      method,
      redirect: 'manual',
      headers: { ...this.headers, ...headers, ...(cookie === '' ? {} : { cookie }) },
      ...(body ? { body } : {}),
    })
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      location: response.headers.get('location') ?? '',
      text,
    }
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '%20' || /Max-Age=0\b/.test(line)) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}

/** A form of a page, by a text in it: its hidden fields. */
export function formWith(page: string, text: string): Record<string, string> {
  const form = (page.match(/<form[\s\S]*?<\/form>/g) ?? []).find((candidate) => candidate.includes(text))
  if (form === undefined) throw new Error(`There is no form with ${text} in:\n${page}`)
  const fields: Record<string, string> = {}
  for (const [input] of form.matchAll(/<input\b[^>]*>/g)) {
    const [, name] = /\bname="([^"]*)"/.exec(input) ?? []
    if (name !== undefined && /type="(hidden)"/.test(input))
      fields[name] = unescaped(/\bvalue="([^"]*)"/.exec(input)?.[1] ?? '')
  }
  return fields
}

export function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#039;', "'")
    .replaceAll('&amp;', '&')
}
