import { transactionOver } from '../storage-error.js'
import type { SqlTransaction, SqlValue } from './sql-connection.js'

/**
 * The connection of a nested transaction: that of the outer one, until `end` is called. A statement after the end of the inner
 * transaction would be stored with the outer one, although the inner one may have been rolled back.
 */
export class NestedConnection implements SqlTransaction {
  readonly locking: string
  readonly lockMissing?: (name: string) => Promise<void>
  #isOver = false

  constructor(private readonly outer: SqlTransaction) {
    this.locking = outer.locking ?? ''
    if (outer.lockMissing) this.lockMissing = async (name) => this.#open().lockMissing?.(name)
  }

  query(text: string, values?: readonly SqlValue[]) {
    return this.#open().query(text, values)
  }

  row(text: string, values?: readonly SqlValue[]) {
    return this.#open().row(text, values)
  }

  execute(text: string, values?: readonly SqlValue[]) {
    return this.#open().execute(text, values)
  }

  insert(text: string, values: readonly SqlValue[], idColumn: string) {
    return this.#open().insert(text, values, idColumn)
  }

  lock(names: readonly string[]) {
    return this.#open().lock(names)
  }

  /** Every later statement throws. Statements that were sent before are run before any later one of the outer transaction. */
  end(): void {
    this.#isOver = true
  }

  #open(): SqlTransaction {
    if (this.#isOver) throw transactionOver()
    return this.outer
  }
}
