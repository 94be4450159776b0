import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const document = readFileSync(`${root}SECURITY.md`, 'utf8')
const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { readonly scripts: object }
const rows = [...document.matchAll(/^\| API(\d+) [^|]+\| ([^|]+) \| ([^|]+) \|$/gm)]

test('SECURITY.md has a defence for each of the ten items of the OWASP API Security Top 10', () => {
  assert.deepEqual(
    rows.map(([, number]) => Number(number)),
    Array.from({ length: 10 }, (_, index) => index + 1),
  )
  for (const [row, , defence = ''] of rows) assert.ok(defence.length > 20, row)
})

test('each item names a suite or a test that attacks it, and that exists', () => {
  for (const [row, , , attackers = ''] of rows) {
    const names = [...attackers.matchAll(/`(?:npm run )?([^`]+)`/g)].map(([, name = '']) => name)
    assert.ok(names.length > 0, row)
    for (const name of names) assert.ok(name in scripts || existsSync(`${root}${name}`), name)
  }
})
