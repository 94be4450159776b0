import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceLocationOf } from './source-location.js'

const own = '    at AsRestRoute (file:///app/node_modules/as-rest-route/dist/index.js:5:3)'
const helper = '    at _ts_decorate (file:///app/api.js:2:9)'
const written = '    at file:///app/api.js:7:4'

const stacks: [what: string, stack: unknown, line: number | null][] = [
  ['the frame behind the own one', ['Error', own, written].join('\n'), 7],
  [
    'the own one under the name that a compiler gave it',
    ['Error', own.replace('Route', 'Route2'), written].join('\n'),
    7,
  ],
  ['the first frame where the own one was left out', ['Error', written].join('\n'), 7],
  ['a helper that has a file, as before', ['Error', own, helper, written].join('\n'), 2],
  ['none without frames, as with a limit of 0', 'Error', null],
  ['none where a stack is no text', [{}, {}], null],
  ['none without a stack', undefined, null],
]
for (const [what, stack, line] of stacks)
  test(`the place of a declaration is ${what}`, () => assert.equal(sourceLocationOf({ stack })?.line ?? null, line))
