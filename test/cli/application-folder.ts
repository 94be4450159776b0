import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { emptyFolder, type Finished } from './command-line.js'

export const cwd = emptyFolder()

/** A folder with these files. */
export function application(files: Readonly<Record<string, string>>): string {
  const folder = emptyFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** An error is one message without a stack trace, with a code of docs/errors.md unless the command line cannot be parsed. */
export function assertReadable({ stderr }: Finished, expected: RegExp): void {
  assert.match(stderr, expected)
  if (!stderr.includes('--help') && !stderr.startsWith('Usage:')) assert.match(stderr, /\[[a-z_-]+\]$|#[a-z-]+$/m)
  assert.doesNotMatch(stderr, /^\s+at .+:\d+:\d+/m, 'no stack trace')
  assert.doesNotMatch(stderr, /\x1b/, 'no colours in a pipe')
}

export const handler = (declaration: string, body = '') => `
  import { AsRestRoute, RestResponse, currentUserCan } from 'as-rest-route'
  export class Api {
    @AsRestRoute(${declaration})
    read() { return new RestResponse(null) }
    ${body}
  }`
