import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { emptyFolder, endAll, removeFolders, run } from './command-line.js'

after(() => {
  endAll()
  removeFolders()
})

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The main module of docs/operating.md, changed to listen on a free port and print its URL. */
function documentedMain(): string {
  const text = readFileSync(join(root, 'docs/operating.md'), 'utf8')
  const code = /^## Stopping$[\s\S]*?^```ts\n([\s\S]*?)^```$/m.exec(text)?.[1] ?? ''
  const listening = 'await service.listen({ port: 8080 })'
  assert.ok(code.includes(listening))
  return code.replace(listening, 'console.log((await service.listen({ port: 0 })).url)')
}

it('the main module of the documentation finishes in-flight requests on SIGTERM, and creates no user', async () => {
  const cwd = emptyFolder()
  mkdirSync(join(cwd, 'app'))
  writeFileSync(join(cwd, 'package.json'), '{"type":"module"}')
  writeFileSync(join(cwd, 'main.ts'), documentedMain())
  writeFileSync(
    join(cwd, 'app/api.ts'),
    `import { AsRestRoute, RestResponse } from 'as-rest-route'
    export class Slow {
      @AsRestRoute({ namespace: 'slow/v1', route: '/moment', permission: 'public' })
      async moment() {
        console.log('started')
        await new Promise((resolve) => setTimeout(resolve, 500))
        return new RestResponse('done')
      }
    }`,
  )
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), 'main.ts'], {
    cwd,
    env: { PATH: process.env['PATH'], TSX_TSCONFIG_PATH: join(root, 'tsconfig.json') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const url = String((await lines.next()).value)
  const response = fetch(`${url}/wp-json/slow/v1/moment`)
  await lines.next()
  child.kill('SIGTERM')
  assert.equal(await (await response).json(), 'done')
  assert.deepEqual(await ended, [0, null])

  const created = await run(['user', 'create', 'ada', 'ada@example.org', '--role=administrator'], { cwd })
  assert.match(created.stdout, /^Created user 1\.\n/, 'there was no administrator')
})
