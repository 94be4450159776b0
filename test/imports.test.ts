import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const src = fileURLToPath(new URL('../src/', import.meta.url))

function* sourcesBelow(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) yield* sourcesBelow(path)
    else if (name.endsWith('.ts') && !/\.(test|test-d)\.ts$/.test(name)) yield path
  }
}

/** What each module imports: packages by name, own modules by path below src. */
const imports = new Map<string, readonly string[]>()
for (const file of sourcesBelow(src)) {
  const found = [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name = '']) =>
    name.startsWith('.') ? relative(src, resolve(dirname(file), name)).replace(/\.js$/, '.ts') : name,
  )
  imports.set(relative(src, file), found)
}

/** Libraries that are known in one folder of adapters only. */
const outsiders: Readonly<Record<string, string>> = {
  'node:http': 'adapters/node',
  'node:net': 'adapters',
  'node:sqlite': 'adapters/sqlite',
  libsql: 'adapters/sqlite',
  eta: 'adapters/eta',
  pino: 'adapters/pino',
  'hash-wasm': 'adapters/hashing',
  'node:worker_threads': 'adapters/hashing',
}

test('HTTP, databases, templates and logs are known to their adapters only', () => {
  const wrong: string[] = []
  for (const [file, names] of imports) {
    for (const name of names) {
      const home = outsiders[name]
      if (home !== undefined && !file.startsWith(`${home}/`) && !file.startsWith('cli/'))
        wrong.push(`${file} imports ${name}`)
    }
  }
  assert.deepEqual(wrong, [])
})

/** Who puts everything together: only these may know adapters. */
const roots = new Set(['boot.ts', 'plan.ts', 'running-service.ts', 'index.ts', 'vite.ts'])

test('adapters are imported by the composition root and by adapters, by nobody else', () => {
  const wrong: string[] = []
  for (const [file, names] of imports) {
    if (file.startsWith('adapters/') || file.startsWith('cli/') || roots.has(file)) continue
    for (const name of names) if (name.startsWith('adapters/')) wrong.push(`${file} imports ${name}`)
  }
  assert.deepEqual(wrong, [])
})

/** The floors of the house, the lowest first (docs/architecture.md): a folder knows those below it, and nobody beside it. */
const floors = [
  'errors php',
  'sanitizers storage views',
  'cache site request response',
  'permission',
  'route records',
  'arguments authentication container',
  'users discovery',
  'endpoints documents pages',
  'service',
  'explain',
  'adapters',
  'cli',
].map((floor) => floor.split(' '))

/** Types that are looked at from below or from beside. At run time nothing of it is left; the list does not grow. */
const typesFromAbove = [
  'discovery/configuration.ts imports service/settings.ts',
  'documents/client/client-source.ts imports service/route-summary.ts',
  'documents/describe.ts imports service/endpoint.ts',
  'documents/endpoints.ts imports service/endpoint.ts',
  'documents/index-document.ts imports service/endpoint.ts',
  'documents/namespace-document.ts imports service/endpoint.ts',
  'documents/openapi/openapi-document.ts imports service/route-summary.ts',
  'documents/openapi/operation.ts imports service/route-summary.ts',
  'pages/page-parts.ts imports service/log.ts',
  'permission/capability-lookup.ts imports records/record-type.ts',
  'request/rest-request.ts imports permission/caller.ts',
  'route/argument-checks.ts imports arguments/rules.ts',
  'route/declaration.ts imports arguments/rules.ts',
]

const folderOf = (path: string): string => (path.includes('/') ? (path.split('/')[0] ?? '') : '')
const floorOf = (path: string): number => floors.findIndex((floor) => floor.includes(folderOf(path)))

test('every folder has its floor', () => {
  const folders = new Set([...imports.keys()].map(folderOf).filter((folder) => folder !== ''))
  assert.deepEqual([...folders].sort(), floors.flat().sort())
})

test('dependencies point down, except for the types that are written out here', () => {
  const upward: string[] = []
  for (const [file, names] of imports) {
    if (folderOf(file) === '') continue
    for (const name of new Set(names)) {
      const isOwn = name.endsWith('.ts') && folderOf(name) !== '' && folderOf(name) !== folderOf(file)
      if (isOwn && floorOf(name) >= floorOf(file)) upward.push(`${file} imports ${name}`)
    }
  }
  assert.deepEqual(upward.sort(), typesFromAbove)
})

test('of what is above, types only are imported', () => {
  const wrong = typesFromAbove.filter((line) => {
    const [file = '', name = ''] = line.split(' imports ')
    const module = name.replace(/\.ts$/, '\\.js')
    const statements = readFileSync(join(src, file), 'utf8').match(
      new RegExp(`^(?:import|export)[^']*'[./]+${module}'`, 'gm'),
    )
    return statements === null || !statements.every((statement) => /^(?:import|export) type\b/.test(statement))
  })
  assert.deepEqual(wrong, [])
})
