import { text } from './row-values.js'
import type { SqlDatabase } from './sql-database.js'
import type { TableNames } from './table-names.js'

/** A table or trigger of the schema. */
export interface SchemaPart {
  readonly kind: 'table' | 'trigger'
  readonly name: string
  /** The statement that creates it. */
  readonly statement: string
}

const creation = /^CREATE (TABLE|TRIGGER) (?:IF NOT EXISTS )?(\w+)/

/** The tables and triggers of the newest version. Of two statements for one name, the later one counts. */
export function schemaParts({ dialect }: Pick<SqlDatabase, 'dialect'>, tables: TableNames): readonly SchemaPart[] {
  const parts = new Map<string, SchemaPart>()
  for (const statement of dialect.migrations(tables).flat()) {
    const [, kind, name] = creation.exec(statement) ?? []
    if (name === undefined) continue
    parts.set(name, { kind: kind === 'TABLE' ? 'table' : 'trigger', name, statement })
  }
  return [...parts.values()]
}

/** The parts that the database does not have. Another program may have dropped them, or copied only the tables. */
export async function missingParts(
  { reader, dialect }: SqlDatabase,
  parts: readonly SchemaPart[],
): Promise<readonly SchemaPart[]> {
  const rows = await reader.query(dialect.partNames)
  const names = new Set(rows.map(([name]) => text(name).toLowerCase()))
  return parts.filter(({ name }) => !names.has(name.toLowerCase()))
}

/**
 * Whether the database holds only parts of the schema. A start that was ended while it created them one after the other has left such a
 * database.
 */
export async function hasOnlyParts({ reader, dialect }: SqlDatabase, parts: readonly SchemaPart[]): Promise<boolean> {
  const names = new Set(parts.map(({ name }) => name.toLowerCase()))
  return (await reader.query(dialect.partNames)).every(([name]) => names.has(text(name).toLowerCase()))
}

/** `the table wp_terms, the trigger wp_users_insert_raises`, at most three of them. */
export function namesOf(parts: readonly SchemaPart[]): string {
  const names = parts.slice(0, 3).map(({ kind, name }) => `the ${kind} ${name}`)
  return names.join(', ') + (parts.length > 3 ? ` and ${parts.length - 3} more` : '')
}
