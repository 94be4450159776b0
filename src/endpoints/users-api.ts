import { outOfScope } from '../auth/refusals.js'
import { inject } from '../container/container.js'
import { AccountNotices } from '../auth/account-notices.js'
import type { UserChange } from '../content/user.js'
import { AsRestRoute } from '../routing/as-rest-route.js'
import { currentUserCan } from '../auth/current-user.js'
import { UserRejectedError } from '../content/user-rejected-error.js'
import { Users } from '../content/users.js'
import { selectedWhole } from '../http/fields.js'
import type { RestRequest } from '../http/rest-request.js'
import type { Problem } from '../http/rest-error.js'
import { RestResponse } from '../http/rest-response.js'
import { toBoolean } from '../php/cast.js'
import { contextArgument, type Context, type ContextRequest } from './context-argument.js'
import { linkTo, withIncludedLinks, type LinkedRequest } from './included-links.js'
import {
  invalidReassign,
  missingRole,
  notDeletable,
  notEditable,
  notLoggedIn,
  refusedRole,
  rolesNotEditable,
  takenEmail,
  takenSlug,
  trashNotSupported,
  unknownUser,
  usernameNotEditable,
} from './refusals.js'
import { RestContext } from './rest-context.js'
import { deletionArguments, userArguments } from './user-arguments.js'
import { userChangeOf, type UserParameters } from './user-change.js'
import { sentPreferences, UserProfiles, type CallerRequest, type UserProfile } from './user-profiles.js'
import { userSchema as schema } from './user-schema.js'

const namespace = 'wp/v2'
const me = '/users/me'

type ChangeRequest = RestRequest<UserParameters>
type DeletionRequest = RestRequest<{ force: boolean; reassign: number }>

/** The endpoints of the current user. Clients test their credentials with the first. */
// Rules: docs/wire.md#the-current-user.
export class UsersApi {
  constructor(
    private readonly profiles = inject(UserProfiles),
    private readonly users = inject(Users),
    private readonly context = inject(RestContext),
    private readonly notices = inject(AccountNotices),
  ) {}

  /** Public, with a 401 for anonymous callers in the handler: as in WordPress, `Allow` in the 401 has GET. */
  @AsRestRoute({ namespace, route: me, permission: 'public', args: { context: contextArgument }, schema })
  async me(request: ContextRequest) {
    const profile = request.user.id === 0 ? null : await this.profiles.ofCaller(request)
    if (!profile) throw notLoggedIn()
    return this.#response(profile, request, request.get_param('context'))
  }

  @AsRestRoute({ namespace, route: me, method: 'POST', permission: 'canUpdate', args: userArguments, schema })
  @AsRestRoute({ namespace, route: me, method: 'PUT', permission: 'canUpdate', args: userArguments, schema })
  @AsRestRoute({ namespace, route: me, method: 'PATCH', permission: 'canUpdate', args: userArguments, schema })
  async update(request: ChangeRequest) {
    const { id } = request.user
    const profile = await this.#profile(request)
    await this.#check(request, profile)
    const sent = sentPreferences(request.get_param('meta'))
    // Nothing is stored then, also none of the other arguments.
    if ('problem' in sent) return invalidPreferences(sent.problem)
    const change = userChangeOf(request)
    const grantsMore = change.password !== undefined || change.email !== undefined || change.roles !== undefined
    if (grantsMore && this.context.hasScopes(request)) throw outOfScope()
    // The login is renewed with the hash of this change: another one may store a later hash meanwhile.
    let user_pass = ''
    const onNewHash = (hash: string): void => {
      user_pass = hash
    }
    const keptSession = this.context.sessionTokenOf(request) ?? ''
    await this.users.update(id, change, { sanitize: true, keptSession, onNewHash }).catch(refusalOfUpdate)
    this.#sendNotices(profile, change)
    if (sent.preferences !== undefined) await this.profiles.writePreferences(id, sent.preferences)
    const response = this.#response(await this.#profile(request), request, 'edit')
    const login = { ID: id, user_login: profile.username, user_pass }
    if (user_pass !== '') response.cookies.push(...(await this.context.renewedCookies(request, login)))
    return response
  }

  @AsRestRoute({ namespace, route: me, method: 'DELETE', permission: 'canDelete', args: deletionArguments, schema })
  async delete(request: DeletionRequest) {
    const { id } = request.user
    const profile = await this.#profile(request)
    if (!request.get_param('force')) throw trashNotSupported()
    const heir = request.get_param('reassign')
    if (heir !== 0 && (heir === id || !(await this.users.find(heir)))) throw invalidReassign()
    const reassign = heir !== 0 ? heir : this.context.sharesTables ? null : undefined
    if (!(await this.users.delete(id, { reassign }))) throw unknownUser()
    return new RestResponse({ deleted: true, previous: membersOf(profile, request, 'edit') })
  }

