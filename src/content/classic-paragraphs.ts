const blank = /^[ \t\n]*$/
const blankLine = /\n[ \t\n]*\n/
/** White space that PHP's functions treat differently. */
// oxlint-disable-next-line no-control-regex
const oddSpace = /[\0\v\f]/

/**
 * The HTML of a content without blocks, whose blank lines separate paragraphs and whose line breaks are kept.
 * @param content with inline elements and paragraphs only.
 * @returns null for text beside paragraphs that have tags, and for such paragraphs that are empty or contain blank lines.
 */
export function classicParagraphs(content: string): string | null {
  if (oddSpace.test(content)) return null
  const text = content.replaceAll(/\r\n?/g, '\n')
  if (blank.test(text)) return ''
  const hasTags = /<\/?p[ />]/.test(text)
  const separated = hasTags ? text.replaceAll(/<p[ />]/g, '\n\n$&').replaceAll('</p>', '$&\n\n') : text
  let html = ''
  for (const paragraph of `${separated}\n`.split(blankLine)) {
    const inner = paragraph.replaceAll(/^\n+|\n+$/g, '')
    if (paragraph === '') continue
    // A paragraph of spaces leaves its line break.
    if (blank.test(inner)) html += '\n'
    else if (hasTags && !/^<p(?: [^<>]*)?>[^ \t\n](?:[^]*[^ \t\n])?<\/p>$/.test(inner)) return null
    else if (hasTags) html += `${withBreaks(inner)}\n`
    // There is no break at the beginning of a paragraph.
    else html += `<p>${withBreaks(inner).replace(/^<br \/>/, '')}</p>\n`
  }
  return html
}

/** Spaces before a line break are removed. */
const withBreaks = (text: string): string =>
  text.replaceAll(/[ \t\n]+/g, (space) => {
    const last = space.lastIndexOf('\n')
    return last === -1 ? space : `<br />\n${space.slice(last + 1)}`
  })
