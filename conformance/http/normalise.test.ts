import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalised } from './normalise.js'

const origin = 'http://127.0.0.1:4321'
const nonces = new Set(['0123456789'])
const saved = new Map([['pid', '31']])
const normalisedText = (text: string) =>
  normalised({ status: 200, headers: {}, setCookies: [], text }, origin, saved, nonces).text

const texts: [text: string, expected: string][] = [
  [`"${origin}/a"`, '"{base}/a"'],
  [`"${origin.replaceAll('/', '\\/')}\\/a"`, '"{base}\\/a"'],
  [encodeURIComponent(origin), '{base}'],
  ['"nonce":"0123456789"', '"nonce":"{nonce}"'],
  ['{"id":31,"n":31}', '{"id":"{{var:pid}}","n":31}'],
  ['{"id":310}', '{"id":310}'],
  ['?p=31&x=31', '?p={{var:pid}}&x=31'],
  ['?post_type=product&p=311', '?post_type=product&p=311'],
  ['/product/31/', '/product/{{var:pid}}/'],
  ['http://127.0.0.1:5555/a', 'http://127.0.0.1:5555/a'],
]
for (const [text, expected] of texts)
  test(`${text} becomes ${expected}`, () => assert.equal(normalisedText(text), expected))

test('any value of X-WP-Nonce becomes one placeholder, and a missing header stays missing', () => {
  const headers = { 'x-wp-nonce': 'abcdefabcd', link: `<${origin}/>` }
  const response = normalised({ status: 200, headers, setCookies: [], text: '' }, origin, saved, nonces)
  assert.deepEqual(response.headers, { 'x-wp-nonce': '{nonce}', link: '<{base}/>' })
})
