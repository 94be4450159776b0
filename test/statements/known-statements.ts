import assert from 'node:assert/strict'
import { commonFunctions, commonWords, constructsOf, onlyOnGalera, type Dialect } from './engine-limits.js'
import { writtenStatements } from './recorded-statements.js'

const listOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

/** Texts in quotes, and names in quotes, are data. The bodies of functions are statements. */
const withoutData = (statement: string): string =>
  statement
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/`[^`]*`/g, '``')

/**
 * That what the documentation of distributed engines was searched for is all that these statements need: no word and no function is
 * unknown, and nothing is used that engines drop silently.
 */
export function requireKnownStatements(dialect: Dialect, statements: Iterable<string>): void {
  const [words, functions] = [listOf(commonWords[dialect]), listOf(commonFunctions[dialect])]
  const forbidden = constructsOf[dialect].filter(({ serves }) => serves === null)
  for (const statement of statements) {
    if (onlyOnGalera.test(statement)) continue
    const text = withoutData(statement)
    for (const [word] of text.matchAll(/\b[A-Z][A-Z_]+\b/g))
      assert.ok(
        words.has(word),
        `${word} is new: look it up for each engine of test/statements/engine-limits.ts.\n${statement}`,
      )
    for (const [, name = ''] of text.matchAll(/(?<![.\w?])([a-z_]\w*)\((?!\w+, \w+\) AS \()/g))
      assert.ok(
        functions.has(name) || /^(?:wp|shop)_|^(?:term_tree|raised|page|k|l|x)$/i.test(name),
        `${name}() is new: look it up for each engine of test/statements/engine-limits.ts.\n${statement}`,
      )
    for (const { name, isIn } of forbidden) assert.doesNotMatch(text, isIn, `${name} is not to be used`)
  }
}

/** That each construct that was looked up is in one of these statements or of the sources: the documentation names nothing else. */
export function requireUsedConstructs(dialect: Dialect, statements: ReadonlySet<string>): void {
  const used = [...statements, ...writtenStatements(dialect)]
  const unused = constructsOf[dialect].filter(
    ({ serves, isIn }) => serves !== null && !used.some((statement) => isIn.test(statement)),
  )
  assert.deepEqual(
    unused.map(({ name }) => name),
    [],
  )
}
