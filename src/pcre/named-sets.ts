import { type CharacterSet, complement, contains, foldAscii, emptySet, sameSet, union } from './character-set.js'
import { classBodyOf, maxByte, maxCharacter, maxCodePoint } from './character-source.js'

/** One item of a character class: a range, `\w`, `[:alpha:]` or a Unicode property. */
export interface ClassItem {
  /** The characters that match; a superset of them when `classBody` is not null. */
  readonly set: CharacterSet
  /** JavaScript source (flag `u`), for use between `[` and `]`, when the item has Unicode properties; otherwise null. */
  readonly classBody: string | null
  /** Whether the item matches the characters that are not in `classBody`. */
  readonly negated: boolean
}

export function itemOf(set: CharacterSet): ClassItem {
  return { set, classBody: null, negated: false }
}

const digits: CharacterSet = [48, 57]
const upper: CharacterSet = [65, 90]
const lower: CharacterSet = [97, 122]
const letters = union(upper, lower)
const horizontalCodes = [0x09, 0x20, 0xa0]
const byteVerticalSpace: CharacterSet = [0x0a, 0x0d, 0x85, 0x85]
const unicodeHorizontalSpace: CharacterSet = [
  0x1680, 0x1680, 0x180e, 0x180e, 0x2000, 0x200a, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000,
]
export const wordClassBody = '\\p{L}\\p{N}_'
const spaceClassBody = '\\t-\\r\\x85\\u180e\\p{Z}'

/**
 * The characters of an escape such as `\d`. A capital letter is the complement, except for `\N`, which matches any
 * character but a newline.
 * @returns null when the letter is none of `d D w W s S h H v V N`.
 */
export function shorthandOf(letter: string, unicode: boolean): ClassItem | null {
  const lowerCase = letter.toLowerCase()
  const negated = letter !== lowerCase
  const last = maxCharacter(unicode)
  if (letter === 'N') return itemOf(complement([10, 10], last))
  if (lowerCase === 'h' || lowerCase === 'v') {
    const set = lowerCase === 'h' ? horizontalSpace(unicode) : verticalSpace(unicode)
    return itemOf(negated ? complement(set, last) : set)
  }
  if (lowerCase === 'd') return propertyItem(digits, '\\p{Nd}', negated, unicode)
  if (lowerCase === 'w') return propertyItem(asciiWord, wordClassBody, negated, unicode)
  if (lowerCase === 's') return propertyItem(asciiSpace, spaceClassBody, negated, unicode)
  return null
}

/** The characters of `\h`. For byte patterns these include the byte A0. */
function horizontalSpace(unicode: boolean): CharacterSet {
  const set = union(...horizontalCodes.map((code) => [code, code]))
  return unicode ? union(set, unicodeHorizontalSpace) : set
}

/** The characters of `\v`, which are also the line ends of one character that `\R` matches. */
export function verticalSpace(unicode: boolean): CharacterSet {
  return unicode ? union(byteVerticalSpace, [0x2028, 0x2029]) : byteVerticalSpace
}

const asciiWord = union(letters, digits, [95, 95])
const asciiSpace: CharacterSet = [9, 13, 32, 32]
const asciiPunctuation: CharacterSet = [33, 47, 58, 64, 91, 96, 123, 126]

/**
 * The POSIX classes: their ASCII characters, and the JavaScript class body for Unicode patterns. It is null for classes
 * that are ASCII in Unicode patterns too, and `''` for those without an equivalent in JavaScript.
 */
const posixClasses: Readonly<Record<string, readonly [ascii: CharacterSet, classBody: string | null]>> = {
  alpha: [letters, '\\p{L}'],
  lower: [lower, '\\p{Ll}'],
  upper: [upper, '\\p{Lu}'],
  alnum: [union(letters, digits), '\\p{L}\\p{N}'],
  ascii: [[0, 127], null],
  blank: [[9, 9, 32, 32], classBodyOf(horizontalSpace(true))],
  cntrl: [[0, 31, 127, 127], '\\p{Cc}'],
  digit: [digits, '\\p{Nd}'],
  graph: [[33, 126], ''],
  print: [[32, 126], ''],
  punct: [asciiPunctuation, '\\p{P}$+<=>\\^`|~'],
  space: [asciiSpace, spaceClassBody],
  word: [asciiWord, wordClassBody],
  xdigit: [union(digits, [65, 70], [97, 102]), null],
}

/**
 * The characters of `[:name:]`, or of `[:^name:]` when `negated`; an error message when the class cannot be used. When case
 * is ignored, `upper` and `lower` mean `alpha`, as in PCRE.
 */
export function posixClassOf(
  name: string,
  negated: boolean,
  unicode: boolean,
  ignoreCase: boolean,
): ClassItem | string {
  const className = ignoreCase && (name === 'upper' || name === 'lower') ? 'alpha' : name
  const entry = Object.hasOwn(posixClasses, className) ? posixClasses[className] : undefined
  if (entry === undefined) return `'[:${name}:]' is not a POSIX class.`
  const [ascii, classBody] = entry
  if (unicode && classBody === '') return `'[:${name}:]' has no equivalent in JavaScript.`
  if (unicode && classBody !== null) return propertyItem(ascii, classBody, negated, true)
  return itemOf(negated ? complement(ascii, maxCharacter(unicode)) : ascii)
}

