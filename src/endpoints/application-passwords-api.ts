import { viewOfApplicationPassword } from '../auth/application-password-view.js'
import {
  ApplicationPasswords,
  inGroupsOfFour,
  maxApplicationNameLength,
  type ApplicationPassword,
} from '../auth/application-passwords.js'
import { inject } from '../container/container.js'
import { currentUserCan } from '../auth/current-user.js'
import type { Caller } from '../http/caller.js'
import type { RestRequest } from '../http/rest-request.js'
import { RestResponse } from '../http/rest-response.js'
import { AsRestRoute } from '../routing/as-rest-route.js'
import { sanitizeTextField } from '../sanitizers/text-field.js'
import { Users } from '../content/users.js'
import { contextArgument, type Context } from './context-argument.js'
import {
  foreignIntrospection,
  nameMissing,
  nothingToIntrospect,
  notLoggedIn,
  passwordNotFound,
  passwordRefusal,
  passwordsUnavailable,
  unknownUser,
  type PasswordCapability,
} from './refusals.js'
import { RestContext } from './rest-context.js'

const collection = '/users/(?P<user_id>(?:[\\d]+|me))/application-passwords'
const item = `${collection}/(?P<uuid>[\\w\\-]+)` as const
const inContext = { context: contextArgument }

const appId = {
  description: 'A UUID provided by the application to uniquely identify it.',
  type: 'string',
  oneOf: [
    { type: 'string', format: 'uuid' },
    { type: 'string', enum: [''] },
  ],
} as const

const name = {
  description: 'The name of the application password.',
  type: 'string',
  minLength: 1,
  maxLength: maxApplicationNameLength,
  // WordPress's `.*\S.*` says the same in cubic time, so that it is not tried on more than 22 characters.
  pattern: '\\S',
} as const

type OfUser = RestRequest<{ user_id: string }>
type Shown = RestRequest<{ user_id: string; context: Context }>
type Item = { user_id: string; uuid: string }

/** The application passwords of a user, for himself and for who may edit him. */
// Rules: docs/wire.md#application-password-endpoints.
export class ApplicationPasswordsApi {
  constructor(
    private readonly passwords = inject(ApplicationPasswords),
    private readonly users = inject(Users),
    private readonly context = inject(RestContext),
  ) {}

  @AsRestRoute({ namespace: 'wp/v2', route: collection, permission: 'canList', args: inContext })
  async list(request: Shown) {
    const userId = await this.#userOf(request, request.get_param('user_id'))
    const items = await this.passwords.list(userId)
    const context = request.get_param('context')
    return new RestResponse(items.map((password) => answer(password, { request, userId, context })))
  }

  @AsRestRoute({
    namespace: 'wp/v2',
    route: collection,
    method: 'POST',
    permission: 'canCreate',
    args: { app_id: appId, name: { ...name, required: true } },
  })
  async create(request: RestRequest<{ user_id: string; app_id: string | null; name: string }>) {
    const userId = await this.#userOf(request, request.get_param('user_id'))
    const cleanName = sanitizeTextField(request.get_param('name'))
    if (cleanName === '') throw nameMissing()
    const appId = request.get_param('app_id') ?? ''
    const { item, password } = await this.passwords.create(userId, { name: cleanName, appId })
    const shown = { request, userId, context: 'edit', password: inGroupsOfFour(password) } as const
    return answer(item, shown, 201).header('Location', addressOf(item, request, userId))
  }

