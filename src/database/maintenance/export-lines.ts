import { rowAsJson, type DataPart } from './data-part.js'
import { columnNames } from './moved-table.js'

/** The name of the format, in the first line of each file. */
export const exportFormat = 'as-rest-route export'
/** The version of the format that this program writes and reads. */
export const exportVersion = 1

/** The first line of a file. */
export interface ExportHeader {
  readonly format: typeof exportFormat
  readonly version: number
  /** Identifies the export: an import that was ended in the middle is continued by the same file only. */
  readonly id: string
  /** When the data were read, in ISO 8601. */
  readonly created: string
  /** The prefix of the names of all tables. */
  readonly prefix: string
  /** The number of rows of all tables. */
  readonly rows: number
}

/**
 * The lines of a file, without line breaks, in groups of about a chunk of rows. After the header, each table has a line with its
 * name, columns, number of rows and highest id; a line for each row, which is a list of values; and a line with the number
 * and the checksum of its rows. The last line ends the file.
 */
export async function* exportLines(header: ExportHeader, parts: AsyncIterable<DataPart>): AsyncGenerator<string[]> {
  yield [JSON.stringify(header)]
  for await (const part of parts) {
    const { table } = part
    if (part.kind === 'begin')
      yield [JSON.stringify({ table: table.name, columns: columnNames(table), rows: part.count, last_id: part.lastId })]
    else if (part.kind === 'rows') yield part.rows.map(rowAsJson)
    else yield [JSON.stringify({ end: table.name, rows: part.count, sha256: part.sha256 })]
  }
  yield [JSON.stringify({ end: exportFormat })]
}
