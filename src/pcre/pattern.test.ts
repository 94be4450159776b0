import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failuresIn } from '../../conformance/replay/failures.js'
import { argumentPattern, PatternError, routePattern, translatePattern } from './pattern.js'

type Case = [pattern: string, text: string, captured: Record<string, string> | null]

/** Results of PCRE2 10.42 for the pattern between `^` and `$`, with the flag `i`. */
const routeCases: Case[] = [
  [String.raw`/(?P<n>\d+)`, '/5', { n: '5' }],
  [String.raw`/(?P<n>\d+)`, '/5\n', { n: '5' }],
  [String.raw`/(?P<n>\d+)`, '/5\n\n', null],
  [String.raw`/(?P<n>\d+)`, '/a', null],
  [String.raw`/(?P<n>\d+)`, '/٣', null],
  [String.raw`/(?<n>[\w-]+)`, '/a-_1', { n: 'a-_1' }],
  [String.raw`/(?<n>[\w-]+)`, '/a.b', null],
  [String.raw`/(?'n'a)`, '/A', { n: 'A' }],
  [String.raw`/(?P<n>[[:alpha:]]+)`, '/ab', { n: 'ab' }],
  [String.raw`/(?P<n>[[:alpha:]]+)`, '/:', null],
  [String.raw`/(?P<n>[[:^digit:]x]+)`, '/ab', { n: 'ab' }],
  [String.raw`/(?P<n>[[:^digit:]x]+)`, '/1', null],
  [String.raw`/[\@_\-]`, '/@', {}],
  [String.raw`/[\@_\-]`, '/-', {}],
  [String.raw`/\Aa`, '/a', null],
  [String.raw`/a\z`, '/a', {}],
  [String.raw`/a\z`, '/a\n', null],
  [String.raw`/a\Z`, '/a\n', {}],
  [String.raw`/(?P<n>\h+)x`, '/ \tx', { n: ' \t' }],
  [String.raw`/(?P<n>\h+)x`, '/\nx', null],
  [String.raw`/a\Rb`, '/a\r\nb', {}],
  [String.raw`/a\Rb`, '/a\nb', {}],
  [String.raw`/a\Rb`, '/ab', null],
  [String.raw`/\R\n`, '/\r\n', null],
  [String.raw`/\R\n`, '/\n\n', {}],
  [String.raw`/(?P<n>a++)ab?`, '/aa', null],
  [String.raw`/(?P<n>a++)ab?`, '/aab', null],
  [String.raw`/(?>a|ab)c`, '/ac', {}],
  [String.raw`/(?>a|ab)c`, '/abc', null],
  [String.raw`/(?P<n>\d*+)\d`, '/12', null],
  [String.raw`/(?i:a)(?-i)b`, '/Ab', {}],
  [String.raw`/(?i:a)(?-i)b`, '/AB', null],
  [String.raw`/(?-i)Ab`, '/Ab', {}],
  [String.raw`/(?-i)Ab`, '/ab', null],
  [String.raw`/(?P<n>a)(?P=n)\k<n>\1\g{-1}`, '/aAaAa', { n: 'a' }],
  [String.raw`/(?P<n>a)(?P=n)\k<n>\1\g{-1}`, '/aaaa', null],
  [String.raw`/(?|(?P<n>a)|(?P<n>b))`, '/a', { n: 'a' }],
  [String.raw`/(?|(?P<n>a)|(?P<n>b))`, '/b', { n: 'b' }],
  [String.raw`/(?J)(?:(?P<n>a)|(?P<n>b))`, '/a', { n: 'a' }],
  [String.raw`/(?J)(?:(?P<n>a)|(?P<n>b))`, '/b', { n: 'b' }],
  [String.raw`/(?J)(?P<n>a)?(?P<n>b)?`, '/a', { n: 'a' }],
  [String.raw`/(?J)(?P<n>a)?(?P<n>b)?`, '/b', { n: 'b' }],
  [String.raw`/(?J)(?P<n>a)?(?P<n>b)?`, '/ab', { n: 'b' }],
  [String.raw`/(?J)(?P<n>a)?(?P<n>b)?`, '/', {}],
  [String.raw`/(?P<a>x)?(?P<b>y)?`, '/', {}],
  [String.raw`/(?P<a>x)?(?P<b>y)?`, '/x', { a: 'x' }],
  [String.raw`/(?P<a>x)?(?P<b>y)?`, '/y', { a: '', b: 'y' }],
  [String.raw`/(?P<a>x)?(y)`, '/y', { a: '' }],
  [String.raw`/(?P<a>x*)?`, '/', { a: '' }],
  [String.raw`/(?P<a>x*)??y`, '/y', {}],
  [String.raw`/(?x) a b # c`, '/ab', {}],
  [String.raw`/(?x) a b # c`, '/abc', {}],
  [String.raw`/(?#c)a`, '/a', {}],
  [String.raw`/\Q.*\E`, '/.*', {}],
  [String.raw`/\Q.*\E`, '/a', null],
  [String.raw`/(?U)(?P<a>\d+)(?P<b>\d*)`, '/123', { a: '1', b: '23' }],
  [String.raw`/(?P<n>x)(?(n)y|z)`, '/xy', { n: 'x' }],
  [String.raw`/(?P<n>x)(?(n)y|z)`, '/xz', null],
  [String.raw`/(?(?=\d)\d\d|[a-z])`, '/12', {}],
  [String.raw`/(?(?=\d)\d\d|[a-z])`, '/a', {}],
  [String.raw`/(?(?=\d)\d\d|[a-z])`, '/1', null],
  [String.raw`/(?s).`, '/\n', {}],
  [String.raw`/(?s).`, '/a', {}],
  [String.raw`/.`, '/\n', null],
  [String.raw`/.`, '/\r', {}],
  [String.raw`/.`, '/é', null],
  [String.raw`/.`, '/a', {}],
  [String.raw`/.{2}`, '/é', {}],
  [String.raw`/é`, '/é', {}],
  [String.raw`/é`, '/É', null],
  [String.raw`/[é]`, '/é', null],
  [String.raw`/[é]`, '/ã', null],
  [String.raw`/\p{L}+`, '/ab', {}],
  [String.raw`/\p{L}+`, '/é', null],
  [String.raw`/[^a]`, '/A', null],
  [String.raw`/[^a]`, '/b', {}],
  [String.raw`/(?m)a$\nb`, '/a\nb', {}],
  [String.raw`/\bx\B.`, '/xy', {}],
  [String.raw`/\bx\B.`, '/x-', null],
  [String.raw`/[]a]`, '/]', {}],
  [String.raw`/[a\]]`, '/]', {}],
  [String.raw`/a{,2}`, '/a{,2}', {}],
  [String.raw`/a{,2}`, '/aa', null],
  [String.raw`/\x41\x{42}\103`, '/abc', {}],
  [String.raw`/a|b`, '/ax', {}],
  [String.raw`/a|b`, 'xb', {}],
  [String.raw`/a|b`, '/b', {}],
  [String.raw`/a|b`, 'b', {}],
  [String.raw`/(?<=\/)a(?!b)c?`, '/a', {}],
  [String.raw`/(?<=\/)a(?!b)c?`, '/ab', null],
  [String.raw`/(?n)(a)(?P<n>b)`, '/ab', { n: 'b' }],
]

