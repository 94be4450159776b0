import { type CharacterSet, complement, contains, foldAscii, nothing, sameSet, union } from './character-set.js'
import { classBodyOf, lastByte, lastCharacter, lastCodePoint } from './character-source.js'

/**
 * Characters of one item of a class. Where Unicode properties take part, `items` is the JavaScript class body (flag `u`)
 * that tells them exactly, to be negated or not, and `set` is a superset; otherwise `items` is null.
 */
export interface Characters {
  readonly set: CharacterSet
  readonly items: string | null
  readonly negated: boolean
}

export function listed(set: CharacterSet): Characters {
  return { set, items: null, negated: false }
}

const digits: CharacterSet = [48, 57]
const upper: CharacterSet = [65, 90]
const lower: CharacterSet = [97, 122]
const letters = union(upper, lower)
const horizontal = [0x09, 0x20, 0xa0]
const vertical: CharacterSet = [0x0a, 0x0d, 0x85, 0x85]
const farHorizontal: CharacterSet = [
  0x1680, 0x1680, 0x180e, 0x180e, 0x2000, 0x200a, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000,
]
export const wordItems = '\\p{L}\\p{N}_'
const spaceItems = '\\t-\\r\\x85\\u180e\\p{Z}'

/** `d w s h v N`, lower case for the set and upper case for its complement; null for other letters. */
export function shorthandOf(letter: string, unicode: boolean): Characters | null {
  const lowerCase = letter.toLowerCase()
  const negated = letter !== lowerCase
  const last = lastCharacter(unicode)
  if (letter === 'N') return listed(complement([10, 10], last))
  if (lowerCase === 'h' || lowerCase === 'v') {
    const set = lowerCase === 'h' ? horizontalSpace(unicode) : verticalSpace(unicode)
    return listed(negated ? complement(set, last) : set)
  }
  if (lowerCase === 'd') return named(digits, '\\p{Nd}', negated, unicode)
  if (lowerCase === 'w') return named(asciiWord, wordItems, negated, unicode)
  if (lowerCase === 's') return named(asciiSpace, spaceItems, negated, unicode)
  return null
}

/** `\h`, and where bytes are matched, the byte A0. */
function horizontalSpace(unicode: boolean): CharacterSet {
  const near = union(...horizontal.map((code) => [code, code]))
  return unicode ? union(near, farHorizontal) : near
}

/** `\v`, and what `\R` takes as one line end. */
export function verticalSpace(unicode: boolean): CharacterSet {
  return unicode ? union(vertical, [0x2028, 0x2029]) : vertical
}

const asciiWord = union(letters, digits, [95, 95])
const asciiSpace: CharacterSet = [9, 13, 32, 32]
const asciiPunctuation: CharacterSet = [33, 47, 58, 64, 91, 96, 123, 126]

/** ASCII members, and the JavaScript class body that a Unicode pattern uses instead (null: ASCII there too). */
const posixClasses: Readonly<Record<string, readonly [ascii: CharacterSet, items: string | null]>> = {
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
  space: [asciiSpace, spaceItems],
  word: [asciiWord, wordItems],
  xdigit: [union(digits, [65, 70], [97, 102]), null],
}

/**
 * `[:name:]` or `[:^name:]`; a sentence when it cannot be used.
 * Ignoring case, `upper` and `lower` are `alpha`, as in PCRE.
 */
export function posixClassOf(
  name: string,
  negated: boolean,
  unicode: boolean,
  ignoreCase: boolean,
): Characters | string {
  const wanted = ignoreCase && (name === 'upper' || name === 'lower') ? 'alpha' : name
  const entry = Object.hasOwn(posixClasses, wanted) ? posixClasses[wanted] : undefined
  if (entry === undefined) return `'[:${name}:]' is not a class that exists.`
  const [ascii, items] = entry
  if (unicode && items === '') return `'[:${name}:]' has no equivalent in JavaScript.`
  if (unicode && items !== null) return named(ascii, items, negated, true)
  return listed(negated ? complement(ascii, lastCharacter(unicode)) : ascii)
}

