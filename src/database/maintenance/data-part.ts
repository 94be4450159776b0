import { createHash, type Hash } from 'node:crypto'
import type { MovedRow } from './moved-row.js'
import type { MovedTable } from './moved-table.js'

/** All data of a database as a sequence: for each table its begin, its rows in the order of their keys, and its end. */
export type DataPart = TableBegin | TableRows | TableEnd

export interface TableBegin {
  readonly kind: 'begin'
  readonly table: MovedTable
  /** The number of rows that follow. */
  readonly count: number
  /** The highest id that the table has generated, also for rows that were deleted; 0 for a table that generates none. */
  readonly lastId: number
}

export interface TableRows {
  readonly kind: 'rows'
  readonly table: MovedTable
  readonly rows: readonly MovedRow[]
  /** The numbers of the lines of the file from which the rows come; null for rows of a database. */
  readonly lines: readonly number[] | null
}

export interface TableEnd {
  readonly kind: 'end'
  readonly table: MovedTable
  readonly count: number
  /** See `RowDigest`. */
  readonly sha256: string
}

/** A row as one line of JSON: the form that files have, and that checksums are made of. */
export const rowAsJson = (row: MovedRow): string => JSON.stringify(row)

/** The checksum of a table: SHA-256 of its rows as lines of JSON in the order of their keys. */
export class RowDigest {
  readonly #hash: Hash = createHash('sha256')
  #count = 0

  get count(): number {
    return this.#count
  }

  add(rows: readonly MovedRow[]): void {
    for (const row of rows) this.#hash.update(`${rowAsJson(row)}\n`)
    this.#count += rows.length
  }

  /** In hexadecimal. Ends the digest. */
  end(): string {
    return this.#hash.digest('hex')
  }
}
