import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { recordingsIn } from './recordings.js'

const root = mkdtempSync(join(tmpdir(), 'recordings-'))
after(() => rmSync(root, { recursive: true }))

const httpCases = { cases: [{ id: 'a', as: { kind: 'anonymous' }, method: 'GET', path: '/', expect: {} }] }
const vectors = { function: 'absint', cases: [{ id: 'a', args: [1], expect: 1 }] }
const files: readonly [path: string, content: object][] = [
  ['both/http/fixtures.json', {}],
  ['both/http/writes.json', httpCases],
  ['both/vectors/routes.json', vectors],
  ['both/vectors/functions/absint.json', vectors],
  ['bare/writes.json', httpCases],
  ['functions/functions/absint.json', vectors],
  ['nothing/deep/read.me', {}],
]
for (const [path, content] of files) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), JSON.stringify(content))
}

const folders: readonly [folder: string, recordings: readonly string[]][] = [
  ['both', ['http both/http', 'vectors both/vectors']],
  ['both/vectors/functions', ['vectors both/vectors/functions']],
  ['bare', ['http bare']],
  ['functions', ['vectors functions/functions']],
  ['nothing', []],
]
for (const [folder, recordings] of folders)
  test(`${folder} holds ${recordings.join(', ') || 'no recording'}`, () => {
    const shown = recordingsIn(join(root, folder)).map(
      (recording) => `${recording.kind} ${recording.folder.slice(root.length + 1)}`,
    )
    assert.deepEqual(shown, recordings)
  })
