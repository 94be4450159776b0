import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../support/until.js'
import { emptyFolder, serve, type Serving } from './command-line.js'

/** An application whose handlers tell their process, take a moment, wait for a file, and store records. */
export function application(): string {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(
    join(folder, 'api.ts'),
    `import { existsSync, writeFileSync } from 'node:fs'
    import { AsRestRoute, RecordStore, RestResponse, inject } from 'as-rest-route'
    export class Api {
      records = inject(RecordStore)

      @AsRestRoute({ namespace: 'own/v1', route: '/process', permission: 'public' })
      process() { return new RestResponse(process.pid) }

      @AsRestRoute({ namespace: 'own/v1', route: '/limited', permission: 'public', rate_limit: { requests: 6, per: 'hour' } })
      limited() { return new RestResponse(process.pid) }

      @AsRestRoute({ namespace: 'own/v1', route: '/moment', permission: 'public' })
      async moment() {
        writeFileSync('begun-' + process.pid, '')
        await new Promise((resolve) => setTimeout(resolve, 1500))
        return new RestResponse('finished')
      }

      @AsRestRoute({ namespace: 'own/v1', route: '/blocked', permission: 'public' })
      blocked() {
        process._rawDebug('blocked')
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
      }

      @AsRestRoute({ namespace: 'own/v1', route: '/file', permission: 'public', timeout: 0 })
      async file() {
        while (!existsSync('file')) await new Promise((resolve) => setTimeout(resolve, 20))
        return new RestResponse('there')
      }

      @AsRestRoute({ namespace: 'own/v1', route: '/titles', permission: 'public', cache: 60 })
      async titles() {
        const records = await this.records.list({ type: 'post', per_page: 100 })
        return new RestResponse(records.map(({ title }) => title).sort())
      }

      @AsRestRoute({ namespace: 'own/v1', route: '/titles', method: 'POST', permission: 'public' })
      async add(request) {
        await this.records.insert({ type: 'post', status: 'publish', title: request.get_param('title') })
        return new RestResponse(null, 201)
      }
    }`,
  )
  return folder
}

/** The configuration of a site with one record. */
export const seededConfiguration = `export default {
  seed: async ({ records }) => void (await records.insert({ type: 'post', status: 'publish', title: 'Seed' })),
}`

/** The arguments of `serve`. */
export const words = (folder: string, count: number | string, database = 'sqlite:x.sqlite') =>
  `${folder} --port 0 --database ${database} --workers ${count}`.split(' ')
export const start = (folder: string, count: number | string = 2, database?: string): Promise<Serving> =>
  serve(words(folder, count, database), { cwd: folder })

/** Waits until handlers that take a moment have begun in so many workers. */
export const momentsBegin = (folder: string, count: number): Promise<void> =>
  until(() => readdirSync(folder).filter((name) => name.startsWith('begun-')).length === count)

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
