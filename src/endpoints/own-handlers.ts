import type { HandlerClass } from '../discovery/handler-class.js'

/** The service's own routes, declared like everybody else's. */
export const ownHandlers: readonly HandlerClass[] = []
