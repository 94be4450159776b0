/** The short list, for titles and comments: tags with all the attributes they may have (docs/wire.md#the-html-filter). */
export const dataTags: ReadonlyMap<string, string> = new Map([
  ['a', 'href title'],
  ['abbr', 'title'],
  ['acronym', 'title'],
  ['b', ''],
  ['blockquote', 'cite'],
  ['cite', ''],
  ['code', ''],
  ['del', 'datetime'],
  ['em', ''],
  ['i', ''],
  ['q', 'cite'],
  ['s', ''],
  ['strike', ''],
  ['strong', ''],
])
