import { operationsOf } from '../fuzz/route-table.js'
import { roles, type Member, type Role, type Site } from './protocol.js'
import { expectedStatus, statuses, type Object_, type Question } from './rules.js'
import { basicOf, inParallel, type ReceivedResponse, type Headers, type Target } from './target.js'

/** Credentials of a member, and what they are worth: an identity, or a refusal of its own. */
interface Credential {
  readonly name: string
  readonly headers: Headers
  readonly query?: string
  /** Who the request comes from; null for nobody. */
  readonly identity: Member | null
  /** The status of every response to this credential. */
  readonly refusal?: 401 | 403
  readonly isApplicationPassword?: boolean
}

type Asked = Site['declared'][number]

interface Case extends Asked {
  readonly credential: Credential
  readonly object: Object_
  readonly disguise: Disguise
}

/** Other ways to ask for the same. */
const disguises = ['none', '_method', 'override', 'rest_route', 'index.php', 'shouted'] as const
type Disguise = (typeof disguises)[number] | 'batch'

const batched = new Set(['PATCH /guarded/v1/records/(?P<id>\\d+)', 'POST /guarded/v1/publications'])

/** Ends every application password of a user, so that these cases come last and one after the other. */
const isEndingPasswords = ({ method, pattern }: Case): boolean =>
  method === 'DELETE' && pattern.endsWith('/application-passwords')

/**
 * Route × role × credential × object × disguise, against the second statement of the rules.
 */
export async function attackMatrix(target: Target): Promise<void> {
  const index = (await target.ask('GET', '/wp-json/')).json() as Parameters<typeof operationsOf>[0]
  const matrix = new Matrix(target)
  const cases: Case[] = []
  for (const { method, pattern } of withHidden(operationsOf(index), target.site.declared)) {
    const question = { operation: `${method} ${pattern}`, role: 'anonymous', object: { kind: 'none' } } as const
    if (expectedStatus({ ...question, hasApplicationPassword: false }) === null) {
      target.check(`${method} ${pattern} is missing in suites/security/rules.ts.`)
      continue
    }
    for (const role of [...roles, 'anonymous'] as const)
      for (const credential of credentialsOf(target, role))
        for (const object of objectsOf(pattern, credential)) {
          // Every role is tried with every object; other credentials and disguises are drawn in the quick form.
          const isBasic = credential.name === 'an application password' || credential.name === 'nothing'
          if (!isBasic && !target.random.chance(0.25 * target.scale)) continue
          const disguise = isBasic && !target.random.chance(0.3 * target.scale) ? 'none' : target.random.pick(disguises)
          cases.push({ method, pattern, credential, object, disguise })
          if (batched.has(`${method} ${pattern}`))
            cases.push({ method, pattern, credential, object, disguise: 'batch' })
        }
  }
  await inParallel(
    cases.filter((each) => !isEndingPasswords(each)),
    (each) => matrix.check(each),
  )
  for (const each of cases.filter(isEndingPasswords)) await matrix.check(each)
  await matrix.checkAllow()
}

/** The operations of the index, and those that it does not show. */
function withHidden(shown: readonly Asked[], declared: readonly Asked[]): readonly Asked[] {
  const isShown = ({ method, pattern }: Asked): boolean =>
    shown.some((each) => each.method === method && each.pattern === pattern)
  return [...shown, ...declared.filter((each) => !isShown(each))]
}

function credentialsOf(target: Target, role: Role | 'anonymous'): readonly Credential[] {
  if (role === 'anonymous') return [{ name: 'nothing', headers: {}, identity: null }]
  return credentialsOfMember(target, target.member(`${role}-1`))
}

