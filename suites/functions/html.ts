import { allowedInPosts } from '../../src/sanitizers/allowed-tags.js'
import { entities } from '../../src/sanitizers/entities.js'
import { urlAttributes } from '../../src/sanitizers/protocols.js'
import type { Random } from '../support/random.js'
import { styleOf } from './styles.js'
import { addressOf, decoded, textOf } from './texts.js'

const tags = [...allowedInPosts.keys()]
const otherTags = [
  'script',
  'style',
  'iframe',
  'form',
  'input',
  'svg',
  'embed',
  'x-y',
  'p2',
  'P',
  'object',
  'a',
  'img',
  '',
  '!',
  '?',
  'é',
]
const attributesOf = (tag: string): string[] => [...(allowedInPosts.get(tag) ?? [])]
const urls = [...urlAttributes]
const otherAttributes = [
  [
    'onclick',
    'ONERROR',
    'srcset',
    'style',
    'STYLE',
    'data-x',
    'data-',
    'data-a_b',
    'DATA-X',
    'data-é',
    'data-x.y',
    'data--',
  ],
  [
    'aria-label',
    'aria-foo',
    'xml:lang',
    'xlink:href',
    'lang',
    'id',
    'class',
    'hidden',
    'role',
    '=',
    '"',
    "'",
    '<b',
    'é',
    '-',
  ],
  [
    'data-*',
    'checked',
    'a=b',
    'download',
    'title',
    'contenteditable',
    'is',
    'tabindex',
    '0',
    '@click',
    ':x',
    '[x]',
    'x\0y',
  ],
].flat()
const spaces = [' ', ' ', ' ', ' ', '  ', '\n', '\t', '\r\n', '\f', '/', ' / ', '', '\0', '\u00a0', '\v']
const entityNames = [...entities.keys()]
const blockAttributes = [
  [
    '{"a":"b"}',
    '{}',
    '{"a":"<b>x</b>"}',
    '{"a":"<script>x</script>"}',
    '{"a":1.0,"b":[1,2,{"c":null}]}',
    '{"a":"\\u003cb\\u003e"}',
  ],
  [
    '{"a":"--"}',
    '{"<b>":"&amp;"}',
    '{"a":"\\\\\\"x"}',
    '{"a":true,"b":"é/🙂"}',
    '{bad}',
    '[1]',
    '{"a":"x-->y"}',
    '{"url":"javascript:x"}',
  ],
  [
    '{"a":"\\u00e9\\n\\t"}',
    '{"0":"a","1":"b"}',
    '{"a":[]}',
    '{"a":{}}',
    '{"a":1e3,"b":-0.0,"c":12345678901234567890}',
    '{"a":""}',
  ],
  [
    '{"style":{"color":{"text":"<i onclick=x>"}}}',
    '{"a":"&lt;"}',
    '{"a":"<"}',
    '{"a":"\\u2028"}',
    '{"a" : "b" }',
    '{"a":"b",}',
  ],
].flat()
const blockNames = [
  'paragraph',
  'x',
  'core/group',
  'my-plugin/block',
  'core/a/b',
  'X',
  'a_b',
  'my_plugin/x-1',
  '1a',
  'core/',
]
const oddities = [
  [
    '</>',
    '</ >',
    '<>',
    '< p>',
    '<p',
    '<',
    '>',
    '</p',
    '<!',
    '<!-',
    '<!--',
    '-->',
    '--!>',
    '<!-->',
    '<!--->',
    '<!---->',
    '<!doctype html>',
  ],
  [
    '<!DOCTYPE html>',
    '<![CDATA[x]]>',
    '<?php x ?>',
    '<?',
    '<!x y>',
    '</1>',
    '</ p>',
    '</p x>',
    '</p/>',
    '<p/>',
    '<br/>',
    '<br />',
  ],
  [
    '<a<b>',
    '<p>>',
    '<<p>',
    '<p <b>',
    '&',
    '&;',
    '&#;',
    '&#x;',
    '&#0;',
    '&#1;',
    '&#38;',
    '&#039;',
    '&#X26;',
    '&#x110000;',
    '&AMP;',
  ],
  [
    '\\"',
    "\\'",
    '\\',
    '\\0',
    '\0',
    '\x0b',
    '\x1f',
    '\udcff',
    '\udcc3',
    '%c3',
    '\u2028',
    '--',
    '<!--x--',
    '<!-- a -- b -->',
    '<!-- -->',
  ],
  [
    '<!--<b>x</b>-->',
    '<!--<script>x</script>-->',
    '<!-- <!-- x --> -->',
    '<!--more-->',
    '<!--nextpage-->',
    '<!--x>y-->',
    '<!--&-->',
  ],
  [
    '</é>',
    '</-x>',
    '</!>',
    '</?x>',
    '<!a<b>>',
    '<p title="a>b">',
    "<p title='<b>'>",
    '<p title=>',
    '<p title= class=x>',
    '&apos;',
  ],
].flat()

/** HTML grown from tags and attributes, valid and not. */
export function htmlOf(random: Random): string {
  const length = random.chance(0.1) ? random.integer(6, 15) : random.integer(1, 5)
  return decoded(Array.from({ length }, () => pieceOf(random, 2)).join(''))
}

