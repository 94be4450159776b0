import type { RequestLog } from './request-log.js'
import type { Caller } from './caller.js'
import type { IncomingRequest } from './exchange.js'
import type { UploadContext } from './uploaded-file.js'
import type { ParameterMap } from './variables.js'

/** Work that goes on after the response. */
export type DeferredWork = () => unknown

/** A request whose handler asks whether its sender has to enter the password of a record. */
export interface PasswordCheckRequest {
  readonly incoming: Pick<IncomingRequest, 'headers' | 'address'>
  readonly parsed: { readonly query: ParameterMap }
  readonly user: Caller
}

/** `none`: the record has no password, or does not exist. `open`: it has one, which the sender need not enter. */
export type RecordPasswordState = 'none' | 'open' | 'required'

/** Functions and signals of the service that its requests use. */
export interface RequestContext {
  logOf(requestId: string): RequestLog
  /** Aborts when a stop no longer waits for requests. */
  readonly cutOff: AbortSignal
  /** Reserves a place for deferred work. @throws UnavailableError when too many functions wait or run. */
  reserveWork(): void
  readonly uploads: UploadContext
  /** @throws UnavailableError when too many passwords wait to be checked. */
  recordPassword(request: PasswordCheckRequest, id: number): Promise<RecordPasswordState>
}

const ignored = (): void => undefined
const noLog: RequestLog = { info: ignored, warn: ignored, error: ignored }

/** The context of a request outside of a service. */
export const noContext: RequestContext = {
  logOf: () => noLog,
  cutOff: new AbortController().signal,
  uploads: {
    nameOf: (clientName) => clientName.replaceAll(/[^\w-]+/g, '-'),
    folder: null,
    addressOf: (path) => path,
  },
  recordPassword() {
    throw new Error('request.requiresPassword works only in a service.')
  },
  reserveWork() {
    throw new Error('request.defer works only in a service.')
  },
}
