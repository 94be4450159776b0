/** The tags that `wp_kses_data` allows in titles and comments, each with all its allowed attributes. */
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
