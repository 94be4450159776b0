import { type RefusedRequest } from '../http/refusal.js'
import { publishRefusal } from '../http/request-channels.js'
import type { Log } from '../log/log.js'
import type { ResolvedOptions } from './options.js'

/** Publishes requests that do not reach the service, and logs them where requests are logged. */
export const refusedReporter =
  (log: Log, { request_log: isLogged }: Pick<ResolvedOptions, 'request_log'>) =>
  (refused: RefusedRequest): void => {
    const { status, ...request } = refused
    publishRefusal(request, status)
    if (isLogged) log.info(refused, 'answered')
  }
