import { cssFunctions, cssProperties, gradientProperties, urlProperties } from '../../src/sanitizers/css-properties.js'
import type { Random } from '../support/random.js'

/** Properties, functions and `url()` of which every version of WordPress since 6.1 says the same. */
const commonProperties = [
  [
    'color',
    'background',
    'background-image',
    'background-color',
    'width',
    'margin',
    'margin-top',
    'font-size',
    'float',
  ],
  ['border', 'list-style-image', 'cursor', 'height', 'min-height', 'gap', 'text-align', 'padding-left', 'flex-basis'],
  ['border-radius', 'direction', 'clear', 'vertical-align', 'font-family', 'grid-template-columns', 'foo', '-moz-x'],
].flat()
const commonValues = [
  ['red', '10px', '-1', '1/2', 'none', '!important', '%', '<', '>', '=', '(', ')', '{', '}', 'a:b', '"a;b"', '&quot;'],
  ['calc(1px + 2px)', 'calc(1 + (2 * 3))', 'calc(', 'var(--a)', 'var(--a, 3px)', 'min(1px,2px)', 'clamp(1px,2px,3px)'],
  ['minmax(1px,1fr)', 'expression(1)', 'rgb(1,2,3)', 'hsl(1,2%,3%)', '\\65', 'a\\b', '/*x*/', ''],
  ['url(http://x/y.png)', 'url("http://x")', "url('a.png')", 'url(javascript:x)', 'url(', 'url()'],
].flat()

const allProperties = [...cssProperties]
const placesOfUrls = [...urlProperties]
const placesOfGradients = [...gradientProperties]
const customProperties = ['--x', '--my-size', '--A_1', '--', '--a b', '--é', '-x', '--*']
const unknownProperties = [
  'behavior',
  'src',
  'COLOR',
  'foo',
  '-moz-binding',
  'color color',
  'colo\\r',
  '',
  '0',
  'mask-image',
]
const functions = [...cssFunctions]
const unknownFunctions = [
  'expression',
  'rgb',
  'rgba',
  'hsl',
  'blur',
  'attr',
  'env',
  'image-set',
  'CALC',
  'xcalc',
  'calc2',
  '',
]
const prefixedFunctions = ['-webkit-calc', 'a-min', '_max', 'é-path', 'épath', '1rect', '.var', '*scale', '%translate']
const gradients = ['linear', 'radial', 'conic'].flatMap((kind) => [`${kind}-gradient`, `repeating-${kind}-gradient`])
const units = [
  '0',
  '1px',
  '50%',
  '-1.5em',
  'red',
  '#fff',
  'auto',
  'none',
  '1fr',
  'a',
  'no-repeat',
  'center',
  '/',
  'initial',
]
const dangers = [
  [
    '\\',
    '&',
    '=',
    '}',
    '{',
    '(',
    ')',
    '/*',
    '*/',
    '/* x */',
    '\\65',
    '\\0',
    '\\00',
    '\\\\0',
    '&quot;',
    '&#40;',
    '<',
    '>',
  ],
  [
    '"',
    "'",
    '!important',
    '@',
    '%',
    ':',
    ',',
    '+',
    '*',
    '\n',
    '\t',
    '\r\n',
    '\0',
    '\f',
    '\v',
    '\x01',
    '\u00a0',
    'é',
    '🙂',
  ],
  ['--a', '-gradient(', 'url(', 'var(', 'url()', 'calc()', '()', '(())', '--:', 'progid:x', 'javascript:x'],
].flat()
const addresses = [
  [
    'a.png',
    'http://x/y.png',
    'https://x',
    '//x/y',
    '/a',
    '#m',
    'javascript:x',
    'JaVaScript:x',
    'data:image/png;base64,x',
  ],
  [
    'java\\script:x',
    'java&#115;cript:x',
    'a:b',
    '',
    ' ',
    '0',
    'a b',
    'x?a=1&b=2',
    'mailto:a',
    "a'b",
    'url(a',
    'a"',
    'a\\',
  ],
  [
    'feed:http://x',
    'feed:javascript:x',
    'http&#58;//x',
    'a(b',
    '&colon;',
    'HTTP://X',
    'ftp://x',
    '\0x',
    '\\0javascript:x',
  ],
].flat()

