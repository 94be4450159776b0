import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { MysqlConnection } from '../../src/database/mysql/mysql-connection.js'
import { PostgresConnection } from '../../src/database/postgres/postgres-connection.js'
import type { Dialect } from './engine-limits.js'

const connections = { PostgreSQL: PostgresConnection, MariaDB: MysqlConnection } as const

/** The texts of all statements that the connections of this process send until `stop`. */
export function recordStatements(dialect: Dialect): { readonly statements: ReadonlySet<string>; stop(): void } {
  const statements = new Set<string>()
  const { prototype } = connections[dialect]
  const original = Reflect.get(prototype, 'run') as (...all: unknown[]) => unknown
  Object.assign(prototype, {
    run(this: object, ...all: unknown[]) {
      statements.add(String(all[0]))
      return Reflect.apply(original, this, all)
    },
  })
  const { runTogether } = PostgresConnection.prototype
  if (dialect === 'PostgreSQL')
    PostgresConnection.prototype.runTogether = function (together) {
      for (const [text] of together) statements.add(text)
      return Reflect.apply(runTogether, this, [together]) as ReturnType<typeof runTogether>
    }
  const stop = (): void => {
    Object.assign(prototype, { run: original })
    PostgresConnection.prototype.runTogether = runTogether
  }
  return { statements, stop }
}

const folder = fileURLToPath(new URL('../../src/database/', import.meta.url))
const beginning =
  /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER|DROP|SET|BEGIN|START|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|LOCK|ANALYZE|TRUNCATE|SHOW|\/\* lock \*\/)\b/

const folders: Readonly<Record<Dialect, readonly string[]>> = {
  PostgreSQL: ['sql', 'postgres'],
  MariaDB: ['sql', 'mysql'],
}

/**
 * The statements that the sources write out, with `?` for each expression in them. Of the dialects it also has parts of
 * statements.
 * Those for the database of a WordPress site are left out: no distributed engine holds one.
 */
export function writtenStatements(dialect: Dialect): readonly string[] {
  return folders[dialect].flatMap((name) =>
    readdirSync(join(folder, name))
      .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|wordpress/.test(file))
      .flatMap((file) => {
        const isDialect = file.endsWith('-dialect.ts')
        return textsOf(join(folder, name, file)).filter((text) => isDialect || beginning.test(text))
      }),
  )
}

/** The texts of a source, with `?` for each expression. */
function textsOf(path: string): readonly string[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const texts: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) texts.push(node.text)
    if (ts.isTemplateExpression(node))
      texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('?'))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return texts
}