function credentialsOfMember(target: Target, member: Member): readonly Credential[] {
  const other = target.member('subscriber-2')
  const cookieAndNonce = { Cookie: member.cookie, 'X-WP-Nonce': member.nonce }
  const basic = { Authorization: basicOf(member, member.applicationPassword) }
  return [
    { name: 'an application password', headers: basic, identity: member, isApplicationPassword: true },
    {
      name: 'an application password by e-mail',
      headers: { Authorization: basicOf({ login: member.email }, member.applicationPassword) },
      identity: member,
      isApplicationPassword: true,
    },
    { name: 'cookie and nonce', headers: cookieAndNonce, identity: member },
    {
      name: 'cookie and nonce as a parameter',
      headers: { Cookie: member.cookie },
      query: `_wpnonce=${member.nonce}`,
      identity: member,
    },
    { name: 'a cookie alone', headers: { Cookie: member.cookie }, identity: null },
    { name: 'a nonce alone', headers: { 'X-WP-Nonce': member.nonce }, identity: null, refusal: 403 },
    {
      name: "a cookie with another's nonce",
      headers: { Cookie: member.cookie, 'X-WP-Nonce': other.nonce },
      identity: null,
      refusal: 403,
    },
    {
      name: "an application password with another's cookie",
      headers: { ...basic, Cookie: other.cookie },
      identity: null,
    },
    {
      name: "an application password with another's cookie and nonce",
      headers: { ...basic, Cookie: other.cookie, 'X-WP-Nonce': other.nonce },
      identity: other,
    },
    {
      name: 'the password of the account',
      headers: { Authorization: basicOf(member, member.password) },
      identity: null,
      refusal: 401,
    },
    {
      name: "another's application password",
      headers: { Authorization: basicOf(member, other.applicationPassword) },
      identity: null,
      refusal: 401,
    },
  ]
}

function objectsOf(pattern: string, { identity }: Credential): readonly Object_[] {
  const ownership = identity === null ? [false] : [true, false]
  if (pattern.includes('?P<user_id>'))
    return [{ kind: 'me' }, { kind: 'missing' }, ...ownership.map((isOwn) => ({ kind: 'user', isOwn }) as const)]
  if (pattern.startsWith('/guarded/v1/users'))
    return [{ kind: 'missing' }, ...ownership.map((isOwn) => ({ kind: 'user', isOwn }) as const)]
  if (!pattern.includes('?P<id>')) return [{ kind: 'none' }]
  return [
    { kind: 'missing' },
    ...ownership.flatMap((isOwn) => [
      ...statuses.map((status) => ({ kind: 'record', isOwn, status, type: 'product' }) as const),
      { kind: 'record', isOwn, status: 'publish', type: 'post' } as const,
      { kind: 'record', isOwn, status: 'draft', type: 'page' } as const,
    ]),
  ]
}

class Matrix {
  readonly #target: Target
  readonly #records = new Map<string, Promise<number>>()
  /** By user id; renewed after all of a user's were deleted. */
  readonly #renewed = new Map<number, string>()
  #leaving = 0

  constructor(target: Target) {
    this.#target = target
  }

