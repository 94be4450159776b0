import type { Random } from '../support/random.js'

const words = [
  'word',
  'two words',
  'a & b',
  'x < y',
  'é',
  '日本',
  '1 + 1',
  'https://x.example/y',
  '[1]',
  '5x5',
  "it's",
  ':)',
  '…',
]
const breaks = ['\n', '\n\n', '\r\n', ' \n', '\n ', '\n\n\n', ' ', '', '\t\n', '\n \n', '\r\n\r\n']
const inline = ['b', 'em', 'strong', 'a', 'code', 'span', 'sub', 'kbd']
const blockNames = [
  'paragraph',
  'heading',
  'list',
  'code',
  'preformatted',
  'verse',
  'html',
  'table',
  'pullquote',
  'group',
]
const attributes = [
  '',
  '',
  '{"align":"center"} ',
  '{"className":"x"} ',
  '{"className":"is-style-x"} ',
  '{"style":{}} ',
  '{"dropCap":true} ',
]
const starts = [
  '<p>',
  '<p>',
  '<p class="x">',
  '<p class="has-text-align-center x">',
  '<p id="x">',
  '<P>',
  '<p class="">',
  '<p class="wp-block-paragraph">',
]

/** The content of a record: paragraphs in blocks, or separated by blank lines, and others now and then. */
export function contentOf(random: Random): string {
  const length = random.integer(0, 4)
  if (random.chance(0.5))
    return Array.from({ length }, () => blockOf(random)).join(random.pick(['', '\n', '\n\n', ' ']))
  return Array.from({ length: length * 2 }, () => {
    const text = textOf(random)
    return random.chance(0.1) ? `<p>${text}</p>` : random.chance(0.4) ? random.pick(breaks) : text
  }).join(random.pick(['', ' ', '\n', '\n\n']))
}

function textOf(random: Random): string {
  const word = random.chance(0.8) ? random.pick(words.slice(0, 2)) : random.pick(words)
  if (random.chance(0.7)) return word
  const name = random.pick(inline)
  return `<${name}${random.chance(0.2) ? ' class="a"' : ''}>${word}</${name}>`
}

function blockOf(random: Random): string {
  const name = random.chance(0.7) ? 'paragraph' : random.pick(blockNames)
  const texts = Array.from({ length: random.integer(0, 3) }, () => textOf(random))
  const text = texts.join(random.pick([' ', '\n', '<br>', '<br />\n', '\n\n']))
  const inner = name === 'paragraph' ? `${random.pick(starts)}${text}</p>` : `<div class="x">${text}</div>`
  const space = random.pick(['\n', '\n', '', ' '])
  return `<!-- wp:${name} ${random.pick(attributes)}-->${space}${inner}${space}<!-- /wp:${name} -->`
}
