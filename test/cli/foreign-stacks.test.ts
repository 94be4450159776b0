import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { emptyFolder, removeFolders, run } from './command-line.js'

after(removeFolders)

it('an application that replaces Error.prepareStackTrace starts', async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(
    join(folder, 'lamps.ts'),
    `import { AsRestRoute, RestResponse } from 'as-rest-route'
    Error.prepareStackTrace = (_, sites) => sites
    export class Lamps {
      @AsRestRoute({ namespace: 'shop/v1', route: '/lamps', permission: 'public' })
      list() { return new RestResponse([]) }
    }`,
  )
  const { code, stdout, stderr } = await run(['check', folder], { cwd: folder })
  assert.deepEqual([code, stdout, stderr], [0, '1 route, no fault.\n', ''])
})
