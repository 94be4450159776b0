import { changeMetadata } from '../../../src/auth/change-metadata.js'
import type { PostQuery } from '../../../src/database/storage.js'
import { RecordRejectedError } from '../../../src/content/record.js'
import { UserRejectedError } from '../../../src/content/user-rejected-error.js'
import { ApplicationPasswordRejectedError } from '../../../src/auth/application-passwords.js'
import type { Random } from '../../../suites/support/random.js'
import type { ContendedSite } from './site.js'

/** What the clients of one process were told that is stored. */
export interface Acknowledged {
  /** Every answer. */
  responses: number
  readonly created: number[]
  readonly deleted: number[]
  /** How often each counter was raised. */
  readonly raised: Record<'metadata' | 'option' | 'password', number>
  readonly users: { readonly created: number[]; readonly deleted: number[] }
  /** Unexpected errors, each with the request that failed. */
  readonly faults: string[]
}

export const nothingAcknowledged = (): Acknowledged => ({
  responses: 0,
  created: [],
  deleted: [],
  raised: { metadata: 0, option: 0, password: 0 },
  users: { created: [], deleted: [] },
  faults: [],
})

/** Few, so that clients meet. */
const titles = ['Oak', 'Oak 2', 'Elm'] as const
const slugs = ['oak', 'oak-2', 'elm'] as const
const logins = ['mia', 'ben', 'mia.'] as const
const categories = ['wood', 'metal'] as const
/** With more records, deleting becomes more likely than creating. */
const maxRecords = 20

const everyRecord: PostQuery = {
  types: ['lamp', 'folder'],
  order: [{ by: 'id', direction: 'asc' }],
  limit: 200,
  offset: 0,
}
const idOnly = { columns: ['ID', 'post_status'], metaKeys: [] } as const

/** One client after the other asks for a random one of these, until the time is over. */
export class ContendingClient {
  readonly #site: ContendedSite
  readonly #random: Random
  readonly #acknowledged: Acknowledged

  constructor(site: ContendedSite, random: Random, acknowledged: Acknowledged) {
    this.#site = site
    this.#random = random
    this.#acknowledged = acknowledged
  }

  async run(until: number): Promise<void> {
    const steps = [
      [6, 'create', () => this.#create()],
      [4, 'rename', () => this.#update((name) => ({ slug: name }))],
      [2, 'trash', () => this.#update(() => ({ status: 'trash' }))],
      [
        2,
        'publish',
        () => this.#update((name) => ({ status: 'publish', ...(this.#random.chance(0.5) && { slug: name }) })),
      ],
      [2, 'move', async () => this.#update(await this.#parent())],
      [2, 'relate', () => this.#update(() => ({ terms: { category: this.#someCategories() } }))],
      [3, 'delete', () => this.#delete()],
      [2, 'create user', () => this.#createUser()],
      [2, 'update user', () => this.#updateUser()],
      [1, 'delete user', () => this.#deleteUser()],
      [2, 'raise metadata', () => this.#raiseMetadata()],
      [2, 'raise option', () => this.#raiseOption()],
      [1, 'add password', () => this.#addPassword()],
    ] as const
    while (performance.now() < until) {
      const [name, step] = this.#random.choose(
        steps.map(([weight, name, step]) => [weight, () => [name, step] as const] as const),
      )
      try {
        await step()
      } catch (error) {
        if (!isRefusal(error)) this.#acknowledged.faults.push(`${name}: ${String(error)}`)
      }
      this.#acknowledged.responses += 1
    }
  }

  async #create(): Promise<void> {
    const { records } = this.#site
    const type = this.#random.pick(['lamp', 'folder'])
    const parent = type === 'folder' ? (await this.#parent())().parent : 0
    const { id } = await records.insert({
      type,
      status: 'publish',
      title: this.#random.pick(titles),
      parent,
      terms: { category: this.#someCategories() },
    })
    this.#acknowledged.created.push(id)
  }

  async #update(change: (name: string) => Parameters<ContendedSite['records']['update']>[1]): Promise<void> {
    const id = await this.#anyRecord()
    await this.#site.records.update(id, change(this.#random.pick(slugs)))
  }

  async #delete(): Promise<void> {
    const id = await this.#anyRecord()
    if (await this.#site.records.delete(id)) this.#acknowledged.deleted.push(id)
  }

  /** Mostly no parent: a record of another one has its name for itself. */
  async #parent(): Promise<() => { parent: number }> {
    const parent = this.#random.chance(0.5) ? await this.#anyRecord() : 0
    return () => ({ parent })
  }

  #someCategories(): string[] {
    return this.#random.choose([
      [1, () => []],
      [1, () => [categories[0]]],
      [2, () => [...categories]],
    ])
  }

  /** 0 without a record. */
  async #anyRecord(): Promise<number> {
    const { rows } = await this.#site.storage.posts.list(everyRecord, idOnly)
    const isFull = rows.length > maxRecords
    if (rows.length === 0) return 0
    const { ID } = this.#random.pick(rows).post
    if (isFull && (await this.#site.records.delete(ID))) this.#acknowledged.deleted.push(ID)
    return ID
  }

  async #createUser(): Promise<void> {
    const login = this.#random.pick(logins)
    const email = `${this.#random.pick(logins)}@shop.example`
    const { id } = await this.#site.users.create({ login, email, password: 'x' })
    this.#acknowledged.users.created.push(id)
  }

  async #updateUser(): Promise<void> {
    const id = await this.#anyUser()
    const name = this.#random.pick(logins)
    const email = `${name}@shop.example`
    await this.#site.users.update(id, this.#random.chance(0.5) ? { email } : { nicename: name, displayName: name })
  }

  async #deleteUser(): Promise<void> {
    const id = await this.#anyUser()
    if (await this.#site.users.delete(id)) this.#acknowledged.users.deleted.push(id)
  }

  async #anyUser(): Promise<number> {
    const users = await this.#site.storage.users.list({ limit: 10, offset: 0 })
    const others = users.filter(({ user }) => user.ID !== this.#site.keeper)
    return others.length === 0 ? 0 : this.#random.pick(others).user.ID
  }

  async #raiseMetadata(): Promise<void> {
    const { storage, keeper } = this.#site
    await changeMetadata(storage.users.meta, keeper, 'raised', (text) => ({
      value: String(Number(text) + 1),
      result: undefined,
    }))
    this.#acknowledged.raised.metadata += 1
  }

  async #raiseOption(): Promise<void> {
    await this.#site.storage.transaction(async ({ options }) => {
      await options.write('raised', String(Number(await options.read('raised')) + 1))
    })
    this.#acknowledged.raised.option += 1
  }

  /** Most passwords are revoked at once: the number of passwords of a user is limited. */
  async #addPassword(): Promise<void> {
    const { passwords, keeper } = this.#site
    const { item } = await passwords.create(keeper, { name: this.#random.text(8) })
    if (this.#random.chance(0.95)) await passwords.revoke(keeper, item.uuid)
    else this.#acknowledged.raised.password += 1
  }
}

/** An answer of the rules: the name is taken, or what is changed does not exist any more. */
const isRefusal = (error: unknown): boolean =>
  error instanceof RecordRejectedError ||
  error instanceof UserRejectedError ||
  error instanceof ApplicationPasswordRejectedError
