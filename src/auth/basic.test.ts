import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parseBasic } from './basic.js'

const base64 = (text: string) => Buffer.from(text).toString('base64')

const table: [header: string | undefined, username?: string, password?: string][] = [
  [`Basic ${base64('editor:abcd EFGH')}`, 'editor', 'abcd EFGH'],
  [`basic ${base64('editor:x')}`, 'editor', 'x'],
  [`BASIC ${base64('editor:x')}`, 'editor', 'x'],
  [`Basic ${base64('editor:x').replaceAll('=', '')}`, 'editor', 'x'],
  [`Basic ${base64('editor:x')}!!`, 'editor', 'x'],
  [`Basic ${base64('editor:a:b')}`, 'editor', 'a:b'],
  [`Basic ${base64(' editor:x')}`, ' editor', 'x'],
  [`Basic ${base64(':x')}`, '', 'x'],
  [`Basic ${base64('editor:')}`],
  [`Basic ${base64('editor:\0x')}`],
  [`Basic ${base64('editor:x\0y')}`, 'editor', 'x'],
  [`Basic ${base64('edi\0tor:x\0y:z')}`, 'edi\\0tor', 'x\\0y:z'],
  [`Basic ${base64('\0:x')}`, '\\0', 'x'],
  [`Basic ${base64('edi\0tor:x')}!!`],
  [`Basic ${base64('edi\0tor:')}`],
  [`Basic ${base64('editor\0')}`],
  [`Basic ${base64('no colon')}`],
  ['Basic'],
  ['Basic '],
  ['Basic !!!'],
  ['Bearer abc'],
  ['Digest username="x"'],
  [''],
  [undefined],
]
for (const [header, username, password] of table)
  test(`the header ${JSON.stringify(header)} ${username === undefined ? 'has no credentials' : `has the user name ${JSON.stringify(username)}`}`, () => {
    assert.deepEqual(parseBasic(header), username === undefined ? null : { username, password })
  })

test('every user name and password is parsed as it was encoded', () => {
  const part = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => !text.includes('\0') && text.isWellFormed())
  fc.assert(
    fc.property(
      part.filter((name) => !name.includes(':')),
      part,
      (username, password) => {
        assert.deepEqual(parseBasic(`Basic ${base64(`${username}:${password}`)}`), { username, password })
      },
    ),
  )
})
