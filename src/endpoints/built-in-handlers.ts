import { routesOf, type ServedRoute, type HandlerClass } from '../routing/handler-class.js'
import { ApplicationPasswordsApi } from './application-passwords-api.js'
import { UsersApi } from './users-api.js'

/** The handler classes of the service itself. They are declared in the same way as those of an application. */
const builtInHandlers: readonly HandlerClass[] = [UsersApi, ApplicationPasswordsApi]

/** The routes of the service itself. They come after all routes of the application. */
export function builtInRoutes(): readonly ServedRoute[] {
  return routesOf(builtInHandlers)
}
