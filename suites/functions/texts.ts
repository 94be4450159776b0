import type { Random } from '../support/random.js'

const pieces = [
  ['a', 'B', 'z9', '0', '1', '00', '-1', '1e3', 'true', 'x.php', '.jpg', '.tar.gz', 'a=b', 'a@b.co'],
  ['<b>', '</b>', '<', '>', '<br/>', '</', '<script>', '</script>', '<style>', '<!--', '-->', '<a href="', '<![CDATA['],
  ['<p style="color:red">', '<img src=x onerror=y>', '<!-- wp:x {"a":"<b>"} -->', '<!-- /wp:x -->', '<?php', '?>'],
  [
    '&',
    '&amp;',
    '&lt;',
    '&#39;',
    '&#x27;',
    '&nbsp;',
    '&apos;',
    '&bogus;',
    '"',
    "'",
    '\\',
    '/',
    '..',
    '.',
    '-',
    '--',
    '_',
  ],
  [' ', '  ', '\t', '\n', '\r\n', '\u00a0', '\u2003', '\u3000', '\0', '\x01', '\x7f', '\x85', '\u200b', '\ufeff'],
  ['%', '%20', '%e9', '%zz', 'é', 'É', 'ß', 'ñ', '日本', '🙂', '\u0301', '—', '–', '‘', '”', '…', '×', '©', '½', '€'],
  [
    '#fff',
    '#abcdef',
    'http://',
    'https://x.y/',
    'javascript:',
    'JaVaScRiPt:',
    'java\nscript:',
    'mailto:',
    'data:',
    '//',
  ],
  [
    '?',
    '=',
    '[',
    ']',
    '{',
    '}',
    '(',
    ')',
    ';',
    ':',
    ',',
    '|',
    '^',
    '`',
    '~',
    '$',
    '@',
    '+',
    '*',
    '!',
    '127.0.0.1',
    '::1',
  ],
  ['550e8400-e29b-41d4-a716-446655440000', '2024-01-02', 'T10:00:00', 'Z', '+02:00'],
].flat()

/** Text of up to eight pieces, and sometimes of many, that functions for texts treat in different ways. */
export function textOf(random: Random): string {
  const length = random.chance(0.05) ? random.integer(30, 60) : random.integer(0, 8)
  return Array.from({ length }, () => random.pick(pieces)).join('')
}

/** Properties, functions and `url()` of which every version of WordPress since 6.1 says the same. */
const properties = [
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
const styleValues = [
  ['red', '10px', '-1', '1/2', 'none', '!important', '%', '<', '>', '=', '(', ')', '{', '}', 'a:b', '"a;b"', '&quot;'],
  ['calc(1px + 2px)', 'calc(1 + (2 * 3))', 'calc(', 'var(--a)', 'var(--a, 3px)', 'min(1px,2px)', 'clamp(1px,2px,3px)'],
  ['minmax(1px,1fr)', 'expression(1)', 'rgb(1,2,3)', 'hsl(1,2%,3%)', '\\65', 'a\\b', '/*x*/', ''],
  ['url(http://x/y.png)', 'url("http://x")', "url('a.png')", 'url(javascript:x)', 'url(', 'url()'],
].flat()

/** The value of an attribute `style`. */
export function styleOf(random: Random): string {
  const declaration = (): string => {
    const name = random.pick(properties)
    const values = Array.from({ length: random.integer(1, 3) }, () => random.pick(styleValues))
    const spelled = random.chance(0.5) ? name : ` ${name.toUpperCase()}`
    return `${spelled}${random.pick([':', ' : ', ':  ', ''])}${values.join(random.pick([' ', ',', '']))}`
  }
  return Array.from({ length: random.integer(1, 3) }, declaration).join(random.pick([';', '; ', ';;']))
}