  async canUpdate(request: ChangeRequest) {
    const { id } = request.user
    if (id === 0 || !(await this.profiles.callerExists(request))) throw unknownUser()
    const names = request.get_param('roles') ?? []
    if (names.length > 0 && !(await currentUserCan('promote_user', id))) throw rolesNotEditable()
    if (!(await currentUserCan('edit_user', id))) throw notEditable()
    return true
  }

  async canDelete(request: DeletionRequest) {
    const { id } = request.user
    if (id === 0 || !(await this.profiles.callerExists(request))) throw unknownUser()
    if (!(await currentUserCan('delete_user', id))) throw notDeletable()
    return true
  }

  /** As in WordPress, both messages go to the old address. */
  #sendNotices({ username, email }: UserProfile, change: UserChange): void {
    const user = { user_login: username, user_email: email }
    if (change.password !== undefined) this.notices.passwordChanged(user)
    if (change.email !== undefined && change.email !== email) this.notices.emailChanged(user, change.email)
  }

  /** @throws RestError for a value that another user has, or that cannot be changed. */
  async #check(request: ChangeRequest, { id, username, slug: currentSlug }: UserProfile): Promise<void> {
    const email = request.get_param('email')
    if (email !== null && (await this.profiles.isTaken({ email }, id))) throw takenEmail()
    const newUsername = request.get_param('username')
    if (newUsername !== null && newUsername !== username) throw usernameNotEditable()
    const slug = request.get_param('slug') ?? ''
    const isNewSlug = toBoolean(slug) && slug !== currentSlug
    if (isNewSlug && (await this.profiles.isTaken({ nicename: slug }, 0))) throw takenSlug()
    const roles = await this.profiles.roles()
    for (const name of request.get_param('roles') ?? []) {
      const role = roles.get(name)
      if (!role) throw missingRole(name)
      // An administrator who loses the capability by mistake could not get it back.
      if (role.capabilities.get('edit_users') !== true) throw refusedRole()
    }
  }

  #response(profile: UserProfile, request: ProfileRequest, context: Context): RestResponse {
    const collection = `${request.root}wp/v2/users`
    const self = `${collection}/${profile.id}`
    // PHP serves users by their id on the same tables. What the caller may do there is what `me` allows.
    const hintsOf = this.context.sharesTables ? `${collection}/me` : self
    const links = { self: linkTo(self, hintsOf), collection: linkTo(collection) }
    return withIncludedLinks(new RestResponse(membersOf(profile, request, context)), request, links)
  }

  /** @throws RestError when the user was deleted meanwhile. */
  async #profile(request: CallerRequest): Promise<UserProfile> {
    const profile = await this.profiles.ofCaller(request)
    if (!profile) throw unknownUser()
    return profile
  }
}

/** Another request may have stored the address since `#check`. */
function refusalOfUpdate(error: unknown): never {
  throw error instanceof UserRejectedError && error.code === 'existing_user_email' ? takenEmail() : error
}

/** As in WordPress, `data` has only the status, and `additional_data` has the data of the error of the schema. */
const invalidPreferences = ({ code, message, data }: Problem): RestResponse =>
  new RestResponse({ code, message, data: { status: 400 }, ...(data !== null && { additional_data: [data] }) }, 400)

interface ProfileRequest extends LinkedRequest {
  readonly root: string
}

/** The fields of a user that `_fields` selects: as in WordPress, never a part of one, and the id beside others. */
const membersOf = (profile: UserProfile, request: LinkedRequest, context: Context): object =>
  selectedWhole(fieldsOf(profile, context), request.get_param('_fields'), 'id')

/** The fields of a user in WordPress's order. `meta` has the preferences of the block editor in `edit` alone. */
function fieldsOf(profile: UserProfile, context: Context): object {
  const { id, name, url, description, link, slug, avatar_urls: avatars, preferences, ...editFields } = profile
  const avatar_urls = avatars === null ? {} : { avatar_urls: avatars }
  if (context === 'embed') return { id, name, url, description, link, slug, ...avatar_urls }
  if (context === 'view') return { id, name, url, description, link, slug, ...avatar_urls, meta: [] }
  const { username, first_name, last_name, email, locale, nickname, ...accountFields } = editFields
  const profileFields = {
    id,
    username,
    name,
    first_name,
    last_name,
    email,
    url,
    description,
    link,
    locale,
    nickname,
    slug,
  }
  return { ...profileFields, ...accountFields, ...avatar_urls, meta: { persisted_preferences: preferences } }
}