const generalCategory = /^(?:C[cfnos]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/
const specialProperties: Readonly<Record<string, string>> = {
  Any: '\\0-\\u{10ffff}',
  'L&': '\\p{Lu}\\p{Ll}\\p{Lt}',
  Xan: '\\p{L}\\p{N}',
  Xsp: spaceClassBody,
  Xps: spaceClassBody,
  Xwd: wordClassBody,
}

/** The characters of `\p{name}`, or of `\P{name}` when `negated`; an error message when the property cannot be used. */
export function propertyOf(name: string, negated: boolean, unicode: boolean, ignoreCase: boolean): ClassItem | string {
  const classBody = propertyClassBody(name)
  if (classBody === null) return `'${name}' is not a Unicode property that JavaScript knows by this name.`
  if (unicode) {
    // With JavaScript's flag `i`, \p{Lu} matches small letters too. In PCRE it matches capitals only.
    if (ignoreCase && /\\p\{L[ltu]\}/.test(classBody))
      return `'\\p{${name}}' has no equivalent in JavaScript when case is ignored.`
    return propertyItem(membersOf(classBody, 0x7f), classBody, negated, true)
  }
  const bytes = membersOf(classBody, maxByte)
  return itemOf(negated ? complement(bytes, maxByte) : bytes)
}

/** The JavaScript class body of a property or a script; null for an unknown name. */
function propertyClassBody(name: string): string | null {
  if (generalCategory.test(name)) return `\\p{${name}}`
  if (Object.hasOwn(specialProperties, name)) return specialProperties[name] ?? null
  if (!/^[A-Za-z_]+$/.test(name)) return null
  const script = `\\p{Script_Extensions=${name}}`
  try {
    membersOf(script, 0)
    return script
  } catch {
    return null
  }
}

/** The characters up to `last` that a class body matches, computed with JavaScript's own Unicode tables. */
function membersOf(classBody: string, last: number): CharacterSet {
  const pattern = new RegExp(`[${classBody}]`, 'u')
  const codes = Array.from({ length: last + 1 }, (_, code) => code)
  return union(
    emptySet,
    ...codes.filter((code) => pattern.test(String.fromCodePoint(code))).map((code) => [code, code]),
  )
}

/** @param ascii the ASCII characters of `classBody`, and all characters of the item in a byte pattern. */
function propertyItem(ascii: CharacterSet, classBody: string, negated: boolean, unicode: boolean): ClassItem {
  if (!unicode) return itemOf(negated ? complement(ascii, maxByte) : ascii)
  const set = negated ? complement(ascii, 0x7f) : ascii
  return { set: union(set, [0x80, maxCodePoint]), classBody, negated }
}

/** The characters of a class `[…]` of these items, see `set` and `source` of `CharactersNode`. */
export function classOf(
  items: readonly ClassItem[],
  negated: boolean,
  unicode: boolean,
): { readonly set: CharacterSet; readonly source: string | null } {
  const last = maxCharacter(unicode)
  const allCharacters = union(...items.map((item) => item.set))
  if (items.every((item) => item.classBody === null))
    return { set: negated ? complement(allCharacters, last) : allCharacters, source: null }
  const bodies = items.filter((item) => !item.negated).map((item) => item.classBody ?? classBodyOf(item.set))
  const alternatives = items.filter((item) => item.negated).map((item) => `[^${item.classBody ?? ''}]`)
  const set = negated ? union(complement(allCharacters, 0x7f), [0x80, last]) : allCharacters
  if (alternatives.length === 0) return { set, source: `[${negated ? '^' : ''}${bodies.join('')}]` }
  if (items.length === 1) return { set, source: negated ? `[${items[0]?.classBody ?? ''}]` : (alternatives[0] ?? null) }
  if (bodies.length > 0) alternatives.unshift(`[${bodies.join('')}]`)
  // A lookahead, because an alternation would match a character that is in several of the classes in several ways.
  return { set, source: `(?:(?${negated ? '!' : '='}${alternatives.join('|')})[^])` }
}

/** The item with both cases of its ASCII letters. An item of a Unicode pattern is returned unchanged. */
export function ignoringCase(item: ClassItem, unicode: boolean): ClassItem {
  if (item.classBody !== null || unicode) return item
  return itemOf(foldAscii(item.set))
}

/** `K` and `S`, which have a third case outside ASCII: the Kelvin sign and the long s. */
const lettersWithThreeCases = [0x4b, 0x53]

/**
 * Whether the flag `i` could change what the set matches: it has a letter without all its cases, or some characters outside
 * ASCII, whose cases are not checked.
 * @param isExact false when the set is a superset of the matched characters.
 */
export function dependsOnCase(set: CharacterSet, isExact: boolean): boolean {
  if (!sameSet(foldAscii(set), set)) return true
  const nonAsciiBounds = set.filter((code) => code > 0x7f)
  const hasAllNonAscii = contains(set, 0x80) && nonAsciiBounds.length === 1
  if (nonAsciiBounds.length > 0 && !hasAllNonAscii) return true
  return isExact && lettersWithThreeCases.some((code) => contains(set, code) !== hasAllNonAscii)
}
