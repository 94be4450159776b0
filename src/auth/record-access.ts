import type { Caller } from '../http/caller.js'
import { parseCookies } from '../http/headers.js'
import type { PasswordCheckRequest, RecordPasswordState } from '../http/request-context.js'
import type { Storage } from '../database/storage.js'
import type { CallerContext } from './current-user.js'
import type { LoginCookies } from './login-cookies.js'
import type { RecordPasswords } from './record-passwords.js'

export interface RecordAccessDependencies {
  readonly storage: Pick<Storage, 'posts'>
  readonly recordPasswords: RecordPasswords
  readonly cookies: () => LoginCookies
  readonly contextOf: (caller: Caller) => CallerContext
  /** The origins of the site: `https://shop.example`. */
  readonly origins: () => readonly string[]
  readonly cors: 'any' | readonly string[]
}

/** Whether the sender of a REST request needs the password of a record. */
// Rules: docs/wire.md#protected-records.
export class RecordAccess {
  readonly #dependencies: RecordAccessDependencies

  constructor(dependencies: RecordAccessDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Whether the sender needs the password of a record. A user who may edit the record does not. After too many wrong
   * passwords from the network of the client, every other sender does.
   * @throws HasherBusyError when too many passwords wait. @throws StorageError
   */
  async stateOf(request: PasswordCheckRequest, id: number): Promise<RecordPasswordState> {
    const { storage, contextOf, recordPasswords } = this.#dependencies
    const row = await storage.posts.find(id)
    if (row === null || row.post_password === '') return 'none'
    const { user, incoming } = request
    if (user.id !== 0 && (await contextOf(user).can('edit_post', id))) return 'open'
    const cookie = this.#cookieOf(request)
    const record = { id, password: row.post_password }
    return (await recordPasswords.check(cookie, record, incoming.address, 'list')) === 'right' ? 'open' : 'required'
  }

  /**
   * The cookie does not count for a page of another site. The option `cors` lets every origin read responses unless it
   * lists some, and a script of `_jsonp` is read by the page that includes it.
   */
  #cookieOf({ incoming: { headers }, parsed: { query } }: PasswordCheckRequest): string | undefined {
    const { cookies, origins, cors } = this.#dependencies
    const { origin, cookie } = headers
    if (cookie === undefined || '_jsonp' in query) return undefined
    const isListed = (origin: string): boolean => cors !== 'any' && origin !== 'null' && cors.includes(origin)
    if (origin !== undefined && !origins().includes(origin.toLowerCase()) && !isListed(origin)) return undefined
    return parseCookies(cookie).get(cookies().recordPassword)
  }
}
