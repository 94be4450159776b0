import type { UploadContext } from './uploaded-file.js'

/** The log of one request. Each line has the field `requestId`. */
export interface RequestLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Work that goes on after the answer. */
export type DeferredWork = () => unknown

/** Functions and signals of the service that its requests use. */
export interface RequestContext {
  logOf(requestId: string): RequestLog
  /** Aborts when a stop no longer waits for requests. */
  readonly cutOff: AbortSignal
  /** Reserves a place for deferred work. @throws UnavailableError when too many functions wait or run. */
  reserveWork(): void
  readonly uploads: UploadContext
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
  reserveWork() {
    throw new Error('request.defer works only in a service.')
  },
}
