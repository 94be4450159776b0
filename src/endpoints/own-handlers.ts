import type { HandlerClass } from '../discovery/handler-class.js'
import { ApplicationPasswordsApi } from './application-passwords-api.js'
import { UsersApi } from './users-api.js'

/** The service's own routes, declared like everybody else's. */
export const ownHandlers: readonly HandlerClass[] = [UsersApi, ApplicationPasswordsApi]