const generalCategory = /^(?:C[cfnos]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/
const specialProperties: Readonly<Record<string, string>> = {
  Any: '\\0-\\u{10ffff}',
  'L&': '\\p{Lu}\\p{Ll}\\p{Lt}',
  Xan: '\\p{L}\\p{N}',
  Xsp: spaceItems,
  Xps: spaceItems,
  Xwd: wordItems,
}

/** `\p{name}`, or with `negated` `\P{name}`; a sentence when it cannot be used. */
export function propertyOf(name: string, negated: boolean, unicode: boolean, ignoreCase: boolean): Characters | string {
  const items = propertyItems(name)
  if (items === null) return `'${name}' is not a Unicode property that JavaScript knows by this name.`
  if (unicode) {
    // JavaScript's flag `i` would make \p{Lu} match small letters; in PCRE it stays with capitals.
    if (ignoreCase && /\\p\{L[ltu]\}/.test(items)) return `'\\p{${name}}' cannot be told apart when case is ignored.`
    return named(membersOf(items, 0x7f), items, negated, true)
  }
  const bytes = membersOf(items, lastByte)
  return listed(negated ? complement(bytes, lastByte) : bytes)
}

function propertyItems(name: string): string | null {
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

/** The members up to `last`, asked of JavaScript's own tables. */
function membersOf(items: string, last: number): CharacterSet {
  const member = new RegExp(`[${items}]`, 'u')
  const codes = Array.from({ length: last + 1 }, (_, code) => code)
  return union(nothing, ...codes.filter((code) => member.test(String.fromCodePoint(code))).map((code) => [code, code]))
}

function named(ascii: CharacterSet, items: string, negated: boolean, unicode: boolean): Characters {
  if (!unicode) return listed(negated ? complement(ascii, lastByte) : ascii)
  const near = negated ? complement(ascii, 0x7f) : ascii
  return { set: union(near, [0x80, lastCodePoint]), items, negated }
}

/** What a class `[…]` of these items matches, as a set and, where the set cannot say it, as JavaScript source. */
export function classOf(
  parts: readonly Characters[],
  negated: boolean,
  unicode: boolean,
): { readonly set: CharacterSet; readonly source: string | null } {
  const last = lastCharacter(unicode)
  const all = union(...parts.map((part) => part.set))
  if (parts.every((part) => part.items === null)) return { set: negated ? complement(all, last) : all, source: null }
  const positive = parts.filter((part) => !part.negated).map((part) => part.items ?? classBodyOf(part.set))
  const choices = parts.filter((part) => part.negated).map((part) => `[^${part.items ?? ''}]`)
  const set = negated ? union(complement(all, 0x7f), [0x80, last]) : all
  if (choices.length === 0) return { set, source: `[${negated ? '^' : ''}${positive.join('')}]` }
  if (parts.length === 1) return { set, source: negated ? `[${parts[0]?.items ?? ''}]` : (choices[0] ?? null) }
  if (positive.length > 0) choices.unshift(`[${positive.join('')}]`)
  // A lookahead, since a character that is in several of them must not be taken in several ways.
  return { set, source: `(?:(?${negated ? '!' : '='}${choices.join('|')})[^])` }
}

/** The characters with both cases of ASCII letters; what Unicode properties name stays as it is. */
export function ignoringCase(part: Characters, unicode: boolean): Characters {
  if (part.items !== null || unicode) return part
  return listed(foldAscii(part.set))
}

/** `K` and `S`, which have a third case beyond ASCII: the Kelvin sign and the long s. */
const lettersOfThreeCases = [0x4b, 0x53]

/**
 * Whether the set holds a letter without its other cases, or, beyond ASCII, might.
 * @param isExact whether the set is no superset of what is matched.
 */
export function dependsOnCase(set: CharacterSet, isExact: boolean): boolean {
  if (!sameSet(foldAscii(set), set)) return true
  const far = set.filter((code) => code > 0x7f)
  const wholeBeyondAscii = contains(set, 0x80) && far.length === 1
  if (far.length > 0 && !wholeBeyondAscii) return true
  return isExact && lettersOfThreeCases.some((code) => contains(set, code) !== wholeBeyondAscii)
}
