import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { constructsOf, enginesOf, type Dialect, type Engine, type Limit } from './engine-limits.js'
import { requireKnownStatements } from './known-statements.js'
import { writtenStatements } from './recorded-statements.js'

const document = new URL('../../docs/scaling.md', import.meta.url)
const updates = process.env['UPDATE_SNAPSHOTS'] === '1'

const shown = (limit: Limit | undefined): string => {
  if (limit === undefined) return ''
  const { state, note, source } = limit
  return `[${state}](${source})${note === undefined ? '' : `: ${note}`}`
}

function tableOf(dialect: Dialect): string {
  const engines = enginesOf[dialect]
  const rows = constructsOf[dialect].map(
    ({ name, serves, on }) =>
      `| ${name} | ${serves ?? 'not used'} | ${engines.map((engine) => shown(on[engine])).join(' | ')} |`,
  )
  return [
    `| For ${dialect} | serves | ${engines.join(' | ')} |`,
    `|---|---|${engines.map(() => '---|').join('')}`,
    ...rows,
  ].join('\n')
}

/** The row of an engine in the list of engines. */
const rowOf = (text: string, engine: Engine): string =>
  text.split('\n').find((line) => line.startsWith(`| ${engine} |`)) ??
  assert.fail(`docs/scaling.md does not list ${engine}.`)

for (const dialect of ['PostgreSQL', 'MariaDB'] as const)
  describe(`the statements for ${dialect} and distributed engines`, () => {
    const statements = writtenStatements(dialect)

    it('use only functions that are listed', () => {
      assert.ok(statements.length > 100)
      requireKnownStatements(dialect, statements)
    })

    for (const { name, on } of constructsOf[dialect])
      it(`${name}: was looked up for each engine`, () => {
        assert.deepEqual(Object.keys(on), [...enginesOf[dialect]])
        for (const limit of Object.values(on)) {
          assert.match(limit.source, /^https:\/\/\S+$/)
          assert.equal(limit.state === 'limited' && limit.note === undefined, false, 'a bound is named')
        }
      })

    it('docs/scaling.md has the same table', () => {
      const text = readFileSync(document, 'utf8')
      const begin = text.indexOf(`| For ${dialect} |`)
      const end = text.indexOf('\n\n', begin)
      assert.ok(begin !== -1 && end !== -1)
      if (updates) writeFileSync(document, text.slice(0, begin) + tableOf(dialect) + text.slice(end))
      else assert.equal(text.slice(begin, end), tableOf(dialect))
    })

    it('docs/scaling.md says of each engine that it was not run, and what it has not', () => {
      const text = readFileSync(document, 'utf8')
      for (const engine of enginesOf[dialect]) {
        const row = rowOf(text, engine)
        assert.match(row, /\| not run \|/)
        for (const { word, serves, on } of constructsOf[dialect])
          if (serves !== null && on[engine]?.state === 'no')
            assert.ok(row.includes(word), `${engine} has no ${word}: ${row}`)
      }
    })
  })
