import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test, type TestContext } from 'node:test'
import { cachedService } from './cached-service.js'

// A request uses a change token that was read after it arrived. Within one tick of the event loop, a request may arrive after
// a write was acknowledged, although another request of that tick has read a token before the write.

const folder = mkdtempSync(join(tmpdir(), 'own-token-'))
after(() => rmSync(folder, { recursive: true }))
let files = 0

/** A service with a cached page, and its title as a client reads it without leaving the tick for a socket. */
async function pageOf(context: TestContext) {
  const file = join(folder, `${(files += 1)}.sqlite`)
  const site = await cachedService({ database: `sqlite:${file}` })
  context.after(() => site.close())
  const { records } = site.service
  const { id } = await records.insert({ type: 'page', status: 'publish', title: 'before' })
  const title = async (route: string): Promise<unknown> => {
    const response = await site.service.fetch(new Request(`${site.rest}test/v1/${route}/${id}`))
    const body = (await response.json()) as string | { readonly title: string }
    return typeof body === 'string' ? body : body.title
  }
  return { records, id, title }
}

for (const route of ['title', 'one'])
  test(`a client that was told of a write reads it, while others read in every tick (${route})`, async (context) => {
    const { records, id, title } = await pageOf(context)
    let isOver = false
    const readings: Promise<unknown>[] = []
    const readOn = (): void => {
      readings.push(title(route))
      if (!isOver) setImmediate(readOn)
    }
    readOn()
    try {
      for (let round = 1; round <= 30; round += 1) {
        await records.update(id, { title: `title ${round}` })
        assert.equal(await title(route), `title ${round}`)
      }
    } finally {
      isOver = true
      await Promise.all(readings)
    }
  })
