import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { optionLocation } from './option-location.js'

const folder = mkdtempSync(join(tmpdir(), 'option-location-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'as-rest-route.config.ts')

const lineOf = (option: string, ...lines: string[]): number => {
  writeFileSync(file, lines.join('\n'))
  return optionLocation(file, option).line
}

test('an option stands where the options name it, not where it is imported', () => {
  const lines = [
    "import { roles } from './roles.js'",
    'import {',
    '  seed,',
    "} from './seed.js'",
    'export default {',
    '  site: { name: 1 },',
    '  roles,',
    '  seed,',
    '}',
  ]
  assert.equal(lineOf('roles', ...lines), 7)
  assert.equal(lineOf('seed', ...lines), 8)
  assert.equal(lineOf('views', ...lines), 5)
})

test('options that are made before they are exported are found there', () => {
  const lines = ['const options = {', '  // cors: []', "  cors: 'some',", '}', 'export default options']
  assert.equal(lineOf('cors', ...lines), 3)
  assert.equal(lineOf('views', ...lines), 5)
})

test('of several lines that look like it, it is the one that is indented least', () => {
  const lines = ['export default {', '  site: {', "    database: 'x',", '  },', '  database: 5,', '}']
  assert.equal(lineOf('database', ...lines), 5)
})

test('a file that cannot be read has its first line', () => {
  assert.deepEqual(optionLocation(join(folder, 'none.ts'), 'views'), { file: join(folder, 'none.ts'), line: 1 })
})
