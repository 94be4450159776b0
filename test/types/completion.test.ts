import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../../', import.meta.url))
const file = fileURLToPath(new URL('completed.ts', import.meta.url))

/** What an editor offers at the `|` of a source. */
function offersIn(marked: string): readonly string[] {
  const { service, position } = editorAt(marked)
  return service.getCompletionsAtPosition(file, position, {})?.entries.map(({ name }) => name) ?? []
}

/** What an editor shows when the pointer rests on the `|` of a source. */
function shownIn(marked: string): string {
  const { service, position } = editorAt(marked)
  return ts.displayPartsToString(service.getQuickInfoAtPosition(file, position)?.displayParts)
}

function editorAt(marked: string): { service: ts.LanguageService; position: number } {
  const source = `import { AsRestRoute, route, type RequestOf } from 'as-rest-route'\n${marked}`
  text = source.replace('|', '')
  version += 1
  return { service, position: source.indexOf('|') }
}

let text = ''
let version = 0
const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile) as { config: unknown }
const { options } = ts.parseJsonConfigFileContent(config, { ...ts.sys, readDirectory: () => [] }, root)
const read = (path: string) => (path === file ? text : ts.sys.readFile(path))
// One for all tests: it reads and checks the sources of the package once.
const service = ts.createLanguageService({
  getScriptFileNames: () => [file],
  getScriptVersion: (path) => (path === file ? String(version) : '1'),
  getScriptSnapshot: (path) => {
    const content = read(path)
    return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
  },
  getCurrentDirectory: () => root,
  getCompilationSettings: () => options,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (path) => path === file || ts.sys.fileExists(path),
  readFile: read,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
})

const shared = `const shared = route({ namespace: 'a/v1', route: '/a/(?P<id>\\\\d+)', args: { price: { type: 'number' } } })
declare const request: RequestOf<typeof shared>\n`
const places: [what: string, source: string, offers: readonly string[]][] = [
  ['keys', `route({ namespace: 'a/v1', route: '/a', | })`, ['method', 'permission', 'args']],
  ['rules', `route({ namespace: 'a/v1', route: '/a', args: { page: { | } } })`, ['type', 'default', 'minimum']],
  ['types', `route({ namespace: 'a/v1', route: '/a', args: { page: { type: '|' } } })`, ['integer', 'string']],
  [
    'sanitisers',
    `route({ namespace: 'a/v1', route: '/a', args: { a: { sanitize_callback: '|' } } })`,
    ['absint', 'trim'],
  ],
  ['names to read', `${shared}request.get_param('|')`, ['id', 'price']],
]
for (const [what, source, expected] of places)
  test(`an editor offers the ${what}`, () => {
    const offers = offersIn(source)
    for (const name of expected) assert.ok(offers.includes(name), `${name} is not among ${offers.join(', ')}`)
  })

test('of names to read an editor offers those that are declared, and nothing else', () => {
  assert.deepEqual(offersIn(`${shared}request.get_param('|')`).toSorted(), ['id', 'price'])
  assert.deepEqual(offersIn(`${shared}request.has_param('|')`).toSorted(), ['id', 'price'])
})

test('an editor shows the plain type of what is read', () => {
  assert.equal(shownIn(`${shared}const pri|ce = request.get_param('price')`), 'const price: number | null')
  assert.match(
    shownIn(`${shared}const id: string = request.get_pa|ram('id')`),
    /get_param<"id">\(name: "id"\): string \(/,
  )
})
