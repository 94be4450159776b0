import { viewOfApplicationPassword } from '../auth/application-password-view.js'
import { ApplicationPasswords, inGroupsOfFour, type NewApplicationPassword } from '../auth/application-passwords.js'
import { parseExpiry } from '../auth/expiry-date.js'
import { type ApplicationPassword } from '../auth/stored-application-passwords.js'
import { inject } from '../container/container.js'
import { outOfScope } from '../auth/refusals.js'
import { currentUserCan } from '../auth/current-user.js'
import type { Caller } from '../http/caller.js'
import type { AnyRequest, RestRequest } from '../http/rest-request.js'
import { RestResponse } from '../http/rest-response.js'
import { AsRestRoute } from '../routing/as-rest-route.js'
import { Users } from '../content/users.js'
import {
  applicationPasswordSchema,
  newPasswordArguments,
  passwordChangeArguments,
} from './application-password-schema.js'
import { contextArgument, type Context } from './context-argument.js'
import { linkTo, withIncludedLinks, type LinkedRequest } from './included-links.js'
import {
  foreignIntrospection,
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
const schema = applicationPasswordSchema

type UserRequest = RestRequest<{ user_id: string }>
type ViewRequest = RestRequest<{ user_id: string; context: Context }>
type ItemParameters = { user_id: string; uuid: string }

/** The application passwords of a user: endpoints for that user, and for callers who may edit that user. */
// Rules: docs/wire.md#application-password-endpoints.
export class ApplicationPasswordsApi {
  constructor(
    private readonly passwords = inject(ApplicationPasswords),
    private readonly users = inject(Users),
    private readonly context = inject(RestContext),
  ) {}

  @AsRestRoute({ namespace: 'wp/v2', route: collection, permission: 'canList', args: inContext, schema })
  async list(request: ViewRequest) {
    const userId = await this.#userOf(request, request.get_param('user_id'))
    const items = await this.passwords.list(userId)
    const context = request.get_param('context')
    return new RestResponse(items.map((password) => responseFor(password, { request, userId, context })))
  }

  @AsRestRoute({
    namespace: 'wp/v2',
    route: collection,
    method: 'POST',
    permission: 'canCreate',
    args: newPasswordArguments,
    schema,
  })
  async create(request: RestRequest<{ user_id: string; app_id: string | null; name: string }>) {
    const userId = await this.#userOf(request, request.get_param('user_id'))
    const name = request.get_param('name')
    const appId = request.get_param('app_id') ?? ''
    const { item, password } = await this.passwords.create(userId, { name, appId, ...limitsOf(request) })
    const options = { request, userId, context: 'edit', password: inGroupsOfFour(password) } as const
    return responseFor(item, options, 201).header('Location', urlOf(item, request, userId))
  }

  @AsRestRoute({ namespace: 'wp/v2', route: collection, method: 'DELETE', permission: 'canDeleteAll', schema })
  async deleteAll(request: UserRequest) {
    const count = await this.passwords.revokeAll(await this.#userOf(request, request.get_param('user_id')))
    return new RestResponse({ deleted: true, count })
  }

  /** Declared before the items, because the pattern of an item matches `introspect` too. */
  @AsRestRoute({
    namespace: 'wp/v2',
    route: `${collection}/introspect`,
    permission: 'canIntrospect',
    args: inContext,
    schema,
  })
  async introspect(request: ViewRequest) {
    const uuid = this.context.applicationPasswordOf(request)
    if (uuid === null) throw nothingToIntrospect()
    const userId = request.user.id
    const password = await this.#password(userId, uuid)
    return responseFor(password, { request, userId, context: request.get_param('context') })
  }

  @AsRestRoute({ namespace: 'wp/v2', route: item, permission: 'canRead', args: inContext, schema })
  async show(request: RestRequest<ItemParameters & { context: Context }>) {
    const userId = await this.#userOf(request, request.get_param('user_id'))
    const password = await this.#password(userId, request.get_param('uuid'))
    return responseFor(password, { request, userId, context: request.get_param('context') })
  }

  @AsRestRoute({
    namespace: 'wp/v2',
    route: item,
    method: 'POST',
    permission: 'canEdit',
    args: passwordChangeArguments,
    schema,
  })
  @AsRestRoute({
    namespace: 'wp/v2',
    route: item,
    method: 'PUT',
    permission: 'canEdit',
    args: passwordChangeArguments,
    schema,
  })
  @AsRestRoute({
    namespace: 'wp/v2',
    route: item,
    method: 'PATCH',
    permission: 'canEdit',
    args: passwordChangeArguments,
    schema,
  })
  async rename(request: RestRequest<ItemParameters & { app_id: string | null; name: string | null }>) {
    const userId = await this.#userOf(request, request.get_param('user_id'))
    const uuid = request.get_param('uuid')
    const name = request.get_param('name')
    // Only the name can be changed. Without a name, nothing is.
    const renamed = name === null ? null : await this.passwords.rename(userId, uuid, name)
    const password = renamed ?? (await this.#password(userId, uuid))
    return responseFor(password, { request, userId, context: 'edit' })
  }

  @AsRestRoute({ namespace: 'wp/v2', route: item, method: 'DELETE', permission: 'canDelete', schema })
  async delete(request: RestRequest<ItemParameters>) {
    const password = await this.passwords.revoke(
      await this.#userOf(request, request.get_param('user_id')),
      request.get_param('uuid'),
    )
    if (!password) throw passwordNotFound()
    return new RestResponse({ deleted: true, previous: viewOfApplicationPassword(password) })
  }

  canList(request: UserRequest) {
    return this.#require('list_app_passwords', request)
  }

  canCreate(request: UserRequest) {
    return this.#require('create_app_password', request)
  }

  canDeleteAll(request: UserRequest) {
    return this.#require('delete_app_passwords', request)
  }

  canRead(request: UserRequest) {
    return this.#require('read_app_password', request)
  }

  canEdit(request: UserRequest) {
    return this.#require('edit_app_password', request)
  }

  canDelete(request: UserRequest) {
    return this.#require('delete_app_password', request)
  }

  async canIntrospect(request: UserRequest) {
    if ((await this.#userOf(request, request.get_param('user_id'))) !== request.user.id) throw foreignIntrospection()
    return true
  }

  /** @throws RestError when the caller does not have the capability for the user in the path. */
  async #require(capability: PasswordCapability, request: UserRequest): Promise<boolean> {
    const userId = await this.#userOf(request, request.get_param('user_id'))
    if (!(await currentUserCan(capability, userId))) throw passwordRefusal(capability)
    const reads = capability === 'list_app_passwords' || capability === 'read_app_password'
    if (!reads && this.context.hasScopes(request)) throw outOfScope()
    return true
  }

  /**
   * The id of the user in the path.
   * @param user digits or `me`.
   * @throws RestError when there is no such user, or this request may not use application passwords.
   */
  async #userOf(request: RequestOfAnyRoute, user: string): Promise<number> {
    const reason = this.context.whyUnavailable(request)
    if (reason !== null) throw passwordsUnavailable(reason)
    if (user === 'me' && request.user.id === 0) throw notLoggedIn()
    const id = user === 'me' ? request.user.id : Number(user)
    if (id === request.user.id && id !== 0) return id
    if (!Number.isSafeInteger(id) || id === 0 || !(await this.users.find(id))) throw unknownUser()
    return id
  }

  /** @throws RestError when the user has no such application password. */
  async #password(userId: number, uuid: string): Promise<ApplicationPassword> {
    const password = await this.passwords.find(userId, uuid)
    if (!password) throw passwordNotFound()
    return password
  }
}

/**
 * The scopes and the expiry of a new application password. They are not among the declared arguments, which are WordPress's
 * and are described in the response to OPTIONS.
 */
function limitsOf(request: object): Pick<NewApplicationPassword, 'scopes' | 'expires'> {
  const { scopes, expires } = (request as AnyRequest).get_params()
  return {
    // A form may have a single text in place of a list.
    ...((scopes ?? null) !== null && { scopes: (Array.isArray(scopes) ? scopes : [scopes]) as string[] }),
    ...((expires ?? null) !== null && { expires: parseExpiry(expires) }),
  }
}

/** The members that the requests of all these routes have in common. */
interface RequestOfAnyRoute extends LinkedRequest {
  readonly user: Caller
  readonly root: string
}

interface ResponseOptions {
  readonly request: RequestOfAnyRoute
  readonly userId: number
  readonly context: Context
  /** The new password in groups of four characters. Only its hash is stored, so no later response has it. */
  readonly password?: string
}

function responseFor(item: ApplicationPassword, options: ResponseOptions, status = 200): RestResponse {
  const { request, userId, context, password } = options
  const view = viewOfApplicationPassword(item)
  const { uuid, app_id, name } = view
  const fields = context === 'embed' ? { uuid, app_id, name } : view
  const body = password === undefined ? fields : { ...fields, password }
  return withIncludedLinks(new RestResponse(body, status), request, { self: linkTo(urlOf(item, request, userId)) })
}

function urlOf({ uuid }: ApplicationPassword, { root }: RequestOfAnyRoute, userId: number): string {
  return `${root}wp/v2/users/${userId}/application-passwords/${uuid}`
}
