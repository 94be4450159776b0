import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchTerms } from './search-terms.js'

const searches: [search: string, include: string[], exclude: string[]][] = [
  ['garden lamp', ['garden', 'lamp'], []],
  ['garden,lamp+red', ['garden', 'lamp', 'red'], []],
  ['"garden lamp" red', ['garden lamp', 'red'], []],
  ['" garden lamp "', [' garden lamp '], []],
  ['"garden lamp', ['garden lamp'], []],
  ['lamp -garden', ['lamp'], ['garden']],
  ['-"garden', ['garden'], []],
  ['the lamp of a garden', ['lamp', 'garden'], []],
  ['the', ['the'], []],
  ['a', ['a'], []],
  ['5 lamps', ['5', 'lamps'], []],
  ['lam\np', ['lamp'], []],
  ['one two three four five six seven eight nine', 'one two three four five six seven eight nine'.split(' '), []],
  ['1 two three four five six seven eight nine ten', ['1 two three four five six seven eight nine ten'], []],
  ["'lamp'", ['lamp'], []],
]
for (const [search, include, exclude] of searches)
  test(`the search ${JSON.stringify(search)} is for ${[...include, ...exclude.map((word) => `not ${word}`)].join(', ')}`, () => {
    assert.deepEqual(searchTerms(search), { include, exclude })
  })