/** The value of an attribute `style`. @param isReference whether the installed WordPress is compared in everything. */
export function styleOf(random: Random, isReference: boolean): string {
  const declaration = isReference ? declarationOf : commonDeclaration
  const text = Array.from({ length: random.integer(1, 3) }, () => declaration(random)).join(
    random.pick([';', ';', '; ', ';;', ' ; ', ';\n']),
  )
  return text + random.pick(['', '', '', ';', ' ', '; '])
}

function commonDeclaration(random: Random): string {
  const name = random.pick(commonProperties)
  const values = Array.from({ length: random.integer(1, 3) }, () => random.pick(commonValues))
  const spelled = random.chance(0.5) ? name : ` ${name.toUpperCase()}`
  return `${spelled}${random.pick([':', ' : ', ':  ', ''])}${values.join(random.pick([' ', ',', '']))}`
}

function declarationOf(random: Random): string {
  const name = random.choose<string>([
    [4, () => random.pick(placesOfUrls)],
    [4, () => random.pick(placesOfGradients)],
    [4, () => random.pick(allProperties)],
    [3, () => random.pick(customProperties)],
    [1, () => random.pick(unknownProperties)],
  ])
  const length = random.integer(1, 3)
  const values = Array.from({ length }, () => valueOf(random, 3))
  return `${name}${random.pick([':', ':', ':', ': ', ' : ', '::', ':\n', ''])}${values.join(random.pick([' ', ', ', ',', '', '/']))}`
}

function valueOf(random: Random, depth: number): string {
  return random.choose<string>([
    [5, () => random.pick(units)],
    [depth > 0 ? 4 : 0, () => functionOf(random, depth)],
    [4, () => urlOf(random)],
    [depth > 0 ? 3 : 0, () => gradientOf(random, depth)],
    [1.5, () => random.pick(dangers)],
  ])
}

function functionOf(random: Random, depth: number): string {
  const name = random.choose<string>([
    [8, () => random.pick(functions)],
    [1, () => random.pick(unknownFunctions)],
    [1, () => random.pick(prefixedFunctions)],
  ])
  return called(random, name, depth)
}

/** A call, now and then without its closing bracket, or with one too many. */
function called(random: Random, name: string, depth: number): string {
  const values = Array.from({ length: random.integer(0, 3) }, () => valueOf(random, depth - 1))
  const space = random.pick(['', '', '', '', ' '])
  return `${name}${space}(${values.join(random.pick([', ', ',', ' ', ' + ']))}${random.pick([')', ')', ')', ')', ')', ')', ')', '', '))'])}`
}

function urlOf(random: Random): string {
  const quote = random.pick(['', '', '"', "'"])
  const end = random.chance(0.9) ? quote : ''
  const space = random.pick(['', '', '', ' ', '\t'])
  const name = random.pick(['url', 'url', 'url', 'url', 'URL', 'xurl', '-url', 'url '])
  return `${name}(${space}${quote}${random.pick(addresses)}${end}${space}${random.pick([')', ')', ')', ')', ''])}`
}

function gradientOf(random: Random, depth: number): string {
  const name = random.pick(gradients)
  const color = (): string =>
    random.pick(['red', 'rgb(1,2,3)', 'hsl(0 0% 0%)', 'var(--a)', 'red 10%', '#fff 1px 2px', 'rgb((1))', 'url(a)'])
  if (random.chance(0.3)) return called(random, random.pick([name, name, name.toUpperCase(), `-webkit-${name}`]), depth)
  return `${name}(${Array.from({ length: random.integer(1, 3) }, color).join(', ')})`
}
