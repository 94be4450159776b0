import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ApplicationPasswords } from '../../src/auth/application-passwords.js'
import { applicationPasswordsKey } from '../../src/auth/stored-application-passwords.js'
import type { PasswordHasher } from '../../src/auth/password-hash.js'
import { StoredRoles } from '../../src/auth/roles.js'
import { parseSessions, Sessions, sessionsKey } from '../../src/auth/sessions.js'
import { RecordTypes } from '../../src/content/record-types.js'
import { Records } from '../../src/content/records.js'
import { siteFrom } from '../../src/content/site.js'
import { Terms } from '../../src/content/terms.js'
import { Users } from '../../src/content/users.js'
import type { Storage } from '../../src/database/storage.js'
import { StorageError } from '../../src/database/storage-error.js'
import { anonymous } from '../../src/http/caller.js'
import { aUser } from './storage/rows.js'

const hasher: PasswordHasher = {
  hash: async (password) => `hash of ${password}`,
  verify: async (password, hash) => hash === `hash of ${password}`,
  needsRehash: () => false,
}

const clock = (): number => Date.parse('2026-01-15T12:00:00Z')

async function siteOn(storage: Storage) {
  const types = new RecordTypes({ lamp: { public: true }, folder: { public: true, hierarchical: true } })
  const roles = await new StoredRoles(storage, 'wp_').ensure()
  return {
    storage,
    records: new Records({ storage, types, site: siteFrom(new Map()), clock, caller: () => anonymous }),
    users: new Users({ storage, hasher, roles, clock, prefix: 'wp_' }),
    terms: new Terms(storage),
    sessions: new Sessions(storage, clock),
    passwords: new ApplicationPasswords(storage, clock),
  }
}

type Site = Awaited<ReturnType<typeof siteOn>>

/** How many writers want the same at once. */
const count = 20

/**
 * What holds when several processes write the same at once. A database passes by running this suite.
 * @param open opens storages on one empty database, each as another process would.
 */
