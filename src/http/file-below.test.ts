import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSafeOn } from './file-below.js'

for (const name of ['con', 'CON.png', 'nul', 'Aux.tar.gz', 'com1.png', 'LPT9', 'COM².txt', 'prn ', 'conin$'])
  test(`'${name}' is a device on Windows, and a file elsewhere`, () => {
    assert.deepEqual([isSafeOn('win32', name), isSafeOn('linux', name)], [false, true])
  })

for (const name of ['console.png', 'icon.png', 'com.png', 'com10.png', 'null', 'a.con'])
  test(`'${name}' is a file on every system`, () => {
    assert.deepEqual([isSafeOn('win32', name), isSafeOn('linux', name)], [true, true])
  })
