import type { UserChange } from '../content/user.js'
import type { RestRequest } from '../http/rest-request.js'
import { toBoolean } from '../php/cast.js'
import type { ParametersOf } from '../routing/parameters.js'
import { storedDescription, storedEmail, storedUserName, storedUserUrl } from '../sanitizers/user-texts.js'
import type { userArguments } from './user-arguments.js'

/** The parameters of a change of a user. */
export type UserParameters = ParametersOf<'/users/me', typeof userArguments>

/**
 * The change that a request asks for, with each text as WordPress stores it. A text that PHP takes for empty, `0` included,
 * is replaced by its default.
 */
export function userChangeOf(request: RestRequest<UserParameters>, login: string): UserChange {
  const text = (name: TextName, stored: (text: string) => string, fallback = ''): string | undefined => {
    const value = request.get_param(name)
    if (value === null) return undefined
    return stored(toBoolean(value) ? value : fallback)
  }
  return {
    email: text('email', storedEmail),
    displayName: text('name', storedUserName, login),
    nickname: text('nickname', storedUserName, login),
    firstName: text('first_name', storedUserName),
    lastName: text('last_name', storedUserName),
    url: text('url', storedUserUrl),
    description: text('description', storedDescription),
    nicename: text('slug', (slug) => slug),
    locale: request.get_param('locale') ?? undefined,
    roles: request.get_param('roles') ?? undefined,
    password: request.get_param('password') ?? undefined,
  }
}

type TextName = 'email' | 'name' | 'nickname' | 'first_name' | 'last_name' | 'url' | 'description' | 'slug'