export function concurrentWriterContract(name: string, open: () => Promise<readonly Storage[]>): void {
  describe(`concurrent writers: ${name}`, () => {
    let sites: readonly Site[] = []
    before(async () => {
      sites = await Promise.all((await open()).map(siteOn))
    })
    after(() => Promise.all(sites.map(({ storage }) => storage.close())))

    const site = (index: number): Site => {
      const site = sites[index % sites.length]
      if (site === undefined) throw new Error('The storages are not open.')
      return site
    }
    /** All at once, on the sites in turn. */
    const atOnce = <T>(work: (site: Site, index: number) => Promise<T>, writers = count) =>
      Promise.allSettled(Array.from({ length: writers }, (_, index) => work(site(index), index)))

    it('records of the same title have the slugs without a gap and without a duplicate', async () => {
      const outcomes = await atOnce(({ records }) =>
        records.insert({ type: 'lamp', status: 'publish', title: 'Desk lamp' }),
      )
      const expected = Array.from({ length: count }, (_, index) =>
        index === 0 ? 'desk-lamp' : `desk-lamp-${index + 1}`,
      )
      assert.deepEqual(
        valuesOf(outcomes)
          .map(({ slug }) => slug)
          .sort(),
        expected.sort(),
      )
    })

    it('a number behind a slug and a title of the same text give different slugs', async () => {
      const outcomes = await atOnce(({ records }, index) =>
        records.insert({ type: 'lamp', status: 'publish', title: index % 2 === 0 ? 'Floor' : 'Floor 2' }),
      )
      assert.equal(new Set(valuesOf(outcomes).map(({ slug }) => slug)).size, count)
    })

    it('titles that end in the numbers that a slug needs give different slugs', async () => {
      const titles = (index: number): string => (index % 2 === 0 ? 'Table' : `Table ${(index + 3) / 2}`)
      for (let round = 0; round < 3; round += 1) {
        const outcomes = await atOnce(({ records }, index) =>
          records.insert({ type: 'lamp', status: 'publish', title: titles(index) }),
        )
        assert.equal(new Set(valuesOf(outcomes).map(({ slug }) => slug)).size, count)
      }
      const slugs = (await site(0).records.list({ type: 'lamp', search: 'Table', per_page: 100 })).map(
        ({ slug }) => slug,
      )
      assert.equal(new Set(slugs).size, 3 * count, slugs.join())
    })

    it('records that are renamed, published or restored at once have different slugs', async () => {
      const { records } = site(0)
      const drafts = await Promise.all(
        Array.from({ length: count }, (_, index) =>
          records.insert({
            type: 'lamp',
            status: index % 3 === 0 ? 'draft' : 'publish',
            title: `Wall ${index}`,
            slug: index % 3 === 0 ? 'wall' : `wall-of-${index}`,
          }),
        ),
      )
      for (const [index, { id }] of drafts.entries()) if (index % 3 === 1) await records.update(id, { status: 'trash' })
      const changes = [{ status: 'publish' }, { status: 'publish', slug: 'wall' }, { slug: 'wall' }] as const
      const outcomes = await atOnce((own, index) =>
        own.records.update(drafts[index]?.id ?? 0, changes[index % 3] ?? {}),
      )
      const slugs = valuesOf(outcomes).map((record) => record?.slug)
      assert.equal(new Set(slugs).size, count, slugs.join())
    })

    it('one of the records that want the same id gets it', async () => {
      const outcomes = await atOnce(({ records }, index) =>
        records.insert({ type: 'lamp', status: 'publish', title: `Known ${index}`, id: 700_000 }),
      )
      assert.deepEqual(
        codesOf(outcomes),
        Array.from({ length: count - 1 }, () => 'invalid_post_id'),
      )
    })

    it('values under a new key of metadata are stored in one row', async () => {
      const { id } = await site(0).records.insert({ type: 'lamp', status: 'publish', title: 'Metadata' })
      valuesOf(await atOnce(({ records }, index) => records.update(id, { meta: { colour: `colour ${index}` } })))
      const values = await site(0).storage.posts.meta.read(id, 'colour')
      assert.equal(values.length, 1, values.join())
    })

    it('one of the users that want the same login, and one that wants the same address, is created', async () => {
      const logins = await atOnce(({ users }, index) =>
        users.create({ login: 'mia', email: `mia${index}@shop.example`, password: 'x' }),
      )
      assert.deepEqual(
        codesOf(logins),
        Array.from({ length: count - 1 }, () => 'existing_user_login'),
      )
      const addresses = await atOnce(({ users }, index) =>
        users.create({ login: `ben${index}`, email: 'ben@shop.example', password: 'x' }),
      )
      assert.deepEqual(
        codesOf(addresses),
        Array.from({ length: count - 1 }, () => 'existing_user_email'),
      )
    })

    it('users of similar logins have different nicenames', async () => {
      const separators = ['-', '.', ' ', '_']
      const outcomes = await atOnce(
        ({ users }, index) =>
          users.create({
            login: index < 4 ? `ann${separators[index]}lee` : `ann-lee-${index - 2}`,
            email: `ann${index}@shop.example`,
            password: 'x',
          }),
        8,
      )
      assert.equal(new Set(valuesOf(outcomes).map(({ nicename }) => nicename)).size, 8)
    })

    it('one of the users that change to the same address gets it, and all get different nicenames', async () => {
      const { storage } = site(0)
      const ids = await Promise.all(
        Array.from({ length: count }, (_, index) =>
          storage.users.insert(
            aUser({ user_login: `kim${index}`, user_nicename: `kim${index}`, user_email: `kim${index}@shop.example` }),
          ),
        ),
      )
      const addresses = await atOnce(({ users }, index) => users.update(ids[index] ?? 0, { email: 'kim@shop.example' }))
      assert.deepEqual(
        codesOf(addresses),
        Array.from({ length: count - 1 }, () => 'existing_user_email'),
      )
      valuesOf(await atOnce(({ users }, index) => users.update(ids[index] ?? 0, { nicename: 'kim' })))
      const nicenames = await Promise.all(ids.map(async (id) => (await storage.users.find({ id }))?.user_nicename))
      assert.equal(new Set(nicenames).size, count, nicenames.join())
    })

    it('one of the terms of the same name is created, and terms without a name get different slugs', async () => {
      const outcomes = await atOnce(({ terms }) => terms.create({ name: 'Oil lamps' }))
      assert.deepEqual(
        codesOf(outcomes),
        Array.from({ length: count - 1 }, () => 'term_exists'),
      )
      const unnamed = valuesOf(await atOnce(({ terms }) => terms.create({ name: '!!!' })))
      assert.equal(new Set(unnamed.map(({ slug }) => slug)).size, count)
    })

    it('no session and no application password is lost, and a user has one row of each', async () => {
      const { storage } = site(0)
      const id = await storage.users.insert(aUser({ user_login: 'sam', user_nicename: 'sam' }))
      const session = { expiration: clock() / 1000 + 60, address: '192.0.2.1', userAgent: '' }
      valuesOf(await atOnce(({ sessions }) => sessions.create(id, session)))
      const [sessions, ...otherRows] = await storage.users.meta.read(id, sessionsKey)
      assert.deepEqual([parseSessions(sessions ?? null).size, otherRows.length], [count, 0])
      valuesOf(await atOnce(({ passwords }, index) => passwords.create(id, { name: `client ${index}` })))
      const rows = await storage.users.meta.read(id, applicationPasswordsKey)
      assert.deepEqual([(await site(1).passwords.list(id)).length, rows.length], [count, 1])
      const items = await site(0).passwords.list(id)
      valuesOf(await atOnce(({ passwords }, index) => passwords.revoke(id, items[index]?.uuid ?? '')))
      assert.equal((await site(1).passwords.list(id)).length, 0)
    })

    it('clients that create, rename and delete the same records get no error but busy, and leave no duplicate', async () => {
      const { storage } = site(0)
      const names = ['oak', 'oak-2', 'elm']
      const ids: number[] = []
      const step = async ({ records }: Site, index: number): Promise<unknown> => {
        const name = names[index % names.length] ?? ''
        const id = ids[(index * 7) % Math.max(1, ids.length)] ?? 0
        if (index % 5 === 3) return records.delete(id)
        if (index % 5 === 4) return records.update(id, { slug: name, status: index % 2 === 0 ? 'publish' : 'trash' })
        const { id: newId } = await records.insert({ type: 'folder', status: 'publish', title: name })
        return ids.push(newId)
      }
      const outcomes = await atOnce(async (own, client) => {
        for (let round = 0; round < 10; round += 1) await untilNotBusy(() => step(own, client * 11 + round * 3))
      })
      valuesOf(outcomes)
      const { rows } = await storage.posts.list({ types: ['folder'], order: [], limit: 1000, offset: 0 })
      // As in WordPress, those that gave up the same slug in the trash have the same one there.
      const slugs = rows.map(({ post }) => post.post_name).filter((slug) => !slug.endsWith('__trashed'))
      assert.equal(new Set(slugs).size, slugs.length, slugs.sort().join())
    })
  })
}

/** Repeats work that too many others were in the way of, as a client does after a 503 with `Retry-After`. */
async function untilNotBusy<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StorageError && error.fault === 'busy') || attempt === 50) throw error
    }
  }
}

/** @throws the first error. */
function valuesOf<T>(outcomes: readonly PromiseSettledResult<T>[]): T[] {
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
}

/** The codes of the errors. @throws an error without a code. */
function codesOf(outcomes: readonly PromiseSettledResult<unknown>[]): string[] {
  return outcomes.flatMap((outcome) => {
    if (outcome.status === 'fulfilled') return []
    const reason: unknown = outcome.reason
    if (typeof reason !== 'object' || reason === null || !('code' in reason)) throw reason
    return String(reason.code)
  })
}
