import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { loadFault } from './load-fault.js'

const folder = mkdtempSync(join(tmpdir(), 'as-rest-route-load-'))
after(() => rmSync(folder, { recursive: true }))

const asCommonJs: [what: string, error: Error][] = [
  ['a circle through require', Object.assign(new Error('Cannot …'), { code: 'ERR_REQUIRE_CYCLE_MODULE' })],
  ['a module that require refuses', Object.assign(new Error('require() of …'), { code: 'ERR_REQUIRE_ESM' })],
  ['the same in words', new Error('Cannot require() ES Module /app/api.ts in a cycle.')],
  ['an import in a script', new SyntaxError('Cannot use import statement outside a module')],
  ['an export in a script', new SyntaxError("Unexpected token 'export'")],
]
const sentences: [packageJson: string, message: RegExp][] = [
  [
    '{"type":"commonjs"}',
    /^it cannot be loaded: it is taken for CommonJS\. Set "type": "module" in its package\.json\.$/,
  ],
  ['{}', /Set "type": "module"/],
  ['{ "type": "module" }', /^it cannot be loaded: (Cannot|require|Unexpected)/],
]
for (const [what, error] of asCommonJs)
  for (const [packageJson, message] of sentences)
    test(`${what}, in a package of ${packageJson}`, () => {
      writeFileSync(join(folder, 'package.json'), packageJson)
      assert.match(loadFault(join(folder, 'api.ts'), error).message, message)
    })

for (const name of ['api.mjs', 'api.mts'])
  test(`${name} is a module in every package`, () => {
    writeFileSync(join(folder, 'package.json'), '{}')
    const fault = loadFault(join(folder, name), new SyntaxError('Cannot use import statement outside a module'))
    assert.equal(fault.message, 'it cannot be loaded: Cannot use import statement outside a module')
  })

test('a decorator in plain JavaScript is reported with its line', () => {
  const file = join(folder, 'api.js')
  writeFileSync(file, 'export class Api {\n  // Not compiled.\n  @AsRestRoute({})\n  read() {}\n}\n')
  const { location, message } = loadFault(file, new SyntaxError('Invalid or unexpected token'))
  assert.deepEqual(location, { file, line: 3 })
  assert.match(message, /JavaScript has no decorators yet\. Compile it/)
})

test('a syntax error that has nothing to do with decorators keeps its message', () => {
  const file = join(folder, 'text.js')
  writeFileSync(file, "export const text = 'not ended\n")
  const { message } = loadFault(file, new SyntaxError('Invalid or unexpected token'))
  assert.equal(message, 'it cannot be loaded: Invalid or unexpected token')
})
