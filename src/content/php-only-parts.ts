/** A part of a content that WordPress replaces when it shows a record, by code that runs in PHP only. */
export interface PhpOnlyPart {
  /**
   * `block`: its HTML is made or changed when it is shown. `shortcode`: a name in brackets, which does something where a plugin
   * has registered it. `embed`: an address in a line of its own, which may become the page that it leads to.
   */
  readonly kind: 'block' | 'shortcode' | 'embed'
  /** `core/latest-posts`, `gallery`, `https://…`. */
  readonly name: string
}

/** Blocks that every version of WordPress shows as they are stored, unless they have a style. */
const storedBlocks = new Set([
  'core/code',
  'core/freeform',
  'core/html',
  'core/paragraph',
  'core/preformatted',
  'core/pullquote',
  'core/table',
  'core/verse',
])

const blockComment = /<!--\s+wp:([a-z][a-z0-9_-]*(?:\/[a-z][a-z0-9_-]*)?)(?=\s)/g
/** The beginning of a shortcode, with the characters that WordPress's `do_shortcode` allows in its name. */
const shortcode = /\[([^<>&/[\]\0- =]+)(?=[\s/\]])/g
const addressAlone = /^[ \t]*(https?:\/\/[^\s<>"]+)[ \t]*$|<p[^<>]*>[ \t]*(https?:\/\/[^\s<>"]+)[ \t]*<\/p>/gim

/**
 * The parts of the content of a record that only PHP renders, each once; empty for a content that is shown as stored, except
 * for paragraphs and typographic quotes. A service shows no other content as that of WordPress.
 */
export function phpOnlyParts(content: string): readonly PhpOnlyPart[] {
  return [
    ...each('block', blocksIn(content)),
    ...each('shortcode', shortcodesIn(content)),
    ...each(
      'embed',
      [...content.matchAll(addressAlone)].map(([, alone, inParagraph]) => alone ?? inParagraph ?? ''),
    ),
  ]
}

const each = (kind: PhpOnlyPart['kind'], names: Iterable<string>): PhpOnlyPart[] =>
  [...new Set(names)].map((name) => ({ kind, name }))

function* blocksIn(content: string): Generator<string> {
  const starts = [...content.matchAll(blockComment)]
  for (const [index, match] of starts.entries()) {
    const [, written = ''] = match
    const name = written.includes('/') ? written : `core/${written}`
    // The attributes of a block end before the next block begins.
    const attributes = content.slice(match.index, starts[index + 1]?.index).split('-->', 1)[0] ?? ''
    if (!storedBlocks.has(name) || attributes.includes('"style"')) yield name
  }
}

/** `[[name]]` shows `[name]`, which PHP does as well. A name without a letter, such as `[1]`, is none. */
function* shortcodesIn(content: string): Generator<string> {
  for (const [, name = ''] of content.matchAll(shortcode)) if (/[a-z_]/i.test(name)) yield name
}
