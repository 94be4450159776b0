import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { root } from '../places.js'
import { chartOf } from './chart.js'
import { documentPaths, documentsOf } from './documents.js'
import type { Report } from './report.js'
import { highlightedRows } from './highlighted-rows.js'

const contentOf = (path: string) => readFileSync(root + path, 'utf8')
const report = JSON.parse(contentOf('docs/performance.json')) as Report

for (const path of documentPaths) {
  test(`${path} shows the figures of docs/performance.json`, () => {
    assert.equal(contentOf(path), documentsOf(report)[path], 'npm run bench -- --from docs/performance.json --write')
  })
}

test('the documented run is a whole one', () => {
  assert.equal(report.machine['quick'], false)
  assert.deepEqual(
    highlightedRows(report).map(({ id }) => id),
    ['list', 'cached-list', 'password', 'post-full'],
  )
})

test('the picture is small and draws every server of its rows', () => {
  const picture = chartOf(report)
  assert.ok(Buffer.byteLength(picture) <= 20_000)
  const bars = highlightedRows(report).flatMap(({ servers }) => Object.keys(servers))
  assert.equal(picture.match(/<rect/g)?.length, bars.length)
})

test('docs/scaling.md counts with the figures of docs/performance.json', () => {
  const scaling = contentOf('docs/scaling.md')
  const ids = {
    'list of 10, rows unchanged': 'list',
    'list of 10, 100 writes a second to products': 'written-list',
    'one product': 'product',
    'application password + capability': 'password',
    'cookie + nonce + capability': 'cookie',
    'POST product': 'post',
  }
  const processors = (number: number): string => number.toFixed(number < 10 ? 1 : 0)
  for (const [name, id] of Object.entries(ids)) {
    const figures = report.databases?.postgres?.rows.find((row) => row.id === id)?.services['as-rest-route']
    const { perCpuSecond = 0, databaseMicroseconds = 0 } = figures ?? {}
    const cells = [
      name,
      Math.round(perCpuSecond).toLocaleString('en-US'),
      String(Number(databaseMicroseconds.toPrecision(3))),
      `${processors(100_000 / perCpuSecond)}, ${processors(databaseMicroseconds / 10)}`,
    ]
    assert.ok(scaling.includes(`| ${cells.join(' | ')} |\n`), cells.join(' | '))
  }
})
