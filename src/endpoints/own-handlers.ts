import { routesOf, type HandlerClass } from '../discovery/handler-class.js'
import { ApplicationPasswordsApi } from './application-passwords-api.js'
import { UsersApi } from './users-api.js'

/** The service's own routes, declared like everybody else's. */
export const ownHandlers: readonly HandlerClass[] = [UsersApi, ApplicationPasswordsApi]

/** Method and pattern of what the service answers by itself: `GET /wp/v2/users/me`. */
export function ownRoutes(): ReadonlySet<string> {
  return new Set(routesOf(ownHandlers).map(({ method, pattern }) => `${method} ${pattern}`))
}