/** Results of PCRE2 10.42 with PHP's flag `u`. */
const argumentCases: Case[] = [
  [String.raw`^\d+$`, '12', {}],
  [String.raw`^\d+$`, '１２', {}],
  [String.raw`^\d+$`, 'a', null],
  [String.raw`^\d+$`, '12\n', {}],
  [String.raw`^\w+$`, 'é_1', {}],
  [String.raw`^\w+$`, 'a-b', null],
  [String.raw`^.$`, '😀', {}],
  [String.raw`^.$`, 'é', {}],
  [String.raw`^.$`, 'ab', null],
  [String.raw`(?i)^É$`, 'é', {}],
  [String.raw`(?i)^É$`, 'e', null],
  [String.raw`(?i)^k$`, 'K', {}],
  [String.raw`(?i)^[A-Za-z]$`, '\u212a', {}],
  [String.raw`(?i)^[^A-Za-z]$`, '\u212a', null],
  [String.raw`(?i)^\x{17f}$`, 's', {}],
  [String.raw`^[\W\s]+$`, '- \u2028', {}],
  [String.raw`^[\W\s]+$`, '-a', null],
  [String.raw`(?<=[\W,])b`, '-b', {}],
  [String.raw`(?<=[\W,])b`, 'ab', null],
  [String.raw`^[\W_]+$`, '_-', {}],
  [String.raw`^[\W_]+$`, 'a', null],
  [String.raw`^[^\Wa]+$`, 'bé', {}],
  [String.raw`^[^\Wa]+$`, 'a', null],
  [String.raw`^[^\Wa]+$`, '-', null],
  [String.raw`^\p{L}+$`, '日本', {}],
  [String.raw`^\p{L}+$`, '1', null],
  [String.raw`^\P{Lu}$`, 'a', {}],
  [String.raw`^\P{Lu}$`, 'A', null],
  [String.raw`^\p{Greek}$`, 'σ', {}],
  [String.raw`^\p{Greek}$`, 's', null],
  [String.raw`^[[:punct:]]$`, '€', null],
  [String.raw`^[[:punct:]]$`, '$', {}],
  [String.raw`^[[:punct:]]$`, '—', {}],
  [String.raw`^[[:punct:]]$`, 'a', null],
  [String.raw`^\s$`, ' ', {}],
  [String.raw`^\s$`, ' ', {}],
  [String.raw`^\s$`, 'x', null],
  [String.raw`\bé`, 'aé', null],
  [String.raw`\bé`, '-é', {}],
  [String.raw`^\x{4f60}`, '你', {}],
  [String.raw`b$`, 'ab\n', {}],
  [String.raw`b$`, 'ba', null],
  [String.raw`^\R$`, ' ', {}],
  [String.raw`^\R$`, '\r\n', {}],
  [String.raw`(a)\1`, 'aa', {}],
  [String.raw`(a)\1`, 'ab', null],
  [String.raw`^(?=.*\d).{4,}$`, 'abc1', {}],
  [String.raw`^(?=.*\d).{4,}$`, 'abcd', null],
  ['^(?>(?:a*?|b)?)$', 'b', null],
  ['^(?>(?:b|a*?)?)$', 'b', {}],
]

