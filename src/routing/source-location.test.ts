import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorLocationOf } from './source-location.js'

const errorWith = (...frames: readonly string[]): Error =>
  Object.assign(new TypeError('x'), { stack: ['TypeError: x', ...frames.map((frame) => `    at ${frame}`)].join('\n') })

test('an error of a package is placed where the application called it', () => {
  const error = errorWith(
    'requireKnownFields (file:///shop/node_modules/as-rest-route/dist/chunk-2BFZOP47.js:1303:11)',
    'async BooksApi.add (file:///shop/app/books.ts?v=2:8:20)',
    'async file:///shop/node_modules/as-rest-route/dist/chunk-2BFZOP47.js:44:1',
  )
  assert.deepEqual(errorLocationOf(error), { file: '/shop/app/books.ts', line: 8 })
})

test('an error that only packages have caused is placed in the one that threw it', () => {
  const error = errorWith('read (C:\\shop\\node_modules\\pool\\index.js:5:3)', 'node:internal/timers:1:1')
  assert.deepEqual(errorLocationOf(error), { file: 'C:\\shop\\node_modules\\pool\\index.js', line: 5 })
})

test('an error that only this package has found, such as in a body after its handler has returned, has no place', () => {
  const error = errorWith(
    'unwritable (file:///shop/node_modules/as-rest-route/dist/chunk-4T6YPNAZ.js:2211:10)',
    'Writer.write (/shop/node_modules/.pnpm/as-rest-route@1.0.0/node_modules/as-rest-route/src/pipeline/shape.ts:9:1)',
    'process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
  )
  assert.equal(errorLocationOf(error), null)
})
