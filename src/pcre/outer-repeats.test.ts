import assert from 'node:assert/strict'
import { test } from 'node:test'
import { argumentPattern, lowerPattern, translateLowered, withoutOuterRepeats } from './pattern.js'
import { growthOf } from './safety.js'

const patterns = [
  '.*\\S.*',
  '.*?x.*',
  '\\w*^x.*',
  'x.*$',
  '.*',
  '.*.*',
  '.+x',
  '.{0,2}x',
  '.*(?<=a)b',
  '(.*)x\\1',
  'a|.*b',
]
const texts = ['', ' ', 'x', ' x', 'x ', '\n x\n', 'abx', 'b', 'ab', '\u00a0', '12x', 'xx']

for (const pattern of patterns)
  test(`${pattern} matches the same texts without its outer repeats`, () => {
    const lowered = lowerPattern(pattern, argumentPattern)
    const [whole, shortened] = [lowered, withoutOuterRepeats(lowered)].map(translateLowered)
    for (const text of texts) assert.equal(shortened?.matches(text), whole?.matches(text), JSON.stringify(text))
  })

test('without its outer repeats, the time of a pattern grows less', () => {
  const lowered = lowerPattern('.*\\S.*', argumentPattern)
  assert.ok(growthOf(lowered).degree > 1)
  assert.equal(growthOf(withoutOuterRepeats(lowered)).degree, 1)
})
