import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cssFunctions, cssProperties } from './css-properties.js'
import { filterStyle } from './style.js'

/** Declarations that stay as they are. */
const allowed = [
  'color:red',
  'font-family:"A b"',
  '--my-size:1px',
  'width:calc(100% - (2 * var(--x)))',
  'width:-webkit-calc(1px)',
  'transform:translateX(10px) rotate(45deg) scale3d(1, 2, 3)',
  'clip-path:polygon(50% 0, 100% 100%, 0 100%)',
  'clip-path:path("M0 0 L1=1")',
  'background:url(http://x/y.png) red',
  'background:url(a.png), url( "b.png" ), url(\'c.png\')',
  'background:url(url(a))',
  'background:url(url(a), url(a)',
  'background:calc(url(a) + url(b url(a)))',
  'background:url(a), url(b url(a) c), url(b  c)',
  'background:ururl(a)l(b), url(b)',
  'mask:url(#m)',
  'fill:url("#a")',
  'marker-end:url(#a) url(#b)',
  'cursor:url(a.cur) 2 2, url(b.cur), auto',
  '--x:url(a.png) no-repeat',
  '--*:1px',
  'background:var(--y, url())',
  'background:linear-gradient(90deg, rgba(0,0,0,.5) 0%, red)',
  'background:linear-gradient(red, hsl(0 0% 0%)), repeating-conic-gradient(red, blue)',
  'background:radial-gradient(circle at var(--x), red) no-repeat center / cover',
  'background-image:url(a.png), linear-gradient(red, blue), url(b.png), radial-gradient(red, blue)',
  'background:linear-gradient(url(a.png), red)',
  '--g:1px linear-gradient(red, rgb(1 2 3))',
  'text without a colon',
]

/** Declarations that are removed. */
const removed = [
  'COLOR:red',
  'behavior:url(x)',
  '--a b:1px',
  '--*:url(a.png)',
  'color:expression(alert(1))',
  'width:CALC(1px)',
  'width:xcalc(1px)',
  'width:calc(1',
  'width:calc(1px) blur(2px)',
  'color:red/* x */',
  'color:/calc(1)* x',
  'color:r\\65 d',
  'color:a=b',
  'color:a&b',
  'color:a}b',
  'color:url(a.png)',
  '--x:1px url(a.png)',
  'background:url()',
  'background:url( )',
  'background:url("")',
  'background:url(0)',
  'background:url(a.png',
  'background:url(a), url(url(a)',
  'background:url(a), url(b url(a), url(b url(a)',
  `background:url(a), url(${'b'.repeat(600)} url(a)`,
  "background:url('javascript:x')",
  'background:url(a.png), url(javascript:x)',
  'background:linear-gradient(url(javascript:x), red)',
  'background:linear-gradient(calc(1px + (2px)), red)',
  'background:linear-gradient(red',
  'background:linear-gradient(red), blur(2px)',
  'color:linear-gradient(red, blue)',
  'text(without a colon',
]

test('a declaration stays when its property, URLs, gradients and functions are allowed', () => {
  for (const declaration of allowed) assert.equal(filterStyle(declaration), declaration)
  for (const declaration of removed) assert.equal(filterStyle(declaration), '', declaration)
})

test('all 36 functions are allowed, with balanced brackets inside', () => {
  assert.equal(cssFunctions.size, 36)
  for (const name of cssFunctions) {
    assert.equal(filterStyle(`width:${name}(a(b)=c)`), `width:${name}(a(b)=c)`)
    assert.equal(filterStyle(`width:x${name}(a)`), '')
  }
})

/** The properties whose values may have `url()` in WordPress 7.1. Those of the first line may have gradients too. */
const withUrls = [
  'background background-image',
  'cursor filter clip-path fill marker marker-end marker-mid marker-start mask stroke',
]

test('of 185 properties 12 may have `url()`, and two of them gradients', () => {
  assert.equal(cssProperties.size, 185)
  const [both = [], urls = []] = withUrls.map((line) => line.split(' '))
  for (const property of cssProperties) {
    const allows = (value: string) => filterStyle(`${property}:${value}`) === `${property}:${value}`
    assert.equal(allows('red'), true, property)
    assert.equal(allows('url(a.png)'), both.includes(property) || urls.includes(property), property)
    assert.equal(allows('linear-gradient(red, blue)'), both.includes(property), property)
  }
  // WordPress names them among the properties with URLs only, and so removes them.
  for (const property of ['list-style', 'list-style-image'])
    for (const value of ['none', 'url(a.png)']) assert.equal(filterStyle(`${property}:${value}`), '')
})

test('a removed declaration leaves the others', () => {
  assert.equal(filterStyle('color: red;; position:fixed; '), 'color: red;position:fixed')
  assert.equal(filterStyle('color: red; ; position:fixed;'), 'color: red;;position:fixed')
  assert.equal(filterStyle('color: red; mask:url(javascript:x); top: 0'), 'color: red;top: 0')
  assert.equal(filterStyle('color:\nre\td'), 'color:red')
})

test('styles of a megabyte are filtered, whatever they repeat or leave open', () => {
  const value = (piece: string) => piece.repeat(1_000_000 / piece.length)
  const unclosed = [
    'url(', 'url(a', 'calc(', 'calc((', '(', 'min(', 'min(a', 'translate3d(', 'linear-gradient(', 'linear-gradient(a ',
    'linear-gradient(a(b)', 'linear-gradient((', '-gradient(', 'url() ', 'a(',
  ] // prettier-ignore
  for (const property of ['background', '--x'])
    for (const piece of unclosed) assert.equal(filterStyle(`${property}:${value(piece)};color:red`), 'color:red', piece)

  const closed = [
    'url(a)',
    'calc(1)',
    'min(a(b))',
    'linear-gradient(a(b))',
    'linear-gradient(a)url(b)',
    ')',
    'a',
    'repeating-',
    'translate3d',
  ]
  for (const piece of closed) {
    const style = `background:${value(piece)}`
    assert.equal(filterStyle(style), style, piece)
  }
  const different = (prefix: string) =>
    `background:${Array.from({ length: 100_000 }, (_, index) => `${prefix}url(${index + 1})`).join('')};color:red`
  assert.ok(filterStyle(different('')) === different(''))
  assert.ok(filterStyle(different('url(a ')) === 'color:red')
  const nested = `width:${'calc('.repeat(200_000)}${')'.repeat(200_000)}`
  assert.equal(filterStyle(nested), nested)
})
