// The service under attack, in a process of its own, with a clock that the attacker moves.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { boot, Mailer, type MailMessage, type Service, type Terms } from 'as-rest-route'
import { openSqlite } from '../../src/database/sqlite/open-sqlite.js'
import { answerCalls } from '../support/service-process.js'
import { shopHandlers, shopOptions } from '../support/shop.js'
import { carelessHeader, costly, echoed, GuardedApi } from './guarded-api.js'
import { hostileSite } from './payloads.js'
import { roles, secrets, type Member, type RecordWish, type ResetLink, type Role, type Site } from './protocol.js'

const folder = mkdtempSync(join(tmpdir(), 'as-rest-route-security-'))
const database = `sqlite:${join(folder, 'site.sqlite')}`
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))

let service: Service
let url = ''
/** Milliseconds that the clock is ahead. */
let ahead = 0
const members: Member[] = []
let terms: Terms
let termCount = 0

/** Keeps messages until they are taken. */
class Mailbox extends Mailer {
  readonly #messages: MailMessage[] = []
  #waiting: (() => void)[] = []

  async send(message: MailMessage): Promise<void> {
    this.#messages.push(message)
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  async next(): Promise<MailMessage> {
    for (;;) {
      const message = this.#messages.shift()
      if (message) return message
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }
}

const mailbox = new Mailbox()

async function start(): Promise<Site> {
  service = await boot([...shopHandlers, GuardedApi, echoed, carelessHeader, costly], {
    ...shopOptions,
    seed: async (tools) => {
      await shopOptions.seed?.(tools)
      ;({ terms } = tools)
    },
    // On every page.
    site: hostileSite,
    provide: [[Mailer, mailbox]],
    views: new URL('../../examples/shop/views/', import.meta.url),
    public: new URL('../../examples/shop/public/', import.meta.url),
    database,
    synchronous: 'NORMAL',
    environment: 'local',
    trusted_proxies: ['127.0.0.1'],
    // More than the largest input of the size attacks, so that none of them is refused before it is read.
    body_limit: 4 * 1024 * 1024,
    secrets,
    clock: () => Date.now() + ahead,
    log: { info() {}, warn() {}, error() {} },
  })
  const listening = await service.listen({ port: 0 })
  url = listening.url
  for (const role of roles) for (const number of [1, 2]) members.push(await newMember(`${role}-${number}`, role))
  const declared = service.routes.map(({ method, namespace, route }) => ({ method, pattern: `/${namespace}${route}` }))
  return { port: listening.port, url, members, declared }
}

/** The members with new application passwords: an attack may have revoked them. */
async function refreshed(): Promise<readonly Member[]> {
  for (const [index, member] of members.entries()) {
    await service.applicationPasswords.revokeAll(member.id)
    const { password, item } = await service.applicationPasswords.create(member.id, { name: 'suite' })
    members[index] = { ...member, applicationPassword: password, uuid: item.uuid }
  }
  return members
}

/** A new user with valid credentials of each kind. */
async function newMember(login: string, role: Role): Promise<Member> {
  const password = `password of ${login}`
  const email = `${login}@shop.example`
  const { id } = await service.users.create({ login, email, password, role: role === 'none' ? null : role })
  const { password: applicationPassword, item } = await service.applicationPasswords.create(id, { name: 'suite' })
  const session = await logIn({ login, password })
  return { login, email, id, role, password, applicationPassword, uuid: item.uuid, ...session }
}

async function logIn({ login, password }: { readonly login: string; readonly password: string }) {
  const body = new URLSearchParams({ log: login, pwd: password })
  const response = await service.fetch(new Request(`${url}/wp-login.php`, { method: 'POST', body }))
  const lines = response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  const cookie = lines.filter((line) => line.startsWith('wordpress_logged_in_')).join('; ')
  const nonceUrl = `${url}/wp-admin/admin-ajax.php?action=rest-nonce`
  const nonce = await (await service.fetch(new Request(nonceUrl, { headers: { cookie } }))).text()
  return { cookie, adminCookies: lines.join('; '), loggedIn: decodeURIComponent(cookie.split('=')[1] ?? ''), nonce }
}

async function record({ status, title = 'A record', content = '', excerpt = '', ...wish }: RecordWish) {
  const isTrashed = status.startsWith('trash')
  const date = status === 'future' ? { date: '2099-01-01T00:00:00' } : {}
  const { id } = await service.records.insert({
    ...wish,
    status: isTrashed ? status.slice('trash-'.length) : status,
    title,
    content,
    excerpt,
    ...date,
  })
  if (isTrashed) await service.records.update(id, { status: 'trash' })
  return id
}

/** Metadata as it comes back from the database. */
async function roundTrip(values: readonly unknown[]): Promise<readonly unknown[]> {
  const { id } = await service.records.insert({
    type: 'post',
    title: 'Metadata',
    meta: { values, first: values[0] },
  })
  const stored = await service.records.get(id)
  await service.records.delete(id)
  return [stored?.meta['values'], stored?.meta['first']]
}

async function storedUser(login: string) {
  const storage = await openSqlite(database)
  try {
    return await storage.users.find({ login })
  } finally {
    await storage.close()
  }
}

/** The link of the next message that has one. */
async function mailedLink(): Promise<ResetLink> {
  for (;;) {
    const { text } = await mailbox.next()
    const [, login, key] = /\?login=([^&]+)&key=([^&]+)&action=rp/.exec(text) ?? []
    if (login !== undefined && key !== undefined) return { login: decodeURIComponent(login), key }
  }
}

answerCalls({
  start,
  refreshed,
  join: ({ login, role }: { login: string; role: Role }) => newMember(login, role),
  logIn,
  record,
  roundTrip,
  term: ({ name, description }: { name: string; description: string }) =>
    terms.create({ name: `${(termCount += 1)} ${name}`, description }),
  mailedLink,
  passwordHash: async (login: string) => (await storedUser(login))?.user_pass ?? '',
  activationKey: async (login: string) => (await storedUser(login))?.user_activation_key ?? '',
  exists: async (id: number) => (await service.records.get(id)) !== null,
  deleteRecord: (id: number) => service.records.delete(id),
  updateUser: ({ id, ...change }: { id: number }) => service.users.update(id, change),
  deleteUser: (id: number) => service.users.delete(id),
  newPassword: async (id: number) => {
    const { password, item } = await service.applicationPasswords.create(id, { name: 'fresh' })
    return { password, uuid: item.uuid }
  },
  /** @param seconds after which it ends. */
  limitedPassword: async ({ id, scopes, seconds }: { id: number; scopes?: readonly string[]; seconds?: number }) => {
    const { password } = await service.applicationPasswords.create(id, {
      name: 'limited',
      ...(scopes && { scopes }),
      ...(seconds !== undefined && { expires: new Date(Date.now() + ahead + seconds * 1000) }),
    })
    return password
  },
  passwordCount: async (id: number) => (await service.applicationPasswords.list(id)).length,
  revoke: ({ id, uuid }: { id: number; uuid: string }) => service.applicationPasswords.revoke(id, uuid),
  revokeAll: (id: number) => service.applicationPasswords.revokeAll(id),
  advance: (seconds: number) => {
    ahead += seconds * 1000
    return Date.now() + ahead
  },
  /** Microseconds of the whole process. */
  cpu: () => {
    const { user, system } = process.cpuUsage()
    return user + system
  },
})
