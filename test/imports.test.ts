import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import typescript from 'typescript'

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
  'node:net': ['server', 'http', 'cli'],
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

test('no object of dependencies has twenty members', () => {
  const large: string[] = []
  for (const file of imports.keys()) {
    const source = typescript.createSourceFile(
      file,
      readFileSync(join(src, file), 'utf8'),
      typescript.ScriptTarget.Latest,
    )
    source.forEachChild((node) => {
      if (!typescript.isInterfaceDeclaration(node) || !node.name.text.endsWith('Dependencies')) return
      if (node.members.length >= 20) large.push(`${file}: ${node.name.text}`)
    })
  }
  assert.deepEqual(large, [])
})

/** The paths below src that a section of a document names, with and without their extension. */
function filesNamedIn(document: string, heading: string): readonly string[] {
  const text = readFileSync(join(root, document), 'utf8')
  const section = text.slice(text.indexOf(`\n${heading}\n`))
  const [, body = ''] = /^\n#+ .*\n([\s\S]*?)(?=\n#|$)/.exec(section) ?? []
  return Array.from(body.matchAll(/`([\w/-]+\.ts)`/g), ([, file = '']) => file)
}

test('each source with MaybePromise is named with its reason in the appendix of decision 019, and no other', () => {
  const users = [...imports].filter(([, names]) => names.includes('base/maybe-promise.ts')).map(([file]) => file)
  const named = filesNamedIn('decisions/appendix.md', '### Where it is used')
  assert.deepEqual([...named].sort(), ['base/maybe-promise.ts', ...users].sort())
})

test('beside SQLite itself, only held-descriptors opens the files of a database that exists', () => {
  const openers: string[] = []
  for (const file of imports.keys()) {
    if (!file.startsWith('database/sqlite/')) continue
    const code = readFileSync(join(src, file), 'utf8')
    for (const [call] of code.matchAll(
      /\b(?:(?:open|readFile|writeFile|appendFile|copyFile)Sync|create\w+Stream)\(.*/g,
    ))
      // `wx` creates a file, and fails where there is one.
      if (!call.includes("'wx'")) openers.push(`${file}: ${call}`)
    assert.doesNotMatch(code, /node:fs\/promises/, file)
  }
  assert.deepEqual(openers, [
    // A new copy, which no service uses yet.
    "database/sqlite/backup.ts: openSync(path, 'r')",
    "database/sqlite/held-descriptors.ts: openSync(path, 'r')",
  ])
})

test('sockets, databases, templates and logs are known in their folders only', () => {
  const wrong: string[] = []
  for (const [file, names] of imports)
    for (const name of names) {
      const allowed = homes[name]
      const [folder = ''] = file.split('/')
      if (allowed && !allowed.includes(folder)) wrong.push(`${file} imports ${name}`)
    }
  assert.deepEqual(wrong, [])
})

/** The sources of app that name a database: the list of the adapters, and the default addresses. */
const namesDatabases = new Set(['app/stores.ts', 'app/database-addresses.ts'])

test('SQLite is named by its adapter and by the composition in app, and by no other source', () => {
  const wrong: string[] = []
  for (const [file, names] of imports) {
    // The table of errors quotes the remedies of the options of app.
    if (file === 'base/configuration-errors.ts') continue
    if (names.some((name) => name.startsWith('database/sqlite/')) && !file.startsWith('database/sqlite/'))
      if (file !== 'app/stores.ts') wrong.push(`${file} imports the adapter`)
    const code = readFileSync(join(src, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    if (/sqlite/i.test(code) && !file.startsWith('database/sqlite/') && !namesDatabases.has(file)) wrong.push(file)
  }
  assert.deepEqual(wrong, [])
})
