// Reports what a person wants to know of a long test run: each failure with its place and trace, each skip with its
// reason, what tests print with `context.diagnostic`, and one closing line. In CI, also the slowest files.
import { relative } from 'node:path'
import { inspect } from 'node:util'

export default async function* report(events) {
  let passed = 0
  let failed = 0
  const skipped = new Map()
  /** Milliseconds by file. */
  const durations = new Map()
  /** The suites around what runs, by file. */
  const suites = new Map()
  for await (const { type, data } of events) {
    if (type === 'test:stderr') yield data.message
    // The runner's own figures have no file.
    if (type === 'test:diagnostic' && data.file) yield `${data.message}\n`
    if (type === 'test:start')
      suites.set(data.file, [...(suites.get(data.file) ?? []).slice(0, data.nesting), data.name])
    if (type !== 'test:pass' && type !== 'test:fail') continue
    if (data.nesting === 0 && data.file)
      durations.set(data.file, (durations.get(data.file) ?? 0) + data.details.duration_ms)
    const reason = data.skip ?? data.todo
    // Of a suite that is skipped, none of its tests is reported; of one whose hook failed, none has the cause.
    if (data.details.type === 'suite' && reason === undefined && type === 'test:pass') continue
    if (reason !== undefined) {
      const text = typeof reason === 'string' && reason !== '' ? reason : 'without a reason'
      skipped.set(text, (skipped.get(text) ?? 0) + 1)
    } else if (type === 'test:pass') passed += 1
    else {
      // A test fails because one inside it did: that one has said so.
      if (data.details.error?.failureType === 'subtestsFailed') continue
      failed += 1
      const names = [...(suites.get(data.file) ?? []).slice(0, data.nesting), data.name]
      yield `FAILED ${names.join(' > ')}\n  ${data.file ? `${relative(process.cwd(), data.file)}:${data.line}\n` : ''}${traceOf(data.details.error)}\n`
    }
  }
  let count = 0
  for (const [reason, times] of skipped) {
    count += times
    yield `skipped ${times}: ${reason}\n`
  }
  if (process.env.CI) yield* slowest(durations)
  yield `\n${passed} passed, ${failed} failed${count > 0 ? `, ${count} skipped` : ''}\n`
}

/** The files that a whole run waits for longest. */
function* slowest(durations) {
  const sorted = [...durations].sort(([, one], [, other]) => other - one).slice(0, 15)
  for (const [file, duration] of sorted)
    yield `${(duration / 1000).toFixed(0).padStart(5)} s ${relative(process.cwd(), file)}\n`
}

function traceOf(error) {
  const cause = error?.cause ?? error
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : inspect(cause)
  return text.replace(/^/gm, '  ')
}
