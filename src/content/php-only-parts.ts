import { classicParagraphs } from './classic-paragraphs.js'
import { readStoredBlocks } from './stored-blocks.js'

/** A part of a content that WordPress replaces when it shows a record, by code that runs in PHP only. */
export interface PhpOnlyPart {
  /**
   * - `block`: its HTML is made or changed when it is shown.
   * - `shortcode`: a name after a bracket, which does something where a plugin has registered it.
   * - `embed`: an address in a line or paragraph of its own, which may become the page that it leads to.
   * - `element`: HTML that is changed or may be, such as the sizes of an image; or HTML in a content without blocks, whose
   *   line breaks become paragraphs.
   * - `typography`: quotes, dashes and other characters, which depend on the language of the site.
   * - `smiley`: it becomes an emoji where the site has the option.
   * - `link`: an address with `http:`, which a site that moved to HTTPS replaces.
   * - `attachment`: the record is a file, which is shown before its content.
   */
  readonly kind: 'block' | 'shortcode' | 'embed' | 'element' | 'typography' | 'smiley' | 'link' | 'attachment'
  /** `core/latest-posts`, `gallery`, `https://…`, `img`; `<!--` for a comment, `<` for other HTML than plain tags. */
  readonly name: string
}

/** What is rendered of a record: its type and its stored content. */
export interface RenderedFields {
  readonly type: string
  readonly content: string
}

const inlineNames = ['a', 'abbr', 'b', 'cite', 'code', 'em', 'i', 'kbd', 'mark', 's', 'small', 'span', 'strong', 'sub']
const classicElements = new Set([...inlineNames, 'p', 'sup', 'u'])
const tableNames = ['table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr']
const blockNames = ['blockquote', 'br', 'div', 'figcaption', 'figure', 'hr', 'li', 'ol', 'pre', 'ul']
const blockElements = new Set([...classicElements, ...tableNames, ...blockNames, 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

/** A tag in a form that all functions of WordPress take for one. */
const tag = /<\/?[a-z][a-z0-9]*(?: +[a-z][a-z0-9:-]*(?:="(?:[^"<>[\]\n\r&]|&(?:amp|#0?38);)*")?)* *\/?>/g
/** The beginning or end of a shortcode, with the characters that WordPress's `do_shortcode` allows in its name. */
const shortcode = /\[\/?([^<>&/[\]\0- =]+)/g
const address = /https?:\/\/[^ \t\n\r\f\v<>"]+/gi
/** The beginning of a paragraph whose only text may be an address. */
const paragraph = /<p(?: [^<>]*)?>/gi
const insecureAddress = /http:(?:\/\/|\\\/)[^ \t\n\r\f\v<>"]*/gi
/** Characters that `wptexturize` replaces. An ampersand of an entity is none. */
const typography =
  /['"]|--|\.\.\.|``|\([tT][mM]\)|\dx\d|&(?!#(?:\d+|[xX][a-fA-F0-9]+);|[a-zA-Z1-4]{1,8};)|(?<![^\s\u00a0;])-(?![^\s\u00a0&])/g
/** `capital_P_dangit` corrects this name, also in the attributes of tags. */
const misspelling = /Wordpress/g
const smiley = /(?<![^\s\u00a0;])(?::[a-z?!]+:|[:;8]-?[()?DPOox|])(?![^\s\u00a0&])/g

/** @returns the HTML that WordPress shows, if there are no parts that only PHP renders. */
export function readContent(
  { type, content }: RenderedFields,
  addsParagraphClass: boolean,
): { readonly html: string; readonly parts: readonly PhpOnlyPart[] } {
  const { html, dynamic, isWellFormed, isClassic } = readStoredBlocks(content, addsParagraphClass)
  const elements = elementsOf(html, isClassic)
  if (!isWellFormed) elements.unshift('<!--')
  const classic = isClassic && elements.length === 0 ? classicParagraphs(html) : null
  if (isClassic && elements.length === 0 && classic === null) elements.push('p')
  const texts = html.split(tag)
  return {
    html: classic ?? html,
    parts: [
      ...each('attachment', type === 'attachment' ? [type] : []),
      ...each('block', dynamic),
      ...each('shortcode', shortcodesIn(html)),
      ...each('embed', embedsIn(html)),
      ...each('element', elements),
      ...each('typography', [...matches(texts, typography), ...matches([html], misspelling)]),
      ...each('smiley', matches(texts, smiley)),
      ...each('link', matches([html], insecureAddress)),
    ],
  }
}

/**
 * The parts of a record's content that only PHP renders, each once. When there are none, `ContentRenderer` renders it as
 * WordPress does. Filters of plugins and themes on `the_content`, and blocks that they hook into others, are unknown here.
 */
export function phpOnlyParts(record: RenderedFields): readonly PhpOnlyPart[] {
  return readContent(record, true).parts
}

const each = (kind: PhpOnlyPart['kind'], names: readonly string[]): PhpOnlyPart[] =>
  [...new Set(names)].map((name) => ({ kind, name }))

const matches = (texts: readonly string[], pattern: RegExp): string[] =>
  texts.flatMap((text) => Array.from(text.matchAll(pattern), ([match]) => match))

/** The elements that are not shown as they are stored. */
function elementsOf(html: string, isClassic: boolean): string[] {
  const shown = isClassic ? classicElements : blockElements
  const names = matches([html], tag).map((each) => /[a-z0-9]+/.exec(each)?.[0] ?? '')
  const others = html.split(tag).some((text) => text.includes('<')) ? ['<'] : []
  return [...names.filter((name) => !shown.has(name)), ...others]
}

/** `[[name]]` shows `[name]`, which PHP does as well. A name without a letter, such as `[1]`, is none. */
const shortcodesIn = (html: string): string[] =>
  Array.from(html.matchAll(shortcode), ([, name = '']) => name).filter((name) => /[\p{L}_]/u.test(name))

function embedsIn(html: string): string[] {
  const embeds: string[] = []
  const paragraphEnds = new Set(Array.from(html.matchAll(paragraph), ({ 0: text, index }) => index + text.length - 1))
  for (const { 0: url, index } of html.matchAll(address)) {
    let start = index - 1
    while (isSpace(html[start])) start -= 1
    let end = index + url.length
    while (isSpace(html[end])) end += 1
    const isAtStart = start < 0 || html[start] === '\n' || paragraphEnds.has(start)
    const isAtEnd = end >= html.length || html[end] === '\n' || html.slice(end, end + 4).toLowerCase() === '</p>'
    if (isAtStart && isAtEnd) embeds.push(url)
  }
  return embeds
}

const isSpace = (character: string | undefined): boolean => character !== undefined && ' \t\f\v\r'.includes(character)
