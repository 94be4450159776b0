import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { missingVitePlugin } from './vitest-plugin.js'

const folder = mkdtempSync(join(tmpdir(), 'vitest-plugin-'))
after(() => rmSync(folder, { recursive: true }))

/** A project with this version of Vite; null: without Vite. */
function project(version: string | null): string {
  const root = join(folder, version ?? 'none')
  const vite = join(root, 'node_modules/vite')
  mkdirSync(version === null ? root : vite, { recursive: true })
  if (version !== null) writeFileSync(join(vite, 'package.json'), JSON.stringify({ name: 'vite', version }))
  return root
}

test('the plugin is missing in Vitest on Vite 8 and later only', () => {
  const environment = { VITEST: 'true' }
  for (const version of ['8.3.0', '9.0.0-beta.1'])
    assert.match(missingVitePlugin(environment, project(version)) ?? '', /plugins: \[asRestRoute\(\)\]/)
  for (const version of ['7.3.0', null]) assert.equal(missingVitePlugin(environment, project(version)), null)
  assert.equal(missingVitePlugin({}, project('8.3.0')), null)
})

test('the warning names the configuration that Vitest reads', () => {
  const named = (...files: string[]) => {
    const root = mkdtempSync(join(folder, 'named-'))
    mkdirSync(join(root, 'node_modules/vite'), { recursive: true })
    writeFileSync(join(root, 'node_modules/vite/package.json'), JSON.stringify({ name: 'vite', version: '8.3.0' }))
    for (const file of files) writeFileSync(join(root, file), 'export default {}')
    return /In (.*): import/.exec(missingVitePlugin({ VITEST: 'true' }, root) ?? '')?.[1]?.slice(root.length + 1)
  }
  assert.equal(named(), 'vite.config.ts')
  assert.equal(named('vite.config.mts'), 'vite.config.mts')
  assert.equal(named('vitest.config.ts'), 'vitest.config.ts')
  assert.equal(named('vite.config.ts', 'vitest.config.js'), 'vitest.config.js')
  assert.equal(named('vitest.config.mjs', 'vitest.config.mts'), 'vitest.config.mts')
})

test('the warning is left out where the plugin runs, and where the variable is set', () => {
  for (const value of ['1', ''])
    assert.equal(missingVitePlugin({ VITEST: 'true', AS_REST_ROUTE_VITE_PLUGIN: value }, project('8.3.0')), null)
})
