// Runs the test files given as arguments with Node's own runner, in the given order: `node --test` sorts them by name.
import { availableParallelism } from 'node:os'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import report from './reporter.mjs'

// One more than there are processors: many tests wait for servers and clocks.
const events = run({ files: process.argv.slice(2), concurrency: availableParallelism() + 1 })
events.on('test:fail', ({ todo }) => {
  if (todo === undefined || todo === false) process.exitCode = 1
})
await pipeline(events.compose(report), process.stdout, { end: false })
