import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Storage } from '../../src/database/storage.js'
import { Random } from '../../suites/support/random.js'
import { ContendingClient, nothingAcknowledged } from './contention/client.js'
import { contentionFindings } from './contention/findings.js'
import { contendedSite, prepareContention } from './contention/site.js'

/** In milliseconds; the suite `npm run test:contention` runs longer, with processes. */
const duration = 2500
const clients = 20

/**
 * What clients of several processes see that create, rename and delete the same at the same time: no error, no duplicate and
 * no lost change. A database passes by running this test.
 * @param open opens storages on one empty database, each as another process would. The test closes them.
 */
export function contentionContract(name: string, open: () => Promise<readonly Storage[]>): void {
  test(`${clients} clients that create, rename and delete the same names see no conflict: ${name}`, async () => {
    const storages = await open()
    try {
      const [storage] = storages
      if (storage === undefined) throw new Error('There is no storage.')
      const keeper = await prepareContention(storage)
      const sites = await Promise.all(storages.map((each) => contendedSite(each, keeper)))
      const acknowledged = nothingAcknowledged()
      const until = performance.now() + duration
      await Promise.all(
        Array.from({ length: clients }, (_, index) => {
          const site = sites[index % sites.length]
          return site && new ContendingClient(site, new Random(1, index), acknowledged).run(until)
        }),
      )
      assert.ok(acknowledged.created.length > 0)
      assert.deepEqual(await contentionFindings(storage, keeper, [acknowledged]), [])
    } finally {
      await Promise.all(storages.map((each) => each.close()))
    }
  })
}