  @AsRestRoute({ namespace: 'wp/v2', route: collection, method: 'DELETE', permission: 'canDeleteAll' })
  async deleteAll(request: OfUser) {
    const count = await this.passwords.revokeAll(await this.#userOf(request, request.get_param('user_id')))
    return new RestResponse({ deleted: true, count })
  }

  /** Before the items: `introspect` would be an id as well. */
  @AsRestRoute({
    namespace: 'wp/v2',
    route: `${collection}/introspect`,
    permission: 'canIntrospect',
    args: inContext,
  })
  async introspect(request: Shown) {
    const uuid = this.context.applicationPasswordOf(request)
    if (uuid === null) throw nothingToIntrospect()
    const userId = request.user.id
    return answer(await this.#found(userId, uuid), { request, userId, context: request.get_param('context') })
  }

  @AsRestRoute({ namespace: 'wp/v2', route: item, permission: 'canRead', args: inContext })
  async show(request: RestRequest<Item & { context: Context }>) {
    const userId = await this.#userOf(request, request.get_param('user_id'))
    const password = await this.#found(userId, request.get_param('uuid'))
    return answer(password, { request, userId, context: request.get_param('context') })
  }

  @AsRestRoute({
    namespace: 'wp/v2',
    route: item,
    method: 'POST',
    permission: 'canEdit',
    args: { app_id: appId, name },
  })
  @AsRestRoute({ namespace: 'wp/v2', route: item, method: 'PUT', permission: 'canEdit', args: { app_id: appId, name } })
  @AsRestRoute({
    namespace: 'wp/v2',
    route: item,
    method: 'PATCH',
    permission: 'canEdit',
    args: { app_id: appId, name },
  })
  async rename(request: RestRequest<Item & { app_id: string | null; name: string | null }>) {
    const userId = await this.#userOf(request, request.get_param('user_id'))
    const uuid = request.get_param('uuid')
    const cleanName = sanitizeTextField(request.get_param('name') ?? '')
    // The name is all that may change; without one nothing does.
    const renamed = cleanName === '' ? null : await this.passwords.rename(userId, uuid, cleanName)
    const password = renamed ?? (await this.#found(userId, uuid))
    return answer(password, { request, userId, context: 'edit' })
  }

  @AsRestRoute({ namespace: 'wp/v2', route: item, method: 'DELETE', permission: 'canDelete' })
  async delete(request: RestRequest<Item>) {
    const password = await this.passwords.revoke(
      await this.#userOf(request, request.get_param('user_id')),
      request.get_param('uuid'),
    )
    if (!password) throw passwordNotFound()
    return new RestResponse({ deleted: true, previous: viewOfApplicationPassword(password) })
  }

  canList(request: OfUser) {
    return this.#may('list_app_passwords', request)
  }

  canCreate(request: OfUser) {
    return this.#may('create_app_password', request)
  }

  canDeleteAll(request: OfUser) {
    return this.#may('delete_app_passwords', request)
  }

  canRead(request: OfUser) {
    return this.#may('read_app_password', request)
  }

  canEdit(request: OfUser) {
    return this.#may('edit_app_password', request)
  }

  canDelete(request: OfUser) {
    return this.#may('delete_app_password', request)
  }

  async canIntrospect(request: OfUser) {
    if ((await this.#userOf(request, request.get_param('user_id'))) !== request.user.id) throw foreignIntrospection()
    return true
  }

  async #may(capability: PasswordCapability, request: OfUser): Promise<boolean> {
    const userId = await this.#userOf(request, request.get_param('user_id'))
    if (await currentUserCan(capability, userId)) return true
    throw passwordRefusal(capability)
  }

  /** @throws RestError when the path names nobody, or his application passwords cannot be used at all. */
  async #userOf(request: Asked, named: string): Promise<number> {
    const reason = this.context.whyUnavailable(request)
    if (reason !== null) throw passwordsUnavailable(reason)
    if (named === 'me' && request.user.id === 0) throw notLoggedIn()
    const id = named === 'me' ? request.user.id : Number(named)
    if (id === request.user.id && id !== 0) return id
    if (!Number.isSafeInteger(id) || id === 0 || !(await this.users.find(id))) throw unknownUser()
    return id
  }

  async #found(userId: number, uuid: string): Promise<ApplicationPassword> {
    const password = await this.passwords.find(userId, uuid)
    if (!password) throw passwordNotFound()
    return password
  }
}

/** What is common to the requests of all these routes. */
interface Asked {
  readonly user: Caller
  readonly root: string
}

interface Showing {
  readonly request: Asked
  readonly userId: number
  readonly context: Context
  /** For people to read; known only while it is new. */
  readonly password?: string
}

function answer(item: ApplicationPassword, showing: Showing, status = 200): RestResponse {
  const { request, userId, context, password } = showing
  const view = viewOfApplicationPassword(item)
  const { uuid, app_id, name } = view
  const shown = context === 'embed' ? { uuid, app_id, name } : view
  const body = password === undefined ? shown : { ...shown, password }
  return new RestResponse(body, status).addLink('self', addressOf(item, request, userId))
}

function addressOf({ uuid }: ApplicationPassword, { root }: Asked, userId: number): string {
  return `${root}wp/v2/users/${userId}/application-passwords/${uuid}`
}
