import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { durationClock } from './duration-clock.js'

const sources = fileURLToPath(new URL('../', import.meta.url))

/** Why each source that reads the wall clock needs the time of day. All others get a clock, or measure durations. */
const readers: Readonly<Record<string, string>> = {
  'app/companion-messages.ts': 'its messages have the time, which another machine compares with its own',
  'app/companion.ts': 'reports have the time of PHP, which is compared with that of this machine',
  'app/duration-clock.ts': 'it tells the wall clock from others',
  'app/resolve-options.ts': 'it is the default of the option clock',
  'app/test-service.ts': 'it is the time at which the clock of a test stands',
  'cli/jobs.ts': 'it tells when a job is due',
  'content/records.ts': 'it is the default of the clock of dates',
  'http/temporary-files.ts':
    'the files of processes that ended without removing them have the times of the file system',
  'server/connection/response-text.ts': 'the header Date',
}

test('no source measures a duration by the wall clock', () => {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  const wallClockReaders = files
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .filter((name) => /^(?!\s*(\/\/|\*|\/\*)).*\bDate\.now\b/m.test(readFileSync(sources + name, 'utf8')))
    .map((name) => name.replaceAll('\\', '/'))
  assert.deepEqual(wallClockReaders.toSorted(), Object.keys(readers))
})

test('a clock of the option measures durations itself, the default does not', (context) => {
  const clock = () => 5
  assert.equal(durationClock(clock), clock)
  context.mock.method(Date, 'now', () => -1)
  assert.ok(durationClock(Date.now)() >= 0)
})
