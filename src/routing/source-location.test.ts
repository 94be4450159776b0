import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceLocationOf } from './source-location.js'

const packageFrame = '    at AsRestRoute (file:///app/node_modules/as-rest-route/dist/index.js:5:3)'
const helperFrame = '    at _ts_decorate (file:///app/api.js:2:9)'
const sourceFrame = '    at file:///app/api.js:7:4'

const stacks: [description: string, stack: unknown, line: number | null][] = [
  ['the frame behind the one of this package', ['Error', packageFrame, sourceFrame].join('\n'), 7],
  [
    'the frame behind the one of this package, which a bundler has renamed',
    ['Error', packageFrame.replace('Route', 'Route2'), sourceFrame].join('\n'),
    7,
  ],
  ['the first frame when the one of this package is missing', ['Error', sourceFrame].join('\n'), 7],
  [
    'the frame of a helper of the compiler that has a file',
    ['Error', packageFrame, helperFrame, sourceFrame].join('\n'),
    2,
  ],
  ['null for a stack without frames, as with a limit of 0', 'Error', null],
  ['null for a stack that is not a text', [{}, {}], null],
  ['null without a stack', undefined, null],
]
for (const [description, stack, line] of stacks)
  test(`the location of a declaration is ${description}`, () =>
    assert.equal(sourceLocationOf({ stack })?.line ?? null, line))