  async check({ method, pattern, credential, object, disguise }: Case): Promise<void> {
    const operation = `${method} ${pattern}`
    const question: Question = {
      operation,
      role: credential.identity?.role ?? 'anonymous',
      object,
      hasApplicationPassword: credential.isApplicationPassword === true,
    }
    const expected = credential.refusal ?? expectedStatus(question) ?? 0
    const place = await this.#placeOf(pattern, method, credential, object, expected)
    const isLeaving = operation === leaving && expected === 200
    const sent = isLeaving ? await this.#credentialToLeave(credential) : this.#renewedCredential(credential)
    const response = await this.#send(method, place.path, operation, sent, disguise)
    const status = statusOf(response, disguise)
    this.#target.check(
      status === expected
        ? null
        : `${operation} by ${question.role} with ${credential.name} on ${JSON.stringify(object)} (${disguise}): ${status}, expected ${expected}: ${response.text.slice(0, 200)}`,
    )
    await this.#cleanUp(operation, place, response)
  }

  #renewedCredential(credential: Credential): Credential {
    const { identity, isApplicationPassword } = credential
    const password = identity && this.#renewed.get(identity.id)
    if (!password || isApplicationPassword !== true) return credential
    const login = credential.name.endsWith('e-mail') ? identity.email : identity.login
    return { ...credential, headers: { Authorization: basicOf({ login }, password) } }
  }

  /** The same credential of a new user: the deletion of the caller would end all further cases of a user. */
  async #credentialToLeave({ name, identity }: Credential): Promise<Credential> {
    this.#leaving += 1
    const login = `leaving-${this.#leaving}`
    const member = await this.#target.service.call<Member>('join', { login, role: identity?.role })
    const credential = credentialsOfMember(this.#target, member).find((each) => each.name === name)
    if (!credential) throw new Error(`There is no credential '${name}'.`)
    return credential
  }

  /** The path of the object, and the user whose application password it is. */
  async #placeOf(
    pattern: string,
    method: string,
    { identity }: Credential,
    object: Object_,
    expected: number,
  ): Promise<{ readonly path: string; readonly userId: number; readonly uuid: string | null }> {
    const other = this.#target.member('administrator-2')
    const owner = (object.kind === 'user' && object.isOwn) || object.kind === 'me' ? (identity ?? other) : other
    let path = pattern
    let uuid: string | null = null
    if (pattern.includes('?P<uuid>')) {
      ;({ uuid } = await this.#target.service.call<{ uuid: string }>('newPassword', owner.id))
      path = path.replace('(?P<uuid>[\\w\\-]+)', uuid)
    }
    const user = object.kind === 'me' ? 'me' : object.kind === 'missing' ? '999999' : String(owner.id)
    path = path.replace('(?P<user_id>(?:[\\d]+|me))', user)
    if (pattern.startsWith('/guarded/v1/users')) path = path.replace('(?P<id>\\d+)', user)
    if (path.includes('(?P<id>')) {
      const isDeleting = method === 'DELETE' && expected === 204
      path = path.replace('(?P<id>\\d+)', String(await this.#recordFor(object, identity, isDeleting)))
    }
    return { path, userId: owner.id, uuid }
  }

  async #recordFor(object: Object_, identity: Member | null, isFresh: boolean): Promise<number> {
    if (object.kind !== 'record') return 999_999
    const author = object.isOwn && identity ? identity.id : this.#target.member('administrator-2').id
    const { type, status } = object
    const create = () => this.#target.service.call<number>('record', { type, status, author })
    if (isFresh) return create()
    const key = `${author} ${type} ${status}`
    let id = this.#records.get(key)
    if (!id) this.#records.set(key, (id = create()))
    return id
  }

  async #send(
    method: string,
    path: string,
    operation: string,
    { headers, query }: Credential,
    disguise: Disguise,
  ): Promise<ReceivedResponse> {
    const arguments_ = argumentsOf(operation, this.#target.member('administrator-2').id)
    const body = disguise === 'batch' ? { requests: [{ method, path, body: arguments_ }] } : arguments_
    const queries = query === undefined ? [] : [query]
    let target = `/wp-json${path}`
    let sentMethod = method
    const more: Record<string, string> = {}
    if (disguise === 'batch') {
      sentMethod = 'POST'
      target = '/wp-json/batch/v1'
    } else if (disguise === '_method') {
      sentMethod = 'POST'
      queries.push(`_method=${method.toLowerCase()}`)
    } else if (disguise === 'override') {
      sentMethod = 'POST'
      more['X-HTTP-Method-Override'] = method
    } else if (disguise === 'rest_route') {
      target = '/'
      queries.push(`rest_route=${encodeURIComponent(path)}`)
    } else if (disguise === 'index.php') target = `/index.php/wp-json${path}`
    // The documents of namespaces are found by the exact text alone.
    else if (disguise === 'shouted' && /\(\?P</.test(operation)) target = `/wp-json${shouted(path)}`
    const address = queries.length === 0 ? target : `${target}?${queries.join('&')}`
    const sent = sentMethod === 'GET' ? {} : { body: JSON.stringify(body) }
    return this.#target.ask(sentMethod, address, {
      ...sent,
      headers: { ...headers, ...more, ...(sentMethod !== 'GET' && { 'Content-Type': 'application/json' }) },
      // Wrong credentials come from addresses of their own, so that none of them is throttled.
      from: this.#target.freshAddress(),
    })
  }

  async #cleanUp(
    operation: string,
    { userId, uuid }: { readonly userId: number; readonly uuid: string | null },
    response: ReceivedResponse,
  ): Promise<void> {
    const { service } = this.#target
    if (uuid !== null) await service.call('revoke', { id: userId, uuid })
    if (operation.startsWith('POST /wp/v2') && response.status === 201) {
      const { uuid: created } = response.json() as { readonly uuid: string }
      const [, owner] = /users\/(\d+)\//.exec(response.header('location') ?? '') ?? []
      await service.call('revoke', { id: Number(owner), uuid: created })
    }
    if (operation.startsWith('DELETE /wp/v2') && operation !== leaving && uuid === null && response.status === 200) {
      const { password } = await service.call<{ password: string }>('newPassword', userId)
      this.#renewed.set(userId, password)
    }
  }

  /** `Allow` of OPTIONS lists exactly the methods whose permission the caller has. */
  async checkAllow(): Promise<void> {
    const methods = { 'shop/v1/products': ['GET', 'PUT', 'DELETE'], 'guarded/v1/records': ['GET', 'PATCH', 'DELETE'] }
    for (const [route, listed] of Object.entries(methods))
      for (const role of [...roles, 'anonymous'] as const) {
        const [credential] = credentialsOf(this.#target, role)
        if (!credential) continue
        const pattern = `/${route}/(?P<id>\\d+)`
        for (const object of objectsOf(pattern, credential)) {
          const allowed = listed.filter((method) => {
            const question = { operation: `${method} ${pattern}`, role, object, hasApplicationPassword: true }
            // The permission of a public route is never refused, whatever its handler finds.
            return pattern.startsWith('/shop') && method === 'GET'
              ? true
              : ![401, 403].includes(expectedStatus(question) ?? 0)
          })
          const id = await this.#recordFor(object, credential.identity, false)
          const response = await this.#target.ask('OPTIONS', `/wp-json/${route}/${id}`, {
            headers: this.#renewedCredential(credential).headers,
          })
          const sent = response.header('allow') ?? ''
          this.#target.check(
            sent === allowed.join(', ')
              ? null
              : `OPTIONS ${route} by ${role} on ${JSON.stringify(object)}: Allow is "${sent}", expected "${allowed.join(', ')}"`,
          )
        }
      }
  }
}

/** Deletes the caller. */
const leaving = 'DELETE /wp/v2/users/me'

/**
 * Arguments that the route accepts.
 * @param heir the id of a user who is not the caller.
 */
function argumentsOf(operation: string, heir: number): object {
  if (operation === leaving) return { force: true, reassign: heir }
  if (operation === 'POST /shop/v1/products') return { title: 'Made by the matrix', price: 1 }
  if (operation.startsWith('POST /wp/v2/users/(') && operation.endsWith('passwords')) return { name: 'matrix' }
  if (operation === 'POST /batch/v1') return { requests: [{ path: '/shop/v1/none' }] }
  return {}
}

/** The literal parts in capitals; namespaces in another case are found by the patterns alone. */
function shouted(path: string): string {
  return path.replaceAll(/shop|guarded|products|records/g, (word) => word.toUpperCase())
}

function statusOf(response: ReceivedResponse, disguise: Disguise): number {
  if (response.status !== 207) return response.status
  if (disguise !== 'batch') return 200
  const { responses } = response.json() as { readonly responses: readonly { readonly status: number }[] }
  return responses[0]?.status ?? 0
}
