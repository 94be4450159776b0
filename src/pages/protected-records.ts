import type { SignedInVisitor } from '../auth/authenticator.js'
import type { StoredRecord } from '../content/record.js'
import { HasherBusyError } from '../auth/password-hash.js'
import type { PageAuthentication, PageDependencies } from './page-dependencies.js'
import type { PageRequest } from './page-request.js'

/** Whether a visitor needs the password of a record. A user who may edit the record does not. */
export async function requiresPassword(
  { id, isProtected }: StoredRecord,
  { contextOf }: PageAuthentication,
  visitor: SignedInVisitor | null,
): Promise<boolean> {
  if (!isProtected) return false
  return visitor === null || !(await contextOf(visitor.account.caller).can('edit_post', id))
}

/** The record as a visitor without its password sees it. The excerpt is WordPress's sentence. */
export function withoutContent<R extends StoredRecord>(record: R): R {
  return { ...record, content: '', excerpt: 'There is no excerpt because this is a protected post.' }
}

/** Shows the records of the lists of one page as a visitor sees them. */
export class RecordLists {
  readonly #dependencies: PageDependencies
  readonly #request: PageRequest
  #isForEveryone = true

  constructor(
    dependencies: PageDependencies,
    request: PageRequest,
    readonly visitor: SignedInVisitor | null,
  ) {
    this.#dependencies = dependencies
    this.#request = request
  }

  /** Whether no record has been shown for the password that the visitor has entered. */
  get isForEveryone(): boolean {
    return this.#isForEveryone
  }

  /** The records, those without content whose password the visitor has not entered. */
  visible<R extends StoredRecord>(records: readonly R[]): Promise<readonly R[]> {
    return Promise.all(records.map(async (record) => ((await this.#isOpen(record)) ? record : withoutContent(record))))
  }

  async #isOpen(record: StoredRecord): Promise<boolean> {
    if (!(await requiresPassword(record, this.#dependencies.authentication, this.visitor))) return true
    const isOpen = await this.#isEntered(record)
    if (isOpen) this.#isForEveryone = false
    return isOpen
  }

  /** False when the password cannot be checked now: a list does not fail because of one record. */
  async #isEntered({ id }: StoredRecord): Promise<boolean> {
    const { content, authentication } = this.#dependencies
    const cookie = this.#request.cookies.get(authentication.cookies().recordPassword)
    if (cookie === undefined) return false
    const row = await content.storage.posts.find(id)
    if (row === null || row.post_password === '') return false
    const record = { id, password: row.post_password }
    try {
      const { address } = this.#request.incoming
      return (await authentication.recordPasswords.check(cookie, record, address, 'list')) === 'right'
    } catch (error) {
      if (error instanceof HasherBusyError) return false
      throw error
    }
  }
}
