import type { Random } from '../support/random.js'

const atoms = [
  [
    'a',
    'b',
    'Z',
    '0',
    '9',
    '_',
    '-',
    ' ',
    'é',
    'É',
    'ß',
    '日',
    '🙂',
    '.',
    '\\d',
    '\\D',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '\\h',
    '\\R',
  ],
  [
    '\\v',
    '\\N',
    '\\t',
    '\\n',
    '\\x41',
    '\\x{e9}',
    '\\101',
    '\\.',
    '\\-',
    '\\/',
    '\\#',
    '#',
    '/',
    '\\pL',
    '\\p{Lu}',
    '\\P{N}',
  ],
  [
    '\\p{Greek}',
    '[abc]',
    '[^abc]',
    '[a-z]',
    '[A-Z0-9_]',
    '[\\w-]',
    '[^\\d]',
    '[é-ü]',
    '[[:alpha:]]',
    '[[:^digit:]x]',
    '[]a]',
  ],
  [
    '[^]a]',
    '[a-]',
    '[\\b]',
    '[.]',
    '[\\s\\S]',
    '\\Qa.b\\E',
    '\\cA',
    '\\e',
    '\\0',
    '\\G',
    '{',
    '}',
    ']',
    'a{,2}',
    '\\1',
    '\\b',
  ],
].flat()
const quantifiers = [
  '',
  '',
  '',
  '',
  '*',
  '+',
  '?',
  '{2}',
  '{1,3}',
  '{0,1}',
  '{1,}',
  '*?',
  '+?',
  '??',
  '*+',
  '++',
  '?+',
  '{0}',
]
const anchors = ['^', '$', '\\A', '\\z', '\\Z', '\\b', '\\B']
const characters = [
  'a',
  'b',
  'Z',
  'A',
  '0',
  '9',
  '_',
  '-',
  ' ',
  '\n',
  '\r\n',
  '\t',
  'é',
  'É',
  'ß',
  '日',
  '🙂',
  '.',
  '#',
  '/',
  '{',
  ']',
  '\x01',
  '\u00a0',
  '\u2028',
  'ab',
  'a.b',
  '\x1b',
  '\0',
]

/** A pattern of PCRE. */
export function patternOf(random: Random): string {
  const start = random.pick(['', '', '^', '^', '\\A', '(?i)', '(?s)', '(?m)', '(?x)'])
  return `${start}${sequenceOf(random, 2)}${random.pick(['', '', '$', '\\z', '\\Z'])}`
}

function sequenceOf(random: Random, depth: number): string {
  return Array.from({ length: random.integer(1, 3) }, () => partOf(random, depth)).join('')
}

function partOf(random: Random, depth: number): string {
  if (random.chance(0.06)) return random.pick(anchors)
  return `${depth > 0 && random.chance(0.3) ? groupOf(random, depth) : random.pick(atoms)}${random.pick(quantifiers)}`
}

function groupOf(random: Random, depth: number): string {
  const kind = random.pick([
    '',
    '',
    '?:',
    '?:',
    '?=',
    '?!',
    '?<=',
    '?<!',
    '?>',
    '?|',
    '?<n>',
    '?P<m>',
    "?'o'",
    '?i:',
    '?#',
  ])
  const alternatives = Array.from({ length: random.integer(1, 3) }, () => sequenceOf(random, depth - 1))
  return `(${kind}${alternatives.join('|')})`
}

export function subjectOf(random: Random): string {
  return Array.from({ length: random.integer(0, 6) }, () => random.pick(characters)).join('')
}
