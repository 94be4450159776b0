import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AsRestRoute, inject, RecordStore } from '../../src/index.js'
import type { SeedTools } from '../../src/app/options.js'
import { statementsWithValues } from '../support/counted-statements.js'
import { startService, type StartedService } from '../support/start-service.js'
import { storeKinds } from '../support/store-kinds.js'

class LinksApi {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ namespace: 'test/v1', route: '/links/(?P<type>post|page)', permission: 'public' })
  async links(request: { get_param(name: 'type'): string }) {
    const records = await this.records.list({ type: request.get_param('type'), per_page: 100, fields: ['link'] })
    return records.map(({ link }) => new URL(link).pathname)
  }
}

const site = { permalink_structure: '/%category%/%author%/%postname%/' }

for (const kind of storeKinds)
  describe(`rows besides those of the records on ${kind.name}`, { skip: kind.skip }, () => {
    let drop: () => Promise<void> | void = () => undefined
    let started: StartedService
    let terms: SeedTools['terms']
    before(async () => {
      const database = await kind.create()
      ;({ drop } = database)
      const seed = async (tools: SeedTools): Promise<void> => void ({ terms } = tools)
      started = await startService([LinksApi], { database: database.url, site, seed })
    })
    after(async () => {
      await started.close()
      await drop()
    })

    /** Each post has an author and a category of its own, below one of its own; each page is below one of its own. */
    async function addRecords(names: readonly string[]): Promise<void> {
      const { records, users } = started.service
      for (const name of names) {
        const author = await users.create({ login: name, email: `${name}@site.test`, password: 'of-a-test-1' })
        const above = await terms.create({ name: `${name} above`, slug: `${name}-above` })
        await terms.create({ name, slug: `in-${name}`, parent: above.id })
        const post = { title: name, status: 'publish', author: author.id, terms: { category: [`in-${name}`] } }
        await records.insert(post)
        const parent = await records.insert({ type: 'page', title: `above ${name}`, status: 'publish' })
        await records.insert({ type: 'page', title: `page ${name}`, status: 'publish', parent: parent.id })
      }
    }

    /**
     * How many different statements a request sends, and what it answers. Where another test writes to the same server meanwhile, a
     * search is made a second time.
     */
    async function respond(path: string): Promise<{ readonly statements: number; readonly text: string }> {
      let text = ''
      const statements = await statementsWithValues(async () => {
        const response = await fetch(started.url + path)
        text = await response.text()
        assert.equal(response.status, 200, text)
      })
      const different = new Set(statements.map(({ text: statement, values }) => JSON.stringify([statement, values])))
      return { statements: different.size, text }
    }

    it('are read by as many statements for ten records as for two', async () => {
      const paths = ['/wp-json/test/v1/links/post', '/wp-json/test/v1/links/page', '/', '/?s=n']
      const counts = async (): Promise<readonly number[]> => {
        const all: number[] = []
        for (const path of paths) all.push((await respond(path)).statements)
        return all
      }
      await addRecords(['ann', 'ben'])
      const ofTwo = await counts()
      await addRecords(['cyn', 'dan', 'eon', 'fin', 'gwen', 'hank', 'ian', 'jon'])
      assert.deepEqual(await counts(), ofTwo, paths.join(', '))
      const posts = JSON.parse((await respond('/wp-json/test/v1/links/post')).text) as readonly string[]
      assert.ok(posts.includes('/ann-above/in-ann/ann/ann/'), posts.join(' '))
      assert.ok(posts.includes('/jon-above/in-jon/jon/jon/'), posts.join(' '))
      const pages = JSON.parse((await respond('/wp-json/test/v1/links/page')).text) as readonly string[]
      assert.ok(pages.includes('/above-dan/page-dan/'), pages.join(' '))
    })
  })