function pieceOf(random: Random, depth: number): string {
  return random.choose<string>([
    [6, () => elementOf(random, depth)],
    [2, () => random.pick(oddities)],
    [2, () => textOf(random)],
    [1.5, () => blockOf(random, depth)],
    [1, () => referenceOf(random)],
    [0.5, () => commentOf(random, depth)],
    [0.2, () => random.text(3, '<>/!-"\'= a')],
  ])
}

function elementOf(random: Random, depth: number): string {
  const tag = random.chance(0.8) ? random.pick(tags) : random.pick(otherTags)
  const name = random.chance(0.9) ? tag : tag.toUpperCase()
  const attributes = Array.from({ length: random.pick([0, 0, 1, 1, 2, 3]) }, () => attributeOf(random, tag))
  const start = `<${random.chance(0.03) ? random.pick(spaces) : ''}${name}${attributes.map((text) => random.pick(spaces) + text).join('')}`
  const end = random.pick(['>', '>', '>', '>', '>', '>', '/>', ' />', '/ >', '', '"', ' / '])
  const content =
    depth > 0 ? Array.from({ length: random.integer(0, 2) }, () => pieceOf(random, depth - 1)).join('') : ''
  return `${start}${end}${content}${random.pick([`</${name}>`, `</${name}>`, `</${name} >`, `</ ${name}>`, '', '</p>'])}`
}

function attributeOf(random: Random, tag: string): string {
  const own = attributesOf(tag)
  const name = random.choose<string>([
    [own.length > 0 ? 5 : 0, () => random.pick(own)],
    [2, () => random.pick(otherAttributes)],
    [2, () => random.pick(urls)],
    [2, () => 'style'],
  ])
  if (random.chance(0.1)) return name
  const value = random.choose<string>([
    [name === 'style' ? 10 : 0.3, () => styleOf(random, true).replaceAll('"', random.pick(['"', '&quot;']))],
    [urlAttributes.has(name) ? 10 : 0.5, () => addressOf(random)],
    [
      2,
      () =>
        random.pick([
          'x',
          '',
          '1',
          'a b',
          '_blank',
          'application/pdf',
          'true',
          "it's",
          '&amp;',
          '&',
          '<b>',
          '&#39;',
          '\\"',
          'é',
        ]),
    ],
    [1, () => textOf(random)],
    [0.5, () => referenceOf(random)],
  ])
  const [open, close] = random.pick([
    ['"', '"'],
    ['"', '"'],
    ['"', '"'],
    ["'", "'"],
    ["'", "'"],
    ['', ''],
    ['"', ''],
    ["'", ''],
    ['`', '`'],
    ['"', "'"],
    ['\\"', '\\"'],
  ] as const)
  return `${name}${random.pick(['=', '=', '=', ' = ', '=\n', ' =', '==', '=\t'])}${open}${value}${close}`
}

function referenceOf(random: Random): string {
  const end = random.pick([';', ';', ';', '', ' '])
  return random.choose<string>([
    [2, () => `&${random.pick(entityNames)}${end}`],
    [
      2,
      () => `&#${random.pick(['', '0', '000'])}${random.integer(0, random.pick([40, 200, 70_000, 1_200_000]))}${end}`,
    ],
    [2, () => `&#${random.pick(['x', 'X'])}${random.integer(0, random.pick([40, 200, 1_200_000])).toString(16)}${end}`],
    [1, () => `&${random.text(3)}${end}`],
  ])
}

function commentOf(random: Random, depth: number): string {
  const content = Array.from({ length: random.integer(0, 2) }, () => pieceOf(random, depth - 1)).join('')
  return `<!--${random.pick(['', ' ', '-', '\n'])}${depth > 0 ? content : 'x'}${random.pick(['-->', '-->', ' -->', '--->', '', '--!>'])}`
}

/** A block of the editor, or something like one. Its name has a number of its own, by which {@link keepsBlocks} knows it. */
function blockOf(random: Random, depth: number): string {
  const name = `${random.pick(blockNames)}${random.integer(1, 1e9)}`
  const attributes = random.chance(0.7) ? `${random.pick(blockAttributes)} ` : ''
  const space = random.pick([' ', ' ', ' ', '\n', '', '  '])
  const start = `<!--${space}wp:${name} ${attributes}`
  const end = random.pick(['-->', '-->', '-->', '--->', '>'])
  if (random.chance(0.3)) return `${start}/${end}`
  const content =
    depth > 0 ? Array.from({ length: random.integer(0, 2) }, () => pieceOf(random, depth - 1)).join('') : ''
  const closer = random.pick([
    `<!-- /wp:${name} -->`,
    `<!-- /wp:${name} -->`,
    `<!-- /wp:${name} -->`,
    `<!--/wp:${name}-->`,
    '',
    '<!-- /wp:x -->',
  ])
  return `${start}${end}${content}${closer}`
}

/** Whether a text has the start of each block of {@link blockOf} that another one has, but not each as often. */
export function keepsBlocks(text: string, other: string): boolean {
  const [own, others] = [startsOf(text), startsOf(other)]
  return others.every((name) => own.includes(name)) && own.join() !== others.join()
}

const startsOf = (text: string): readonly string[] =>
  Array.from(text.matchAll(/[^/]wp:(?:core\/)?([\w/-]*\d)/g), ([, name = '']) => name).sort()
