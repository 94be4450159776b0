import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { findClasses, refuseModulesBeingLoaded } from './find-classes.js'

const folder = mkdtempSync(join(tmpdir(), 'as-rest-route-find-'))
after(() => rmSync(folder, { recursive: true }))

test('a search that fails is over: modules of its folder may start a service again', async () => {
  const file = join(folder, 'odd.mjs')
  const exported = 'export const start = (boot) => boot()\n'
  // What was wrong in it is looked up in the file, which is gone.
  const removal = `import { rmSync } from 'node:fs'
    rmSync(${JSON.stringify(file)})
    throw new SyntaxError('Invalid or unexpected token')`
  writeFileSync(file, exported + removal)
  await assert.rejects(findClasses(folder), { code: 'ENOENT' })
  writeFileSync(file, exported)
  const { start } = (await import(`${pathToFileURL(file).href}?again`)) as { start(boot: () => void): void }
  start(refuseModulesBeingLoaded)
})
