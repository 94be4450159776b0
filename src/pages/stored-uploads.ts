import { decide } from '../auth/decision.js'
import { currentUserCan, runAs, runAsAnonymous } from '../auth/current-user.js'
import { anonymous, type Caller } from '../http/caller.js'
import { fileResponse } from '../http/file-response.js'
import { FileBody } from '../http/file-body.js'
import type { OutgoingResponse } from '../http/exchange.js'
import { uploadsPath, type UploadPermission } from '../http/uploaded-file.js'
import { headerOf } from '../http/headers.js'
import { mediaTypeOfName } from '../http/media-types.js'
import { refusal } from '../http/refusal.js'
import { ResponseStream } from '../http/response-stream.js'
import { RestError } from '../http/rest-error.js'
import { logError } from '../log/log-error.js'
import type { HeaderLine } from './page-responses.js'
import type { PageDependencies } from './page-dependencies.js'
import type { PageRequest } from './page-request.js'

/** The stored uploads of an application. */
export interface UploadSettings {
  /** An absolute path. */
  readonly folder: string
  readonly permission: UploadPermission
  /** Milliseconds that a read of a file may take. */
  readonly idle: number
}

/** Types that browsers show and never execute. All others are downloaded. */
const shownTypes = /^(?:image\/(?!svg)|audio\/|video\/|text\/plain\b|application\/pdf$)/

/** Serves stored uploads below `/uploads/` to the callers who have the permission. */
export class StoredUploads {
  readonly #settings: UploadSettings
  readonly #dependencies: PageDependencies

  constructor(settings: UploadSettings, dependencies: PageDependencies) {
    this.#settings = settings
    this.#dependencies = dependencies
  }

  /** @returns null for a path outside of the uploads, and for a file that does not exist. */
  async respond(request: PageRequest): Promise<OutgoingResponse | null> {
    const path = pathIn(request.path)
    if (path === null) return null
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return { status: 405, headers: [['Allow', 'GET, HEAD']], body: '' }
    const { permission } = this.#settings
    if (permission !== 'public') {
      const caller = await this.#callerOf(request)
      if (!('id' in caller)) return caller
      const error = decide(await this.#mayRead(caller, path), caller)
      // Callers without the right get the same response whether or not the file exists.
      if (error) return refusal(caller.id === 0 ? 401 : 403, 'rest_forbidden', error.message)
    }
    return this.#file(request, path)
  }

  /**
   * The owner of the login cookie or of the application password, or the anonymous caller when the request has no credentials.
   * @returns a response instead when the credentials are wrong.
   */
  async #callerOf(request: PageRequest): Promise<Caller | OutgoingResponse> {
    const authenticator = this.#dependencies.authentication.authenticator()
    const visitor = await authenticator.signedIn(request.credentials)
    if (visitor !== null) return visitor.account.caller
    const { headers, method, address, secure, local } = request.incoming
    if (headers['authorization'] === undefined) return anonymous
    const cookies: ReadonlyMap<string, string> = new Map()
    const source = { method, headers: { authorization: headers['authorization'] }, cookies, query: {}, form: {} }
    const identity = await authenticator.identify({ ...source, address, secure, local })
    const { caller, problem, retryAfter, applicationPassword } = identity
    if (problem !== null) {
      const { status = 401 } = problem.data as { readonly status?: number }
      const response = refusal(status, 'rest_forbidden', problem.message)
      const wait: HeaderLine[] = retryAfter === null ? [] : [['Retry-After', String(retryAfter)]]
      return { ...response, headers: [...response.headers, ...wait] }
    }
    // The scopes of an application password name REST routes only, so a password with scopes gives no access to uploads.
    return applicationPassword?.allows ? anonymous : caller
  }

  #mayRead(caller: Caller, path: string): boolean | Promise<boolean> {
    const { permission } = this.#settings
    if (permission === null) return caller.id !== 0
    const decideAs = (): boolean | Promise<boolean> =>
      typeof permission === 'function' ? permission({ path, user: caller }) : currentUserCan<string>(permission)
    if (caller.id === 0) return runAsAnonymous(decideAs)
    return runAs(this.#dependencies.authentication.contextOf(caller), decideAs)
  }

  async #file({ incoming, method }: PageRequest, path: string): Promise<OutgoingResponse | null> {
    const get_header = (name: string): string | null => headerOf(incoming.headers, name)
    const name = path.slice(path.lastIndexOf('/') + 1)
    const isShown = shownTypes.test(mediaTypeOfName(name))
    try {
      const response = await fileResponse(
        { method, get_header },
        this.#settings.folder,
        path,
        isShown ? {} : { download: name },
      )
      const { status, body } = response
      const headers = [...response.headers, ...this.#headers()]
      if (!(body instanceof FileBody)) return { status, headers, body: '' }
      const onFault = (err: unknown): void => logError(this.#dependencies.log, 'stream-failed', { err, path })
      const stream = new ResponseStream(body, { size: body.size, idle: this.#settings.idle, onFault })
      return { status, headers, body: '', stream }
    } catch (error) {
      if (error instanceof RestError) return null
      throw error
    }
  }

  /** A file may be replaced, so browsers ask before each use. Shared caches keep only files that everybody may read. */
  #headers(): readonly HeaderLine[] {
    const always: HeaderLine[] = [['X-Content-Type-Options', 'nosniff']]
    if (this.#settings.permission === 'public')
      return [...always, ['Cache-Control', 'public, max-age=0, must-revalidate']]
    return [
      ...always,
      ['Cache-Control', 'private, no-cache'],
      ['Vary', 'Cookie, Authorization'],
      ['Cross-Origin-Resource-Policy', 'same-origin'],
    ]
  }
}

/** The decoded path below the folder; null for a path outside of the uploads. */
function pathIn(path: string): string | null {
  if (!path.startsWith(uploadsPath)) return null
  try {
    return path.slice(uploadsPath.length).split('/').map(decodeURIComponent).join('/')
  } catch {
    return null
  }
}
