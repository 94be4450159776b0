import { routesOf, type FoundRoute, type HandlerClass } from '../routing/handler-class.js'
import { ApplicationPasswordsApi } from './application-passwords-api.js'
import { UsersApi } from './users-api.js'

/** The service's own routes, declared like everybody else's. */
const ownHandlers: readonly HandlerClass[] = [UsersApi, ApplicationPasswordsApi]

/** Behind all routes of an application. */
export function ownRoutes(): readonly FoundRoute[] {
  return routesOf(ownHandlers)
}
