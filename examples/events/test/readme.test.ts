import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const root = new URL('../', import.meta.url)
const textOf = (path: string) => readFileSync(new URL(path, root), 'utf8')

/** Lines that are neither blank nor comments. */
const codeLines = (text: string) => text.split('\n').filter((line) => !/^\s*(?:$|\/\/|\/?\*)/.test(line)).length

/** Modules of the data that handlers send, and of a service that they use. */
const withoutHandlers = new Set(['events.ts', 'payments.ts', 'schemas.ts'])

test('the modules with handlers of routes, jobs and hooks have at most 300 lines of code', () => {
  const modules = readdirSync(new URL('app/', root)).filter((name) => !withoutHandlers.has(name))
  const lines = modules.reduce((sum, name) => sum + codeLines(textOf(`app/${name}`)), 0)
  assert.ok(lines <= 300, `they have ${lines}`)
})

test('what the README says of a file is in that file', () => {
  const rows = [...textOf('README.md').matchAll(/^\| (\d+) \| [^|]+ \| (.+) \|$/gm)]
  assert.deepEqual(
    rows.map(([, number]) => Number(number)),
    Array.from({ length: 12 }, (_, index) => index + 1),
  )
  for (const [, number, places = ''] of rows)
    for (const place of places.split('; ')) {
      const [path = '', ...words] = [...place.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
      assert.ok(words.length > 0, `row ${number}: ${place}`)
      const text = textOf(path)
      for (const word of words) assert.ok(text.includes(word), `row ${number}: ${path} does not have ${word}`)
    }
})
