// The service under attack: the reference shop and the rules application, in a process of its own.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { boot, type Log, type Service } from 'as-rest-route'
import { serviceRoutes } from '../../src/app/service-routes.js'
import { openApiDocument } from '../../src/documents/openapi-document.js'
import { answerCalls } from '../support/service-process.js'
import { shopHandlers, shopOptions } from '../support/shop.js'
import type { Member, Measurement, Started } from './protocol.js'
import { ruleEndpoints, RulesApi, sanitizerEndpoints } from './rules-api.js'

const folder = mkdtempSync(join(tmpdir(), 'as-rest-route-fuzz-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))

const roles = {
  ada: 'administrator',
  ed: 'editor',
  olga: 'author',
  cora: 'contributor',
  sam: 'subscriber',
  vera: 'editor',
} as const
type Login = keyof typeof roles
const logins = Object.keys(roles) as Login[]
const passwordOf = (login: string): string => `password-of-${login}`

/** A cause of a 500 that the caller reads together with the request. */
const log: Log = {
  info() {},
  warn() {},
  error(fields, message) {
    const { err, requestId } = fields as { err?: Error; requestId?: string }
    process.send?.({ requestId, message, stack: err?.stack })
  },
}

let service: Service
let url = ''
const members: Member[] = []

async function start(): Promise<Started> {
  const sources = [...shopHandlers, RulesApi, ...ruleEndpoints, ...sanitizerEndpoints]
  service = await boot(sources, {
    ...shopOptions,
    views: new URL('../../examples/shop/views/', import.meta.url),
    public: new URL('../../examples/shop/public/', import.meta.url),
    database: `sqlite:${join(folder, 'site.sqlite')}`,
    synchronous: 'NORMAL',
    environment: 'local',
    trusted_proxies: ['127.0.0.1'],
    log,
  })
  const { url: listening, port } = await service.listen({ port: 0 })
  url = listening
  for (const login of logins) members.push(await withoutCredentials(login))
  const facts = { title: 'Fuzz', baseUrl: url, restPrefix: service.restPrefix }
  const document = openApiDocument(service.routes, facts, serviceRoutes(service.routes))
  return { port, url, document }
}

async function withoutCredentials(login: Login): Promise<Member> {
  const { id } = await service.users.create({
    login,
    email: `${login}@shop.example`,
    password: passwordOf(login),
    role: roles[login],
  })
  return { login, id, basic: '', cookie: '', nonce: '', uuid: '' }
}

/**
 * Replaces credentials that requests have revoked, creates users again that requests have deleted, and removes surplus
 * records, so that every window is alike.
 */
async function renew(): Promise<readonly Member[]> {
  for (const [index, login] of logins.entries()) {
    let member = members[index] as Member
    if ((await service.users.find(member.id)) === null) member = await withoutCredentials(login)
    if (!(await isAccepted({ authorization: member.basic }))) member = await withApplicationPassword(member)
    if (!(await isAccepted({ cookie: member.cookie, 'x-wp-nonce': member.nonce }))) {
      await service.users.update(member.id, { password: passwordOf(login) })
      member = { ...member, ...(await logIn(login)) }
    }
    members[index] = member
  }
  await prune()
  return members
}

async function isAccepted(headers: Readonly<Record<string, string>>): Promise<boolean> {
  if (Object.values(headers).includes('')) return false
  const response = await service.fetch(new Request(`${url}/wp-json/wp/v2/users/me`, { headers }))
  return response.status === 200
}

async function withApplicationPassword(member: Member): Promise<Member> {
  const items = await service.applicationPasswords.list(member.id)
  if (items.length > 150) await service.applicationPasswords.revokeAll(member.id)
  const { password, item } = await service.applicationPasswords.create(member.id, { name: 'fuzz' })
  return { ...member, basic: `Basic ${btoa(`${member.login}:${password}`)}`, uuid: item.uuid }
}

async function logIn(login: string): Promise<{ readonly cookie: string; readonly nonce: string }> {
  const response = await service.fetch(
    new Request(`${url}/wp-login.php`, {
      method: 'POST',
      body: new URLSearchParams({ log: login, pwd: passwordOf(login) }),
    }),
  )
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .join('; ')
  const address = `${url}/wp-admin/admin-ajax.php?action=rest-nonce`
  const nonce = await (await service.fetch(new Request(address, { headers: { cookie } }))).text()
  return { cookie, nonce }
}

/** Keeps the newest 150 products. */
async function prune(): Promise<void> {
  const products = await service.records.list({
    type: 'product',
    status: ['publish', 'draft', 'pending', 'private', 'future', 'trash'],
    per_page: 1000,
    orderby: 'id',
    order: 'desc',
    fields: ['status'],
  })
  for (const { id } of products.slice(150)) await service.records.delete(id)
  for (let count = products.length; count < 40; count += 1)
    await service.records.insert({ type: 'product', status: 'publish', title: `Product ${count}`, meta: { price: 1 } })
}

/** Heap after a full collection, and what keeps the process alive, by kind. The clients have closed their sockets. */
async function measure(): Promise<Measurement> {
  for (let wait = 0; wait < 50 && process.getActiveResourcesInfo().includes('TCPSocketWrap'); wait += 1)
    await new Promise((resolve) => setTimeout(resolve, 50))
  globalThis.gc?.()
  globalThis.gc?.()
  const handles: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) handles[kind] = (handles[kind] ?? 0) + 1
  const { heapUsed, external, rss } = process.memoryUsage()
  return { heapUsed, external, rss, handles }
}

answerCalls({ start, renew, measure })
