import type { SqlDialect } from '../sql/sql-dialect.js'
import type { TableNames } from '../sql/table-names.js'

export type PartKind =
  | 'table'
  | 'column'
  | 'index'
  | 'unique'
  | 'primary'
  | 'identity'
  | 'trigger'
  | 'function'
  | 'collation'

/** A part of the schema. */
export interface ExpectedPart {
  readonly kind: PartKind
  /** Null for a part that belongs to no table. */
  readonly table: string | null
  /** For a key, its columns with commas between them, because keys may have any name; empty for an identity. */
  readonly name: string
  /** The statement that creates it. */
  readonly statement: string
}

/**
 * The parts of the newest schema, read from the statements of the dialect. Of two statements for one name, the later one counts.
 * @throws Error for a statement that is not understood: a test calls this for every dialect.
 */
export function expectedSchema({ migrations }: SqlDialect, tables: TableNames): readonly ExpectedPart[] {
  const parts = new Map<string, ExpectedPart>()
  for (const statement of migrations(tables).flat())
    for (const part of partsOf(statement)) parts.set(`${part.kind} ${part.table} ${part.name}`, part)
  return [...parts.values()]
}

const creation =
  /^CREATE (?<unique>UNIQUE )?(?<kind>TABLE|INDEX|TRIGGER|FUNCTION|COLLATION) (?:IF NOT EXISTS )?(?:"\w+"\.)?(?<name>\w+)\s*(?<rest>[\s\S]*)$/

function partsOf(statement: string): readonly ExpectedPart[] {
  // Dropped triggers are created again by the next statement; the others change rows.
  if (/^(?:DROP TRIGGER IF EXISTS|LOCK TABLE|INSERT|DELETE) /.test(statement)) return []
  const added = /^ALTER TABLE (\w+) ADD (?:COLUMN )?(?:IF NOT EXISTS )?(\w+)/.exec(statement)
  if (added !== null) return [{ kind: 'column', table: added[1] ?? '', name: added[2] ?? '', statement }]
  const { kind, name = '', rest = '', unique } = creation.exec(statement)?.groups ?? {}
  const part = (partKind: PartKind, table: string | null, partName = name): ExpectedPart => ({
    kind: partKind,
    table,
    name: partName,
    statement,
  })
  switch (kind) {
    case 'TABLE':
      return [
        part('table', name),
        ...definitionsOf(rest).flatMap((definition) => partsOfDefinition(definition, name, part)),
      ]
    case 'INDEX': {
      const [, table = '', columns = ''] = /^ON (\w+) \((.*?)\)/s.exec(rest) ?? []
      return [part('index', table), ...(unique ? [part('unique', table, namesIn(columns))] : [])]
    }
    case 'TRIGGER':
      return [part('trigger', / ON (\w+)/.exec(` ${rest}`)?.[1] ?? '')]
    case 'FUNCTION':
    case 'COLLATION':
      return [part(kind === 'FUNCTION' ? 'function' : 'collation', null)]
    default:
      throw new Error(`The check of the schema does not know this statement: ${statement.slice(0, 80)}`)
  }
}

/** The parts of the parentheses after the name of a table. */
function definitionsOf(rest: string): readonly string[] {
  const definitions: string[] = []
  let depth = 0
  let text = ''
  for (const character of rest.replaceAll(/'[^']*'/g, "''")) {
    if (character === ')') depth -= 1
    if (depth === 0 && text !== '') {
      definitions.push(text)
      break
    }
    if (character === ',' && depth === 1) {
      definitions.push(text)
      text = ''
    } else if (depth > 0) text += character
    if (character === '(') depth += 1
  }
  return definitions.map((definition) => definition.trim())
}

function partsOfDefinition(
  definition: string,
  table: string,
  part: (kind: PartKind, table: string, name: string) => ExpectedPart,
): readonly ExpectedPart[] {
  const [, kind, name = '', columns = ''] =
    /^(PRIMARY KEY|UNIQUE KEY|UNIQUE|KEY)\s*(\w*)\s*\(([\s\S]*)\)$/.exec(definition) ?? []
  if (kind === 'PRIMARY KEY') return [part('primary', table, namesIn(columns))]
  if (kind === 'KEY') return [part('index', table, name)]
  if (kind !== undefined) return [part('unique', table, namesIn(columns))]
  const [column = ''] = definition.split(/\s/)
  return [
    part('column', table, column),
    ...(/\bPRIMARY KEY\b/.test(definition) ? [part('primary', table, column)] : []),
    ...(/\bUNIQUE\b/.test(definition) ? [part('unique', table, column)] : []),
    ...(/\bAUTO_?INCREMENT\b|\bAS IDENTITY\b/.test(definition) ? [part('identity', table, '')] : []),
  ]
}

const namesIn = (columns: string): string => columns.replaceAll(/\s/g, '')
