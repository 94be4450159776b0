import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeFolder } from './make-folder.js'

test('a folder is created with those above it, once', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'make-folder-'))
  t.after(() => rmSync(root, { recursive: true }))
  const path = join(root, 'a/b/c')
  makeFolder(path, 0o700)
  makeFolder(path, 0o755)
  assert.equal(statSync(path).mode & 0o777, 0o700)
  assert.ok(statSync(join(root, 'a/b')).isDirectory())
  writeFileSync(join(root, 'file'), '')
  assert.throws(() => makeFolder(join(root, 'file')), { code: 'EEXIST' })
  assert.throws(() => makeFolder(join(root, 'file/below')), { code: 'ENOTDIR' })
})

test(
  'where the file system has no folders of others, the error is that of the file system',
  { skip: process.platform !== 'linux' && 'there is no /proc' },
  () => assert.throws(() => makeFolder('/proc/shop/data'), { code: 'ENOENT' }),
)
