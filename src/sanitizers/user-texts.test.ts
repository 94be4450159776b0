import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storedApplicationName, storedDescription, storedEmail, storedName, storedUserUrl } from './user-texts.js'

/** As WordPress stores them, but for the `&` of an address. */
const texts: [clean: (text: string) => string, text: string, stored: string][] = [
  [storedApplicationName, ' a <b>b</b>\n "c" o\'d \\e ', 'a b "c" o\'d \\e'],
  [storedApplicationName, 'x\0', 'x\0'],
  [storedApplicationName, 'a%41b', 'ab'],
  [storedName, 'A & B <i>c</i> &amp; "d"', 'A &amp; B c &amp; "d"'],
  [storedName, '1 < 2 > 0', '1  0'],
  [
    storedDescription,
    '<p>a</p> <strong>b</strong>\n<a href="https://shop.example" onclick="x">c</a>',
    'a <strong>b</strong>\n<a href="https://shop.example">c</a>',
  ],
  [storedDescription, '<a href=x rel=me target=_blank class=c>', '<a href="x" rel="me" target="_blank">'],
  [storedEmail, "o'neil@shop.example", "o'neil@shop.example"],
  [storedEmail, 'a&b@shop.example', 'a&b@shop.example'],
  [storedEmail, 'a\0b@shop.example', 'a0b@shop.example'],
  [storedUserUrl, 'shop.example/?a=1&b=2', 'http://shop.example/?a=1&amp;b=2'],
  [storedUserUrl, 'javascript:alert(1)', ''],
]
for (const [clean, text, stored] of texts)
  test(`${clean.name} of ${JSON.stringify(text)} is ${JSON.stringify(stored)}`, () => assert.equal(clean(text), stored))
