import { randomUUID } from 'node:crypto'
import type { SqlStore } from '../sql/sql-store.js'
import { StorageError } from '../storage-error.js'
import { countAll, databaseParts, requireComplete } from './database-parts.js'
import type { DataPart } from './data-part.js'
import { exportFormat, exportLines, exportVersion, type ExportHeader } from './export-lines.js'
import { importFile } from './import-parts.js'
import { load, type LoadedTable, type LoadOptions, type Progress } from './load.js'

/** Hooks of a command that moves data. */
export interface MoveOptions extends Omit<LoadOptions, 'source' | 'onProgress'> {
  /** @param total rows of a step; each of the two steps of a copy has as many. */
  readonly onProgress: (progress: Progress, total: number) => void
}

/**
 * Copies all data as of one moment into a database that holds none. Ids and hashes are kept.
 * @throws StorageError @throws the reason of the signal
 */
export async function copyDatabase(
  from: SqlStore,
  to: SqlStore,
  { onProgress, ...options }: MoveOptions,
): Promise<readonly LoadedTable[]> {
  await requireComplete(from)
  return from.readSnapshot(async (reader) => {
    const total = await countAll(reader, from)
    return load(to, databaseParts(reader, from), {
      ...options,
      source: from.name,
      onProgress: (progress) => onProgress(progress, total),
    })
  })
}

/**
 * Writes all data as of one moment as lines of JSON.
 * @param prefix of the tables, as the application has it.
 * @param write resolves when the next lines may be written.
 * @throws StorageError @throws the reason of the signal
 */
export async function exportDatabase(
  from: SqlStore,
  prefix: string,
  write: (text: string) => Promise<void>,
  { onProgress, signal }: MoveOptions,
): Promise<ExportHeader> {
  await requireComplete(from)
  return from.readSnapshot(async (reader) => {
    const rows = await countAll(reader, from)
    const created = new Date().toISOString()
    const header: ExportHeader = {
      format: exportFormat,
      version: exportVersion,
      id: randomUUID(),
      created,
      prefix,
      rows,
    }
    let done = 0
    const watched = async function* (): AsyncGenerator<DataPart> {
      for await (const part of databaseParts(reader, from)) {
        signal?.throwIfAborted()
        if (part.kind === 'rows') done += part.rows.length
        onProgress({ step: 'moving', table: from.tables[part.table.name], done }, rows)
        yield part
      }
    }
    for await (const lines of exportLines(header, watched())) await write(`${lines.join('\n')}\n`)
    return header
  })
}

/**
 * Reads a file of `exportDatabase` into a database that holds no data.
 * @throws StorageError that names the line of the fault. @throws the reason of the signal
 */
export async function importDatabase(
  bytes: AsyncIterable<Uint8Array | string>,
  to: SqlStore,
  prefix: string,
  { onProgress, ...options }: MoveOptions,
): Promise<readonly LoadedTable[]> {
  const { header, parts } = await importFile(bytes)
  if (header.prefix.toLowerCase() !== prefix.toLowerCase())
    throw new StorageError(
      'constraint',
      `line 1: the export is of tables ${header.prefix}…, and this application has ${prefix}…. Names of options and metadata contain the prefix: set table_prefix to that of the export.`,
    )
  return load(to, parts, {
    ...options,
    source: `the export ${header.id}`,
    onProgress: (progress) => onProgress(progress, header.rows),
  })
}
