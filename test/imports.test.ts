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

/** The lowest rooms of the house: they know nobody above them. */
const low = ['errors', 'php', 'sanitizers']

test('the lowest folders know only each other', () => {
  const wrong: string[] = []
  for (const [file, names] of imports) {
    const folder = file.split('/')[0] ?? ''
    if (!low.includes(folder)) continue
    for (const name of names) {
      if (name.endsWith('.ts') && !low.includes(name.split('/')[0] ?? '')) wrong.push(`${file} imports ${name}`)
    }
  }
  assert.deepEqual(wrong, [])
})
