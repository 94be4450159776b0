import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { HasherBusyError, SeedError, StartupError, StorageError, UndeclaredNameError } from 'as-rest-route'
import { diagnosticText } from '../../src/app/startup-error.js'
import type { ErrorEntry } from '../../src/base/error-entry.js'
import { commandErrors } from '../../src/cli/command-errors.js'
import { loggedErrors, type LoggedErrorCode } from '../../src/log/logged-errors.js'
import { responseErrors } from '../../src/base/response-errors.js'
import { startupErrors } from '../../src/base/startup-errors.js'
import { thrownErrors } from '../../src/base/thrown-errors.js'
import { responseExamples } from './response-examples.js'
import { startupExamples } from './startup-examples.js'

// docs/errors.md is generated: `UPDATE_SNAPSHOTS=1 node scripts/test.mjs test/errors` writes it anew.

const file = new URL('../../docs/errors.md', import.meta.url)

const introduction = `# Errors

Each error has a code, which does not change; its message may be reworded. This page is generated from the tables that the
compiler checks the codes against, with messages of services that were started for it.

- A service does not start while a declaration or an option is wrong. \`as-rest-route check\` and the \`StartupError\` of
  \`boot\` list all diagnostics at once, each with file, line and code: [declarations](#declarations),
  [handlers](#handlers), [permissions](#permissions), [conflicting routes](#conflicting-routes), [arguments](#arguments),
  [modules and classes](#modules-and-classes), [dependencies](#dependencies), [options](#options),
  [record types and roles](#record-types-and-roles).
- A response with an error has the code in its body, \`{"code", "message", "data"}\`: [requests](#requests),
  [problems of an argument](#problems-of-an-argument), [callers](#callers),
  [users and application passwords](#users-and-application-passwords), [records and terms](#records-and-terms),
  [the service](#the-service). Codes and messages that WordPress has are kept to the letter.
- An error of a class of this package has the property \`code\`: [thrown errors](#thrown-errors), or that of
  its response for \`RestError\`, \`RecordRejectedError\`, \`RecordConflictError\`, \`UserRejectedError\` and
  \`ApplicationPasswordRejectedError\`.
- A call that the program must be mended for, such as one with an argument of a wrong type or outside its range, throws a
  \`TypeError\`, \`RangeError\` or \`Error\` without a code: its message names the argument and what to write. Where a request makes
  such a call, its response and the line in the log have the code of an unexpected error.
- A line at \`warn\` or \`error\` in the log of a service has the field \`code\`: [log lines](#log-lines).
- A command that fails prints its message with the code in brackets: [command line](#command-line).`

type Sections = Readonly<
  Record<string, Readonly<Record<string, ErrorEntry & { readonly status?: string; readonly exitCode?: number }>>>
>

const entriesOf = (sections: Sections) => Object.values(sections).flatMap((entries) => Object.entries(entries))

const responses = await responseExamples()
// After the others, since it ends with a second copy of the package in this process.
const startup = new Map<string, string>(
  [...(await startupExamples())].map(([code, diagnostic]) => [code, diagnosticText(diagnostic)]),
)

function sectionTexts(sections: Sections, exampleOf: (code: string) => string | null): string[] {
  return Object.entries(sections).map(([title, entries]) =>
    [
      `## ${title}`,
      ...Object.entries(entries).map(([code, { status, exitCode, meaning, remedy }]) =>
        [
          `### ${code}`,
          `${status === undefined ? '' : `Status ${status}. `}${exitCode === undefined ? '' : `Exit code ${exitCode}. `}${meaning}`,
          ...exampleTexts(exampleOf(code)),
          remedy,
        ].join('\n\n'),
      ),
    ].join('\n\n'),
  )
}

function exampleTexts(example: string | null): string[] {
  return example === null ? [] : [`\`\`\`text\n${example}\n\`\`\``]
}

test('a service is refused with each code of a diagnostic', () => {
  assert.deepEqual(
    [...startup.keys()].sort(),
    entriesOf(startupErrors)
      .map(([code]) => code)
      .sort(),
  )
})

test('a service answers with each code of a response, and with the status of its entry', () => {
  assert.deepEqual(
    [...responses.keys()].sort(),
    entriesOf(responseErrors)
      .map(([code]) => code)
      .sort(),
  )
  for (const [code, { status }] of entriesOf(responseErrors)) {
    const example = responses.get(code as never)?.status
    assert.equal(status === undefined, example === undefined, code)
    assert.ok(status === undefined || status.split(' or ').includes(String(example)), `${code}: ${example}`)
  }
})

test('each code of a thrown error is that of a class', async () => {
  const faults = [
    'busy',
    'full',
    'read-only',
    'constraint',
    'incompatible',
    'unavailable',
    'transaction',
    'failed',
  ] as const
  const undeclared = [
    'undeclared-record-type',
    'undeclared-status',
    'undeclared-metadata',
    'undeclared-taxonomy',
    'undeclared-option',
    'undeclared-order',
  ] as const
  const thrown = [
    new StartupError([]),
    new SeedError(null, false),
    new HasherBusyError('Too many passwords.'),
    ...faults.map((fault) => new StorageError(fault, 'The database failed.')),
    ...undeclared.map((code) => new UndeclaredNameError(code, 'There is no such name', 'evnt', ['event'])),
  ]
  assert.deepEqual(
    thrown.map(({ code }) => code),
    entriesOf(thrownErrors).map(([code]) => code),
  )
})

test('each code that a source passes to an error of a response has an entry', () => {
  const codes = new Set(entriesOf(responseErrors).map(([code]) => code))
  const unlisted = [...sourcesBelow(fileURLToPath(new URL('../../src/', import.meta.url)))].flatMap((text) =>
    [...text.matchAll(/\b(?:RestError|RejectedError)\(\s*'(\w+)'/g)]
      .map(([, code = '']) => code)
      .filter((code) => !codes.has(code)),
  )
  assert.deepEqual(unlisted, [])
})

test('docs/errors.md has a heading for each code, with the meaning, an example and the remedy', () => {
  const document = [
    introduction,
    ...sectionTexts(startupErrors, (code) => startup.get(code) ?? ''),
    ...sectionTexts(responseErrors, (code) => responses.get(code as never)?.message ?? ''),
    ...sectionTexts(thrownErrors, () => null),
    ...sectionTexts(loggedErrors, (code) => exampleLine(code as LoggedErrorCode)),
    ...sectionTexts(commandErrors, () => null),
  ]
  const text = `${document.join('\n\n')}\n`
  if (process.env['UPDATE_SNAPSHOTS'] === '1') writeFileSync(file, text)
  assert.equal(readFileSync(file, 'utf8'), text)
})

function exampleLine(code: LoggedErrorCode): string {
  const { level, message } = loggedErrors['Log lines'][code]
  return JSON.stringify({ level, code, msg: message })
}

test('every line at warn and error has a code of the table', () => {
  const direct = [...sourcesBelow(fileURLToPath(new URL('../../src/', import.meta.url)))].flatMap((text) =>
    [...text.matchAll(/\blog\)?\.(?:warn|error)\((?!fields, message)/g)].map(([call]) => call),
  )
  assert.deepEqual(direct, [])
})

function* sourcesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* sourcesBelow(path)
    else if (entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts')) yield readFileSync(path, 'utf8')
  }
}