test('route patterns capture what PCRE captures', () => {
  const differences = routeCases.flatMap((row) =>
    differenceOf(row, translatePattern(row[0], routePattern).capture(row[1])),
  )
  assert.deepEqual(differences, [])
})

test('argument patterns match what PCRE matches', () => {
  const differences = argumentCases.flatMap((row) =>
    differenceOf(row, translatePattern(row[0], argumentPattern).capture(row[1])),
  )
  assert.deepEqual(differences, [])
})

function differenceOf([pattern, text, expected]: Case, actual: Record<string, string> | null): unknown[] {
  const plainActual = actual && { ...actual }
  return JSON.stringify(plainActual) === JSON.stringify(expected)
    ? []
    : [{ pattern, text, expected, actual: plainActual }]
}

test('captures are returned in a map without prototype', () => {
  const captured = translatePattern('/(?P<__proto__>\\d)', routePattern).capture('/5')
  assert.equal(Object.getPrototypeOf(captured), null)
  assert.deepEqual(Object.entries(captured ?? {}), [['__proto__', '5']])
})

test('names are listed in the order of their groups, each once', () => {
  const { names } = translatePattern('/(?J)(?P<b>\\d)(x)(?P<a>\\d)|/(?P<b>y)', routePattern)
  assert.deepEqual(names, ['b', 'a'])
})

test('text that is not UTF-8 matches no argument pattern', () => {
  assert.equal(translatePattern('a', argumentPattern).matches('a\udcff'), false)
  assert.equal(translatePattern('/a.', routePattern).matches('/a\udcff'), true)
})

test('all shapes of the routes of WordPress match as recorded', async () =>
  assert.deepEqual(await failuresIn('routes-wordpress-shapes'), []))

