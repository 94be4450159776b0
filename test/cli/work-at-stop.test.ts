import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { freshDatabase } from '../support/servers/fresh-database.js'
import { skipWithoutServer } from '../support/servers/missing-server.js'
import { emptyFolder, endAll, removeFolders, serve } from './command-line.js'

after(() => {
  endAll()
  removeFolders()
})

/** An application whose orders leave work behind: deferred, after the commit, and a job. Each part writes a line of `done.txt`. */
function application(): string {
  const folder = emptyFolder()
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write('package.json', '{ "type": "module" }')
  write(
    'work.ts',
    `import { appendFileSync, existsSync } from 'node:fs'
    import { setTimeout as pause } from 'node:timers/promises'
    import { job } from 'as-rest-route'
    export const work = async (name: string) => {
      // The test says when it has sent the signal.
      while (!existsSync('stopping')) await pause(20)
      await pause(500)
      appendFileSync('done.txt', name + '\\n')
    }
    export const pack = job({ name: 'pack', run: () => work('job') })`,
  )
  write(
    'as-rest-route.config.ts',
    `import { defineConfig } from 'as-rest-route'
    import { pack, work } from './work.js'
    export default defineConfig({
      handlers: './app/',
      jobs: [pack],
      record_types: { purchase: { after_commit: { inserted: () => work('after commit') } } },
    })`,
  )
  mkdirSync(join(folder, 'app'))
  write(
    'app/orders-api.ts',
    `import { AsRestRoute, inject, RecordStore, RestResponse, type RestRequest } from 'as-rest-route'
    import { pack, work } from '../work.js'
    export class OrdersApi {
      constructor(private readonly records = inject(RecordStore)) {}

      @AsRestRoute({ namespace: 'shop/v1', route: '/orders', method: 'POST', permission: 'public' })
      async place(request: RestRequest) {
        request.defer(() => work('deferred'))
        await this.records.transaction(async (records) => {
          await records.insert({ type: 'purchase', title: 'Order' })
          await records.enqueue(pack, null)
        })
        return new RestResponse(null, 201)
      }
    }`,
  )
  return folder
}

for (const [name, words, kind] of [
  ['one process on SQLite', [], null],
  ['two workers on SQLite', ['--workers', '2'], null],
  ['one process on PostgreSQL', [], 'postgres'],
  ['one process on MariaDB', [], 'mariadb'],
] as const)
  test(
    `SIGTERM lets the work finish that a request has left behind: ${name}`,
    {
      skip: kind !== null && skipWithoutServer(kind),
    },
    async (context) => {
      const folder = application()
      const database = kind === null ? null : await freshDatabase(kind)
      if (database !== null) context.after(() => database.drop())
      const served = await serve(['.', '--port', '0', '--database', database?.url ?? 'sqlite:site.sqlite', ...words], {
        cwd: folder,
      })
      const response = await fetch(`${served.url}/wp-json/shop/v1/orders`, { method: 'POST' })
      assert.equal(response.status, 201)
      const ended = served.end('SIGTERM')
      writeFileSync(join(folder, 'stopping'), '')
      assert.equal(await ended, 0)
      const done = readFileSync(join(folder, 'done.txt'), 'utf8').trim().split('\n')
      assert.deepEqual(done.sort(), ['after commit', 'deferred', 'job'], served.output())
    },
  )
