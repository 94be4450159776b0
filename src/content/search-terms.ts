import type { PostSearch } from '../database/storage.js'

/**
 * The words of a search as WordPress reads them: texts in quotation marks, and words between spaces, commas and `+`. A
 * leading `-` excludes. Single letters and frequent English words are left out. When nothing remains, or more than
 * {@link maxWords} words, the whole text is one word.
 */
// Rules: docs/wire.md#searches.
export function searchTerms(search: string): PostSearch {
  const text = search.replace(/[\r\n]/g, '')
  const words = (text.match(/"[^"]*(?:"|$)|(?<=[\t ",+]|^)[^\t ",+]+/g) ?? []).map(trimmed).filter(isSignificant)
  const terms = words.length === 0 || words.length > maxWords ? [text] : words
  return {
    include: terms.filter((term) => !term.startsWith('-')),
    exclude: terms.filter((term) => term.startsWith('-')).map((term) => term.slice(1)),
  }
}

/** Maximum number of words, as in WordPress. */
const maxWords = 9

/** Spaces inside of quotation marks are part of the word. */
const trimmed = (word: string): string =>
  /^".+"$/.test(word) ? word.replace(/^["']+|["']+$/g, '') : word.replace(/^["' ]+|["' ]+$/g, '')

const isSignificant = (word: string): boolean =>
  word !== '' && word !== '0' && !/^[a-z-]$/i.test(word) && !frequentWords.has(word.toLowerCase())

const frequentWords = new Set(
  'about an are as at be by com for from how in is it of on or that the this to was what when where who will with www'.split(
    ' ',
  ),
)
