import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AsRestRoute,
  inject,
  SiteOptions,
  Terms,
  type BootOptions,
  type RecordStore,
  type StoredRecord,
  type Users,
} from 'as-rest-route'
import { startTestService } from 'as-rest-route/testing'
import { documentedModules, type DocumentedModule } from '../support/documented-modules.js'

class Library {
  static opened: Library | null = null

  constructor(
    readonly terms = inject(Terms),
    readonly options = inject(SiteOptions),
  ) {
    Library.opened = this
  }

  @AsRestRoute({ namespace: 'library/v1', route: '/state', permission: 'public' })
  state() {
    return null
  }
}

/** The functions that the code blocks of docs/application.md export. */
interface Documented {
  readonly longestBook: (records: RecordStore) => Promise<string | undefined>
  readonly titleOf: (records: RecordStore, id: number) => Promise<string | null>
  readonly setPages: (records: RecordStore, id: number, pages: number) => Promise<unknown>
  readonly longBooks: (records: RecordStore, language: string | null) => Promise<readonly { readonly title: string }[]>
  readonly settings: BootOptions
  readonly issueCard: (users: Users, options: SiteOptions, id: number, card: string) => Promise<unknown>
  readonly paint: (terms: Terms, id: number) => Promise<void>
  readonly withdraw: (records: RecordStore, id: number) => Promise<unknown>
  readonly rename: (
    records: RecordStore,
    book: StoredRecord,
    title: string,
  ) => Promise<{ readonly title: string } | null>
  readonly remove: (records: RecordStore, id: number) => Promise<boolean>
  readonly claimShelf: (records: RecordStore, slug: string) => Promise<{ readonly slug: string }>
  readonly lend: (records: RecordStore, book: number) => Promise<{ readonly id: number }>
}

/** The option of the first configuration of the page that has it in this form. */
function optionOf<Name extends keyof BootOptions>(
  modules: readonly DocumentedModule[],
  name: Name,
  matches: (value: NonNullable<BootOptions[Name]>) => boolean = () => true,
): NonNullable<BootOptions[Name]> {
  const configurations = modules.map((members) => members['default'] as BootOptions | undefined)
  const value = configurations.map((each) => each?.[name]).find((each) => each != null && matches(each))
  return value ?? assert.fail(`no configuration has '${name}'`)
}

test('the functions, jobs and functions of after_commit of docs/application.md do what the page says', async (t) => {
  const modules = await documentedModules('application')
  const documented = Object.assign({}, ...modules) as Documented
  const { loan } = optionOf(modules, 'record_types', (types) => types['loan']?.after_commit !== undefined)
  const written: string[] = []
  t.mock.method(console, 'log', (text: string) => written.push(text))
  const service = await startTestService([Library], {
    ...documented.settings,
    record_types: {
      ...optionOf(modules, 'record_types', (types) => types['book'] !== undefined),
      ...(loan && { loan }),
    },
    jobs: optionOf(modules, 'jobs'),
    seed: async ({ terms }) => void (await terms.create({ taxonomy: 'genre', name: 'Novel', id: 90 })),
  })
  t.after(() => service.close())
  const { records, users } = service
  const { terms, options } = Library.opened ?? assert.fail()
  const insert = (title: string, meta: Readonly<Record<string, unknown>>) =>
    records.insert({ type: 'book', status: 'publish', title, meta })
  const momo = await insert('Momo', {
    pages: 304,
    language: 'de',
    shelf: 'A',
    isbn: '1',
    publisher: 'The House',
    lent: false,
  })
  await insert('Emil', { pages: 160, copies: 2 })
  const long = await insert('Ulysses', { pages: 730, shelf: 'B', isbn: '2', publisher: 'Warehouse', lent: false })
  const post = await records.insert({ status: 'publish', title: 'News' })

  // Record types
  assert.equal(await documented.longestBook(records), 'Ulysses: 730 pages, 1 copies')
  const titles = [momo.id, post.id, 999].map((id) => documented.titleOf(records, id))
  assert.deepEqual(await Promise.all(titles), ['Momo (de)', 'News', null])
  assert.notEqual(await documented.setPages(records, momo.id, 310), null)
  assert.equal(await documented.setPages(records, post.id, 310), null)
  assert.equal((await records.get(momo.id))?.meta['pages'], 310)
  await assert.rejects(documented.setPages(records, momo.id, 0), { code: 'invalid_meta_value' })

  // Records
  const titlesOf = async (language: string | null) =>
    (await documented.longBooks(records, language)).map(({ title }) => title).sort()
  assert.deepEqual([await titlesOf('de'), await titlesOf(null)], [['Momo'], ['Momo', 'Ulysses']])

  // Options and metadata of users and terms
  const reader = (await users.find('subscriber')) ?? assert.fail()
  const card = { card: '12345678', days: 21 }
  assert.deepEqual(await documented.issueCard(users, options, reader.id, card.card), card)
  await assert.rejects(documented.issueCard(users, options, reader.id, '12'), { code: 'invalid_meta_value' })
  await documented.paint(terms, 90)
  assert.equal((await terms.getMeta(90))['colour'], '#aa0000')

  // Transactions
  await documented.withdraw(records, long.id)
  await assert.rejects(documented.withdraw(records, long.id), { code: 'record_conflict' })
  const read = (await records.get(long.id)) ?? assert.fail()
  assert.equal((await documented.rename(records, read, 'Tea'))?.title, 'Tea')
  await assert.rejects(documented.rename(records, read, 'Coffee'), { code: 'record_conflict' })
  await assert.rejects(documented.remove(records, long.id), { code: 'record_conflict' })
  await records.update(long.id, { status: 'trash' })
  assert.deepEqual(
    [await documented.remove(records, long.id), await documented.remove(records, long.id)],
    [true, false],
  )
  assert.equal((await documented.claimShelf(records, 'a-1')).slug, 'a-1')
  await assert.rejects(documented.claimShelf(records, 'a-1'), { code: 'shelf_taken' })
  assert.equal(await records.count({ type: 'book', slug: 'a-1-2' }), 0)

  // Jobs, and after a write is stored
  const lent = await documented.lend(records, momo.id)
  const [waiting] = await service.jobs()
  assert.equal(waiting?.name, 'remind-reader')
  assert.deepEqual(await service.runJobs(), [])
  service.clock.advance(14 * 24 * 60 * 60 * 1000)
  assert.deepEqual(
    (await service.runJobs()).map(({ name, error }) => [name, error]),
    [['remind-reader', null]],
  )
  await records.update(lent.id, { status: 'draft' })
  await records.delete(lent.id)
  while (written.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.deepEqual(
    service.mails.map(({ to, subject, text }) => [to, subject, text]),
    [
      ['desk@example.com', 'New loan', 'Loan'],
      ['reader@example.com', 'Your book', 'Loan'],
    ],
  )
  assert.deepEqual(written, ['Loan: publish to draft', 'Loan is gone'])
})
