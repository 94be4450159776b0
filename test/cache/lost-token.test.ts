import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoint } from 'as-rest-route'
import { z } from 'zod'
import { startService } from '../support/start-service.js'
import { storeKinds } from '../support/store-kinds.js'
import { withoutResponseCache } from '../support/response-cache.js'

// SQLite reads its token without a promise.
for (const kind of storeKinds.filter(({ name }) => name !== 'SQLite'))
  test(
    `a cached route whose change token is lost leaves no rejection unhandled: ${kind.name}`,
    { skip: withoutResponseCache || kind.skip },
    async (context) => {
      const unhandled: unknown[] = []
      const note = (error: unknown): unknown => unhandled.push(error)
      process.on('unhandledRejection', note)
      context.after(() => process.off('unhandledRejection', note))
      const store = await kind.create()
      let isLater = false
      const name = z.string().refine((value) => (isLater ? Promise.resolve(value !== '') : value !== ''))
      const site = await startService(
        [
          endpoint(
            { namespace: 'test/v1', route: '/cached', permission: 'public', cache: 60, args: z.object({ name }) },
            () => 1,
          ),
        ],
        { database: store.url },
      )
      context.after(() => site.close())
      const status = async () => (await fetch(`${site.rest}test/v1/cached?name=a`)).status
      assert.equal(await status(), 200)
      assert.equal(await status(), 200)
      // The URL is known to have a cached response, so that its token is read before its schema turns out to be asynchronous.
      isLater = true
      await store.drop()
      assert.deepEqual([await status(), await status()], [500, 500])
      await new Promise((resolve) => setTimeout(resolve, 50))
      assert.deepEqual(unhandled, [])
    },
  )
