import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const src = join(root, 'src')

function* sourcesBelow(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) yield* sourcesBelow(path)
    else if (name.endsWith('.ts') && !/\.(test|test-d)\.ts$/.test(name)) yield path
  }
}

/** What each module imports, types included: packages by name, own modules by path below src. */
const imports = new Map<string, readonly string[]>()
for (const file of sourcesBelow(src)) {
  const names = [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name = '']) =>
    name.startsWith('.') ? relative(src, resolve(dirname(file), name)).replace(/\.js$/, '.ts') : name,
  )
  imports.set(relative(src, file), names)
}

/** The folder of a module below src; '' for index.ts and vite.ts. */
const folderOf = (path: string): string => (dirname(path) === '.' ? '' : dirname(path))
const isOwn = (name: string): boolean => name.endsWith('.ts')

/** The floors of docs/architecture.md, from the top: each line of the list names the folders of one floor. */
const architecture = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
const floors = (/^Imports point down[^`]*```\n([\s\S]*?)```/m.exec(architecture)?.[1] ?? '')
  .trim()
  .split('\n')
  .map((floor) => floor.split(',').map((folder) => folder.trim()))
const floorOf = (folder: string): number => floors.findIndex((floor) => floor.includes(folder))

test('docs/architecture.md names every folder of src, and no other', () => {
  const folders = [...new Set([...imports.keys()].map(folderOf))].filter((folder) => folder !== '').sort()
  assert.deepEqual(floors.flat().sort(), folders)
  const listed = [...architecture.matchAll(/^ {2}([\w/-]+)\/ {2,}\S/gm)].map(([, folder = '']) => folder)
  assert.deepEqual(listed.sort(), folders)
})

test('docs/architecture.md names no file that does not exist', () => {
  const files = new Set([...imports.keys()].flatMap((file) => [file, file.replace(/\.ts$/, '')]))
  const named = [...architecture.matchAll(/`(?:src\/)?((?:[a-z-]+\/)+[a-z-]+(?:\.ts)?)`/g)].map(([, file = '']) => file)
  const folders = new Set([...imports.keys()].map(folderOf))
  assert.deepEqual(
    named.filter((file) => !files.has(file) && !folders.has(file)),
    [],
  )
})

test('imports between folders point down, those of types as well', () => {
  const wrong: string[] = []
  for (const [file, names] of imports) {
    const folder = folderOf(file)
    if (folder === '') continue
    for (const name of names) {
      if (!isOwn(name) || folderOf(name) === folder) continue
      if (folderOf(name) === '' || floorOf(folderOf(name)) <= floorOf(folder)) wrong.push(`${file} imports ${name}`)
    }
  }
  assert.deepEqual(wrong, [])
})

test('at most 150 pairs of folders know each other', (context) => {
  const pairs = new Set<string>()
  for (const [file, names] of imports)
    for (const name of names)
      if (isOwn(name) && folderOf(name) !== folderOf(file)) pairs.add(`${folderOf(file)} → ${folderOf(name)}`)
  context.diagnostic(`${pairs.size} pairs of folders`)
  assert.ok(pairs.size <= 150, `${pairs.size} pairs`)
})

/** Packages that are known below some folders only. */
const homes: Readonly<Record<string, readonly string[]>> = {
  'node:http': ['server'],
  'node:net': ['server', 'http'],
  'node:sqlite': ['database'],
  libsql: ['database'],
  pg: ['database'],
  mysql2: ['database'],
  ioredis: ['auth'],
  eta: ['views'],
  pino: ['log'],
  nodemailer: ['mail'],
  'hash-wasm': ['auth'],
  'node:worker_threads': ['auth'],
}

test('sockets, databases, templates and logs are known in their folders only', () => {
  const wrong: string[] = []
  for (const [file, names] of imports)
    for (const name of names) {
      const allowed = homes[name]
      const [room = ''] = file.split('/')
      if (allowed && room !== 'cli' && !allowed.includes(room)) wrong.push(`${file} imports ${name}`)
    }
  assert.deepEqual(wrong, [])
})

test('SQLite is named by its adapter and by the composition in app, and by no other source', () => {
  const wrong: string[] = []
  for (const [file, names] of imports) {
    // The table of errors quotes the remedies of the options of app.
    if (file === 'base/configuration-errors.ts') continue
    if (names.some((name) => name.startsWith('database/sqlite/')) && !file.startsWith('database/sqlite/'))
      if (file !== 'app/stores.ts') wrong.push(`${file} imports the adapter`)
    const code = readFileSync(join(src, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    if (/sqlite/i.test(code) && !file.startsWith('database/sqlite/') && !file.startsWith('app/')) wrong.push(file)
  }
  assert.deepEqual(wrong, [])
})
