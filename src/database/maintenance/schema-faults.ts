import { text } from '../sql/row-values.js'
import type { SqlRow } from '../sql/sql-connection.js'
import type { SqlStore } from '../sql/sql-store.js'
import type { DatabaseFault } from './database-fault.js'
import { expectedSchema, type ExpectedPart, type PartKind } from './expected-schema.js'

/** Compares the tables, columns, keys, triggers and functions of the database with those of the newest schema. */
export async function schemaFaults({ database, tables }: SqlStore): Promise<readonly DatabaseFault[]> {
  const { reader, dialect } = database
  const catalog = new Catalog(await reader.query(dialect.maintenance.catalog))
  const faults: DatabaseFault[] = []
  for (const part of expectedSchema(dialect, tables)) {
    // The parts of a table that is missing are missing as well.
    if (part.kind !== 'table' && part.table !== null && !catalog.has('table', part.table, part.table)) continue
    const name = nameOf(part)
    if (!catalog.has(part.kind, part.table, part.name))
      faults.push({ sentence: `There is no ${name}.`, remedy: missingRemedy(part) })
    else if (!catalog.isOf(part))
      faults.push({ sentence: `The ${name} is not that of this program.`, remedy: otherRemedy(part) })
  }
  return faults
}

class Catalog {
  /** The text of each part. */
  readonly #parts = new Map<string, string>()

  constructor(rows: readonly SqlRow[]) {
    const keys = new Map<string, string[]>()
    for (const [kind, table, name, part, position] of rows) {
      if (kind === 'primary' || kind === 'unique') {
        const columns = keys.get(`${kind} ${text(table)} ${text(name)}`) ?? []
        // Positions begin with 0 or 1. A hole in the list has no effect below.
        columns[Number(position)] = text(part)
        keys.set(`${kind} ${text(table)} ${text(name)}`, columns)
      } else this.#parts.set(keyOf(text(kind), text(table), text(name)), text(part))
    }
    for (const [key, columns] of keys) {
      const [kind = '', table = ''] = key.split(' ')
      this.#parts.set(keyOf(kind, table, Object.values(columns).join(',')), '')
    }
  }

  has(kind: PartKind, table: string | null, name: string): boolean {
    return this.#parts.has(keyOf(kind, table ?? '', name))
  }

  /** Whether the database stores the same text for a part as the statement that creates it. */
  isOf({ kind, table, name, statement }: ExpectedPart): boolean {
    const storedStatement = this.#parts.get(keyOf(kind, table ?? '', name)) ?? ''
    return normalised(statement).includes(normalised(storedStatement))
  }
}

const keyOf = (kind: string, table: string, name: string): string => `${kind} ${table} ${name}`.toLowerCase()

/** A statement without the parts that databases change when they store it: white space, quotes, case and `IF NOT EXISTS`. */
const normalised = (statement: string): string => statement.replaceAll(/\s+|["`]|IF NOT EXISTS/gi, '').toLowerCase()

function nameOf({ kind, table, name }: ExpectedPart): string {
  switch (kind) {
    case 'table':
      return `table ${name}`
    case 'identity':
      return `automatic id of ${table}`
    case 'primary':
      return `primary key (${name}) of ${table}`
    case 'unique':
      return `unique key (${name}) of ${table}`
    case 'function':
    case 'collation':
      return `${kind} ${name}`
    default:
      return `${kind} ${name} of ${table}`
  }
}

function missingRemedy({ kind, statement }: ExpectedPart): string {
  switch (kind) {
    case 'trigger':
      return 'Run: as-rest-route db migrate'
    case 'index':
    case 'function':
    case 'collation':
      if (statement.startsWith('CREATE TABLE')) return 'Create it as the schema of an empty database has it.'
      return `Create it: ${statement.replaceAll(/\s+/g, ' ')}`
    case 'table':
    case 'column':
    case 'identity':
      return 'Restore the table from a backup, or change it to what the first start on an empty database creates.'
    default:
      return 'Copy the data into an empty database, which has all keys: as-rest-route db copy'
  }
}

const otherRemedy = ({ kind }: ExpectedPart): string =>
  kind === 'trigger'
    ? 'Drop it, and run: as-rest-route db migrate'
    : 'Copy the data into an empty database, which has the right one: as-rest-route db copy'
