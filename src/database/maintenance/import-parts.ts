import { RowDigest, type DataPart } from './data-part.js'
import { exportFormat, exportVersion, type ExportHeader } from './export-lines.js'
import { fileLines, type FileLine } from './file-lines.js'
import { importError } from './import-error.js'
import { isAfter, type MovedRow, type RowKey } from './moved-row.js'
import { columnNames, movedTables, type MovedTable } from './moved-table.js'
import { maxChunkBytes, maxChunkRows } from './table-walk.js'

/** A file that is being read. */
export interface ImportFile {
  readonly header: ExportHeader
  /** The data of the file. They are read once. */
  readonly parts: AsyncIterable<DataPart>
}

/** Reads the first line. @throws StorageError that names the line of the fault. */
export async function importFile(bytes: AsyncIterable<Uint8Array | string>): Promise<ImportFile> {
  const lines = singleLines(fileLines(bytes))
  const first = await lines.next()
  if (first.done === true) throw importError(1, 'the file is empty.')
  return { header: headerOf(first.value), parts: new PartsReader(lines).parts() }
}

async function* singleLines(groups: AsyncIterable<FileLine[]>): AsyncGenerator<FileLine, void> {
  for await (const group of groups) yield* group
}

function headerOf({ number, text }: FileLine): ExportHeader {
  const header = objectOf(text)
  if (header?.['format'] !== exportFormat)
    throw importError(number, 'it is not the first line of an export of `as-rest-route db export`.')
  if (header['version'] !== exportVersion)
    throw importError(
      number,
      `the file has version ${String(header['version'])} of the format, and this program reads version ${exportVersion}.`,
    )
  const { id, created, prefix, rows } = header
  if (typeof id !== 'string' || typeof created !== 'string' || typeof prefix !== 'string' || typeof rows !== 'number')
    throw importError(number, 'it lacks id, created, prefix or rows.')
  return header as unknown as ExportHeader
}

/** The table whose rows are being read. */
interface OpenTable {
  readonly table: MovedTable
  readonly digest: RowDigest
  last: RowKey | null
  rows: MovedRow[]
  lines: number[]
  length: number
}

class PartsReader {
  readonly #lines: AsyncIterable<FileLine>
  readonly #missing = new Set(movedTables)
  #open: OpenTable | null = null
  #isOver = false

  constructor(lines: AsyncIterable<FileLine>) {
    this.#lines = lines
  }

  async *parts(): AsyncGenerator<DataPart> {
    let number = 1
    for await (const line of this.#lines) {
      number = line.number
      if (this.#isOver) throw importError(number, 'nothing may follow the end of the export.')
      if (line.text.startsWith('[')) {
        if (this.#addRow(line)) yield* this.#takeRows()
      } else yield* this.#marker(line)
    }
    if (!this.#isOver) throw importError(number + 1, 'the file ends here, before the end of the export.')
  }

  *#marker({ number, text }: FileLine): Generator<DataPart> {
    const marker = objectOf(text)
    if (marker === null) throw importError(number, 'it is not JSON of an export.')
    if (typeof marker['table'] === 'string') yield this.#begin(number, marker)
    else if (marker['end'] === exportFormat) this.#end(number)
    else if (this.#open !== null && marker['end'] === this.#open.table.name) yield* this.#endTable(number, marker)
    else throw importError(number, 'it neither begins nor ends a table.')
  }

  #begin(number: number, { table: name, columns, rows, last_id: lastId }: Readonly<Record<string, unknown>>): DataPart {
    if (this.#open !== null) throw importError(number, `the table ${this.#open.table.name} has no end.`)
    const [table] = this.#missing
    if (table === undefined || table.name !== name)
      throw importError(number, `the table ${String(name)} is unknown, or not in its place.`)
    if (JSON.stringify(columns) !== JSON.stringify(columnNames(table)))
      throw importError(
        number,
        `the table ${table.name} has other columns than these: ${columnNames(table).join(', ')}.`,
      )
    if (!isCount(rows) || !isCount(lastId)) throw importError(number, 'rows and last_id must be whole numbers.')
    this.#missing.delete(table)
    this.#open = { table, digest: new RowDigest(), last: null, rows: [], lines: [], length: 0 }
    return { kind: 'begin', table, count: rows, lastId }
  }

  /** @returns whether the rows are enough for a chunk. */
  #addRow({ number, text }: FileLine): boolean {
    const open = this.#open
    if (open === null) throw importError(number, 'the row belongs to no table.')
    const row = rowOf(number, text, open.table)
    const key = row.slice(0, open.table.keyLength) as number[]
    if (!isAfter(key, open.last))
      throw importError(number, `the rows of ${open.table.name} are not in the order of their ids.`)
    open.last = key
    open.rows.push(row)
    open.lines.push(number)
    open.length += text.length
    return open.rows.length >= maxChunkRows || open.length >= maxChunkBytes
  }

  *#takeRows(): Generator<DataPart> {
    const open = this.#open
    if (open === null || open.rows.length === 0) return
    const { table, rows, lines } = open
    open.digest.add(rows)
    open.rows = []
    open.lines = []
    open.length = 0
    yield { kind: 'rows', table, rows, lines }
  }

  *#endTable(number: number, { rows, sha256 }: Readonly<Record<string, unknown>>): Generator<DataPart> {
    const open = this.#open
    if (open === null) return
    yield* this.#takeRows()
    const { table, digest } = open
    const checksum = digest.end()
    if (rows !== digest.count || sha256 !== checksum)
      throw importError(
        number,
        `the rows of ${table.name} are not those of the export: their number or checksum differs.`,
      )
    this.#open = null
    yield { kind: 'end', table, count: digest.count, sha256: checksum }
  }

  #end(number: number): void {
    if (this.#open !== null) throw importError(number, `the table ${this.#open.table.name} has no end.`)
    const missing = [...this.#missing].find(({ isNew }) => !isNew)
    if (missing !== undefined) throw importError(number, `the table ${missing.name} is missing.`)
    this.#isOver = true
  }
}

function rowOf(line: number, text: string, { columns, keyLength }: MovedTable): MovedRow {
  const values = jsonOf(text)
  if (!Array.isArray(values) || values.length !== columns.length)
    throw importError(line, `it is not a list of ${columns.length} values.`)
  for (const [index, { name, kind, isNullable }] of columns.entries()) {
    const value: unknown = values[index]
    const least = index >= keyLength ? Number.MIN_SAFE_INTEGER : keyLength === 1 ? 1 : 0
    const fits =
      value === null
        ? isNullable
        : kind === 'text'
          ? typeof value === 'string'
          : Number.isSafeInteger(value) && (value as number) >= least
    if (!fits)
      throw importError(
        line,
        `the value of ${name} is not a ${kind === 'text' ? 'text' : 'whole number'} that it may hold.`,
      )
  }
  return values as MovedRow
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/** Undefined for a text that is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function objectOf(text: string): Readonly<Record<string, unknown>> | null {
  const value = jsonOf(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null
}
