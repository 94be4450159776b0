import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import type { DiagnosticCode } from 'as-rest-route'
import { diagnosticText } from '../../src/app/startup-error.js'
import { startupErrors, type ErrorEntry } from '../../src/base/startup-errors.js'
import { startupExamples } from './startup-examples.js'

// docs/errors.md is generated: `UPDATE_SNAPSHOTS=1 node scripts/test.mjs test/errors` writes it anew.

const file = new URL('../../docs/errors.md', import.meta.url)

const introduction = `# Errors

Each error has a code, which does not change; its text may be reworded. This page is generated from the tables that the compiler
checks the codes against.

A service does not start while a declaration or an option is wrong. \`as-rest-route check\` and the \`StartupError\` of
\`boot\` list all diagnostics at once, each with file, line and code.`

const examples = await startupExamples()

function section(title: string, entries: readonly string[]): string {
  return [`## ${title}`, ...entries].join('\n\n')
}

function entry(code: string, { meaning, remedy }: ErrorEntry, example: string): string {
  return `### ${code}\n\n${meaning}\n\n\`\`\`text\n${example}\n\`\`\`\n\n${remedy}`
}

const startupSections = Object.entries<Record<string, ErrorEntry>>(startupErrors).map(([title, entries]) =>
  section(
    title,
    Object.entries(entries).map(([code, text]) => {
      const example = examples.get(code as DiagnosticCode)
      return entry(code, text, example ? diagnosticText(example) : '')
    }),
  ),
)

test('each code of a diagnostic is that of a service that does not start', () => {
  const codes = Object.values<Record<string, ErrorEntry>>(startupErrors).flatMap((entries) => Object.keys(entries))
  assert.deepEqual(
    codes.filter((code) => !examples.has(code as DiagnosticCode)),
    [],
  )
})

test('docs/errors.md has a heading for each code, with the meaning, an example and the remedy', () => {
  const document = `${[introduction, ...startupSections].join('\n\n')}\n`
  if (process.env['UPDATE_SNAPSHOTS'] === '1') writeFileSync(file, document)
  assert.equal(readFileSync(file, 'utf8'), document)
})
