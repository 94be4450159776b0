import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { emptyFolder } from './command-line.js'

/** An application whose seed has these lines. */
export function seededBy(lines: string): string {
  const app = emptyFolder()
  writeFileSync(join(app, 'package.json'), '{"type":"module"}')
  writeFileSync(
    join(app, 'api.ts'),
    `import { AsRestRoute, RestResponse, RecordStore, inject } from 'as-rest-route'
    export class PostsApi {
      constructor(private readonly records = inject(RecordStore)) {}
      @AsRestRoute({ namespace: 'desk/v1', route: '/posts', permission: 'public' })
      async list() { return new RestResponse((await this.records.list({ type: 'post' })).map(({ title }) => title)) }
    }`,
  )
  writeFileSync(
    join(app, 'as-rest-route.config.ts'),
    `const insert = (records, title) => records.insert({ type: 'post', status: 'publish', title })
    export default {
      async seed({ records, users }) {
        ${lines}
      },
    }`,
  )
  return app
}

/** The files in a folder except those of the database. libsql removes its log later. */
export const otherFiles = (folder: string) =>
  readdirSync(folder).filter((name) => !/^x\.sqlite(-wal|-shm)?$/.test(name))

export const titlesAt = async (url: string) => (await fetch(`${url}/wp-json/desk/v1/posts`)).json()
