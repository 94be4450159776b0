import type { UserChange } from '../content/user.js'
import type { RestRequest } from '../http/rest-request.js'
import { toBoolean } from '../php/cast.js'
import type { ParametersOf } from '../routing/parameters.js'
import { storedEmail } from '../sanitizers/user-texts.js'
import type { userArguments } from './user-arguments.js'

/** The parameters of a change of a user. */
export type UserParameters = ParametersOf<'/users/me', typeof userArguments>

/** The change that a request asks for. */
export function userChangeOf(request: RestRequest<UserParameters>): UserChange {
  const [email, slug] = [request.get_param('email'), request.get_param('slug')]
  return {
    email: email === null ? undefined : storedEmail(email),
    displayName: request.get_param('name') ?? undefined,
    nickname: request.get_param('nickname') ?? undefined,
    firstName: request.get_param('first_name') ?? undefined,
    lastName: request.get_param('last_name') ?? undefined,
    url: request.get_param('url') ?? undefined,
    description: request.get_param('description') ?? undefined,
    nicename: slug === null ? undefined : toBoolean(slug) ? slug : '',
    locale: request.get_param('locale') ?? undefined,
    roles: request.get_param('roles') ?? undefined,
    password: request.get_param('password') ?? undefined,
  }
}