/** Patterns that PCRE refuses. */
const invalid: [pattern: string, index: number, message: RegExp][] = [
  ['/(?P<n>[', 7, /no '\]'/],
  ['/(?P<id>\\d+', 1, /no '\)'/],
  ['/a)', 2, /no '\('/],
  ['/é(', 2, /no '\)'/],
  ['/(?:*a)', 4, /nothing here to repeat/],
  ['/a{2}{2}', 5, /nothing here to repeat/],
  ['/a|+', 3, /nothing here to repeat/],
  ['/\\A?', 1, /anchor/],
  ['/(?P<1n>a)', 1, /cannot name a group/],
  ['/(?P<n>a)(?P<n>b)', 9, /Two groups are named 'n'/],
  ['/[b-a]', 2, /backwards/],
  ['/[[:nope:]]', 2, /not a POSIX class/],
  ['/[\\w-a]', 2, /hyphen/],
  ['/[[.a.]]', 2, /Collating/],
  ['/\\y', 1, /means nothing/],
  ['/(?<=a+)b', 1, /fixed length/],
  ['/(?<=\\R)b', 1, /fixed length/],
  ['/(?<=a|\\R)b', 1, /fixed length/],
  ['/\\x{100}', 1, /byte/],
  ['/a{2,1}', 1, /below the first/],
  ['/\\1', 1, /does not come before/],
  ['/\\p{Nope}', 1, /not a Unicode property/],
  ['/(?#', 1, /comment/],
  ['/a\\', 2, /lone backslash/],
  ['/a@b', 2, /write '\\@'/],
  [`/${'('.repeat(300)}`, 251, /nested/],
]
/** Patterns that PCRE accepts, but that have no equivalent in JavaScript. */
const untranslatable: [pattern: string, index: number, message: RegExp][] = [
  ['/(a|b(?1))', 5, /calls itself/],
  ['/(?R)?', 1, /calls itself/],
  ['/a\\Kb', 2, /no equivalent/],
  ['/\\X', 1, /no equivalent/],
  ['/(a)?\\1', 5, /may not have matched/],
  ['/(a)?(?(1)b|c)', 5, /may not have matched/],
  ['/(?:(?P<a>a)|(?P<b>b))+', 1, /in only some repetitions/],
  ['/(?P<x>a*)*', 1, /in only some repetitions/],
  ['/(*COMMIT)a', 1, /verb/],
  ['/(a)(?-i)b\\1(?i)\\1', 16, /one part/],
  ['/(a)\\1[\\xc3]', 4, /one part/],
  ['/(?:a??)*b', 1, /prefers to match the empty text/],
]
for (const [pattern, index, message] of [...invalid, ...untranslatable])
  test(`${pattern.slice(0, 40)} is refused with the position of the error`, () => {
    assert.throws(
      () => translatePattern(pattern, routePattern),
      (error) => {
        assert.ok(error instanceof PatternError, String(error))
        assert.match(error.message, message)
        assert.deepEqual([error.index, error.source], [index, pattern])
        return true
      },
    )
  })

const locations: [source: string, index: number, location: string][] = [
  ['/a/(?P<id>\\d+', 3, `at character 4: '(?P<id>\\d+'`],
  ['/日\n(', 3, `at character 4: '('`],
  ['/\u{1F600}\n(', 3, `at character 3: '\u00b7('`],
  ['/(?P<year>\\d{4})/x', 1, `at character 2: '(?P<year>\\d{…'`],
  ['/a\\', 3, 'at the end'],
]
for (const [source, index, location] of locations)
  test(`an error in ${JSON.stringify(source)} names its position: ${location}`, () => {
    const error = new PatternError('Something is wrong here.', source, index)
    assert.equal(error.sentence, `Something is wrong here (${location}).`)
  })

test('an error quotes a pattern with characters outside ASCII as it was written', () => {
  assert.throws(() => translatePattern('/a/(?<größe>x)', routePattern), {
    message: "'größe' cannot name a group: a name has up to 32 letters, digits and '_', and begins with no digit.",
  })
})
