import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { findRouteSources, refuseModulesBeingLoaded } from './find-route-sources.js'

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
  await assert.rejects(findRouteSources(folder), { code: 'ENOENT' })
  writeFileSync(file, exported)
  const { start } = (await import(`${pathToFileURL(file).href}?again`)) as { start(boot: () => void): void }
  start(refuseModulesBeingLoaded)
})

/** A module of plain JavaScript that declares a route and exports its class, or does not. */
function declaring(route: string, exported: boolean): string {
  return `import { AsRestRoute } from ${JSON.stringify(new URL('../routing/as-rest-route.ts', import.meta.url).href)}
${exported ? 'export ' : ''}class Api {
  static [Symbol.metadata] = {}
  list() {}
}
const context = { kind: 'method', name: 'list', static: false, private: false, metadata: Api[Symbol.metadata] }
AsRestRoute({ namespace: 'a/v1', route: '${route}' })(Api.prototype.list, context)
`
}

test('a class counts as exported also when a program such as Vite has evaluated its module twice', async () => {
  const app = join(folder, 'twice')
  mkdirSync(app)
  writeFileSync(join(app, 'api.mjs'), declaring('/twice', true))
  writeFileSync(join(app, 'hidden.mjs'), declaring('/hidden', false))
  await import(`${pathToFileURL(join(app, 'api.mjs')).href}?copy`)
  const { sources, faults } = await findRouteSources(app)
  assert.deepEqual([sources.length, faults.map(({ subject }) => subject)], [1, ['list (GET a/v1/hidden)']])
})

test('a class of a package below the folder is not one of the application', async () => {
  const app = join(folder, 'project')
  const packageFolder = join(app, 'node_modules', 'some-package')
  mkdirSync(packageFolder, { recursive: true })
  const own = join(packageFolder, 'own.mjs')
  writeFileSync(own, declaring('/own', false))
  writeFileSync(join(app, 'api.mjs'), `import ${JSON.stringify(pathToFileURL(own).href)}\n${declaring('/api', true)}`)
  const { sources, faults } = await findRouteSources(app)
  assert.deepEqual([sources.length, faults], [1, []])
})
