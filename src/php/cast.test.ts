import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toBoolean, toFloat, toInteger, toText } from './cast.js'
import { floatText } from './float-text.js'
import { isNumeric } from './numeric-text.js'
import { phpTrim, trimCharacters } from './trim.js'

const twoTo63 = 9223372036854775808

test('toInteger casts values as PHP’s (int) does', () => {
  const pairs: [unknown, number][] = [
    ['5', 5],
    [' \n5abc', 5],
    ['-5.9', -5],
    ['1e2', 100],
    ['.5', 0],
    ['0x1A', 0],
    ['', 0],
    ['+3', 3],
    ['12 pieces', 12],
    ['1_000', 1],
    ['1\u00a0', 1],
    ['12.9e1.5', 129],
    ['--3', 0],
    ['-0', 0],
    ['99999999999999999999', twoTo63],
    ['-99999999999999999999', -twoTo63],
    ['1e1000', 0],
    [twoTo63, twoTo63],
    [-twoTo63, -twoTo63],
    [1e19, -8446744073709551616],
    [Infinity, 0],
    [NaN, 0],
    [-0.5, 0],
    [2.99, 2],
    [true, 1],
    [false, 0],
    [null, 0],
    [[], 0],
    [[0], 1],
    [{}, 0],
    [{ a: 0 }, 1],
  ]
  for (const [value, integer] of pairs) assert.strictEqual(toInteger(value), integer, JSON.stringify(value))
})

test('toFloat casts values as PHP’s (float) does', () => {
  const pairs: [unknown, number][] = [
    ['19.90', 19.9],
    [' 1e3x', 1000],
    ['1e', 1],
    ['1e400', Infinity],
    ['-0', -0],
    ['INF', 0],
    ['1,5', 1],
    [true, 1],
    [['x'], 1],
    [null, 0],
  ]
  for (const [value, float] of pairs) assert.strictEqual(toFloat(value), float, JSON.stringify(value))
})

test('toText casts values as PHP’s (string) does', () => {
  const pairs: [unknown, string][] = [
    [1, '1'],
    [1.5, '1.5'],
    [1 / 3, '0.33333333333333'],
    [1e21, '1.0E+21'],
    [1e25, '1.0E+25'],
    [2.5e-5, '2.5E-5'],
    [0.0001, '0.0001'],
    [0.00009, '9.0E-5'],
    [-19.99, '-19.99'],
    [0.1 + 0.2, '0.3'],
    [1234567890123.5, '1234567890123.5'],
    [12345678901234.5, '12345678901234'],
    [-0, '-0'],
    [Infinity, 'INF'],
    [NaN, 'NAN'],
    [9007199254740991, '9007199254740991'],
    [9007199254740992, '9007199254740992'],
    [-twoTo63, '-9223372036854775808'],
    [twoTo63, '9.2233720368548E+18'],
    [true, '1'],
    [false, ''],
    [null, ''],
    [undefined, ''],
    [[], 'Array'],
    [{ a: 1 }, 'Array'],
  ]
  for (const [value, text] of pairs) assert.equal(toText(value), text)
  assert.equal(floatText(0.1 + 0.2), '0.30000000000000004')
})

test('toBoolean casts values as PHP’s (bool) does', () => {
  for (const value of ['', '0', 0, -0, false, null, undefined, [], {}]) assert.equal(toBoolean(value), false)
  for (const value of ['0.0', '00', ' ', 'false', 1, NaN, true, [0], { a: null }]) assert.equal(toBoolean(value), true)
})

test('isNumeric accepts numbers and decimal text with white space around it', () => {
  for (const text of ['5', ' 5', '5 ', '5.', '.5', '-.5e-3', '\f1\v', '1e2']) assert.equal(isNumeric(text), true, text)
  for (const text of ['', ' ', '.', 'e5', '0x1', '1_000', 'NaN', '5 x', '٣', '5\0'])
    assert.equal(isNumeric(text), false, text)
  for (const value of [true, null, [], ['5']]) assert.equal(isNumeric(value), false)
  assert.equal(isNumeric(5.5), true)
})

test('a million digits or blanks are read in linear time', () => {
  for (const piece of ['1', ' ', '1.', '1e']) {
    const text = piece.repeat(1_000_000)
    isNumeric(`${text}x`)
    toInteger(`${text}x`)
    phpTrim(`x${text}x`)
  }
})

test('trimming removes only the characters that PHP’s trim removes', () => {
  assert.equal(phpTrim(' \t\n\r\0\x0Bx\f\u00a0 '), 'x\f\u00a0')
  assert.equal(trimCharacters('--a-b--', '-'), 'a-b')
})
