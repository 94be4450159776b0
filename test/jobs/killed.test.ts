import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { boot, type Service } from '../../src/index.js'
import { storeKinds } from '../support/store-kinds.js'
import { PrintShop, printPage, printShopOptions } from './print-shop-api.js'
import { kill, openShop } from './print-shop-process.js'

const processes = 4
const pages = 300

/** The pages that were printed, each as often as it was. */
async function printed({ records }: Service): Promise<readonly number[]> {
  const pages: number[] = []
  for await (const { meta } of records.each({ type: 'page_print', fields: ['meta'] })) pages.push(Number(meta['page']))
  return pages
}

// Most of the time they wait until the processes that were killed hold their jobs no longer.
describe(`${pages} jobs in ${processes} processes`, { concurrency: true, timeout: 600_000 }, () => {
  for (const kind of storeKinds)
    it(
      `are all done on ${kind.name}, although processes are killed while they do them`,
      { skip: kind.skip },
      async () => {
        const database = await kind.create()
        // This process enqueues: it lists the job, and is closed before the others begin.
        const options = printShopOptions(database.url)
        const clerk = await boot([PrintShop], options)
        await clerk.records.transaction(async (records) => {
          for (let page = 1; page <= pages; page += 1) await records.enqueue(printPage, { page }, { delay: 2 })
        })
        await clerk.close()
        const shops = await Promise.all(Array.from({ length: processes }, () => openShop(database.url)))
        const observer = await boot([PrintShop], { ...options, jobs: [] })
        try {
          const done = async () => new Set(await printed(observer)).size
          const areDone = async (count: number): Promise<void> => {
            while ((await done()) < count) await delay(50)
          }
          await areDone(40)
          await kill(shops[0] as ChildProcess)
          await areDone(120)
          await kill(shops[1] as ChildProcess)
          // Both were killed in the middle: the last pages wait for this.
          await observer.records.insert({ type: 'release', status: 'publish' })
          await areDone(pages)
          const all = await printed(observer)
          assert.deepEqual(
            [...new Set(all)].sort((one, other) => one - other),
            Array.from({ length: pages }, (_, index) => index + 1),
          )
          // Of each process that was killed at most those ten were done twice that it was doing.
          assert.ok(all.length <= pages + 20, `${all.length} prints`)
        } finally {
          await Promise.all(shops.map(kill))
          await observer.close()
          await database.drop()
        }
      },
    )
})
