import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import { databaseFault, openTables, storeAdapterOf } from '../app/stores.js'
import { abortable } from '../base/abortable.js'
import { copyDatabase, exportDatabase, importDatabase, type MoveOptions } from '../database/maintenance/move.js'
import { dataOptionsOf, optionsOf, type DataOptions } from './application.js'
import { CommandError } from './command-error.js'
import { withPassword } from './copy-address.js'
import { withTables } from './database-state.js'
import { writeNewFile } from './new-file.js'
import { counted, type Output } from './output.js'
import { ProgressDisplay } from './progress.js'

type MovedTables = Awaited<ReturnType<typeof copyDatabase>>

/** Copies all data of one database into another one, which is empty. */
export async function copyData(from: string, to: string, { app }: DataOptions, output: Output): Promise<void> {
  const resolved = await optionsOf({ app })
  const [source, target] = [addressOf(from, 'FROM'), addressOf(to, 'TO')]
  const moved = await interruptibly(output, async (options) =>
    withTables(await openTables({ ...resolved, database: source }, 'read'), async (sourceTables) =>
      withTables(await openTables({ ...resolved, database: target }, 'change'), (targetTables) =>
        copyDatabase(sourceTables, targetTables, options),
      ),
    ),
  )
  report(
    moved,
    `copied from ${storeAdapterOf(source).locate(source).name} to ${storeAdapterOf(target).locate(target).name}`,
    output,
  )
}

/** Writes all data of an application into a new file, or to standard output. */
export async function exportData(file: string | undefined, options: DataOptions, output: Output): Promise<void> {
  const resolved = await dataOptionsOf(options)
  const { rows } = await interruptibly(output, async (move) =>
    withTables(await openTables(resolved, 'read'), async (store) => {
      const exported = (write: (text: string) => Promise<void>) =>
        exportDatabase(store, resolved.table_prefix, write, move)
      // A reader that has stopped reading must not keep a signal from ending the command.
      const toOutput = (text: string) => abortable(output.writeAndWait(text), move.signal)
      return file === undefined ? exported(toOutput) : inNewFile(resolve(file), exported)
    }),
  )
  if (file !== undefined) output.line(`${resolve(file)}: ${counted(rows, 'row')}.`)
}

/** Reads an export into the database of an application, which is empty. */
export async function importData(file: string | undefined, options: DataOptions, output: Output): Promise<void> {
  const resolved = await optionsOf(options)
  const { isTemporary, name } = storeAdapterOf(resolved.database).locate(resolved.database)
  if (isTemporary) throw inMemory()
  const bytes = await bytesOf(file)
  const moved = await interruptibly(output, async (move) =>
    withTables(await openTables(resolved, 'change'), (store) =>
      importDatabase(
        move.signal === undefined ? bytes : addAbortSignal(move.signal, bytes),
        store,
        resolved.table_prefix,
        move,
      ),
    ),
  )
  report(moved, `imported into ${name}`, output)
}

const inMemory = (): CommandError =>
  new CommandError('database-is-memory', 'A database in memory ends with its process: name a file.')

/** @throws CommandError for an address that names no lasting database. */
function addressOf(address: string, role: 'FROM' | 'TO'): string {
  const fault = databaseFault(address)
  if (fault !== null) throw new CommandError('database-address-invalid', `${role}: ${fault.message}`)
  if (storeAdapterOf(address).locate(address).isTemporary) throw inMemory()
  return withPassword(address, role)
}

function report(moved: MovedTables, action: string, output: Output): void {
  output.table(
    ['TABLE', 'ROWS', 'SHA-256'],
    moved.map(({ name, rows, sha256 }) => [name, String(rows), sha256]),
  )
  const rows = moved.reduce((sum, table) => sum + table.rows, 0)
  output.line(`${counted(rows, 'row')} ${action}, and read again: all checksums are equal.`)
}

/** Runs a move with a display of its progress. A signal ends it after the current chunk. */
async function interruptibly<T>(output: Output, work: (options: MoveOptions) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const display = new ProgressDisplay(output)
  const interrupt = (signal: NodeJS.Signals) =>
    controller.abort(new CommandError('move-interrupted', `Ended by ${signal}. Run the same command again.`))
  // A second signal ends the process at once, which loses nothing either.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt)
  try {
    const { signal } = controller
    const onLong = () => output.writeError('Waiting for another process that fills the database.\n')
    return await work({ onProgress: display.show, waiting: { onLong, signal }, signal })
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error
  } finally {
    display.end()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, interrupt)
  }
}

async function inNewFile<T>(file: string, work: (write: (text: string) => Promise<void>) => Promise<T>): Promise<T> {
  let result: { readonly value: T } | null = null
  try {
    await writeNewFile(file, async (write) => {
      result = { value: await work(write) }
    })
  } catch (error) {
    if (!isOfSystem(error)) throw error
    const reason = error.code === 'EEXIST' ? 'it exists already' : error.message
    throw new CommandError('export-not-written', `The file ${file} cannot be written: ${reason}.`, { cause: error })
  }
  return (result as unknown as { readonly value: T }).value
}

async function bytesOf(file: string | undefined): Promise<Readable> {
  if (file === undefined) {
    if (process.stdin.isTTY)
      throw new CommandError('import-unnamed', 'Name the file of the export, or write: as-rest-route db import < file')
    return process.stdin
  }
  try {
    const handle = await open(file, 'r')
    if ((await handle.stat()).isDirectory()) {
      await handle.close()
      throw Object.assign(new Error('it is a folder'), { code: 'EISDIR', syscall: 'read' })
    }
    return createReadStream('', { fd: handle, highWaterMark: 256 * 1024 })
  } catch (error) {
    if (!isOfSystem(error)) throw error
    throw new CommandError('import-unreadable', `The file ${resolve(file)} cannot be read: ${error.message}.`, {
      cause: error,
    })
  }
}

/** Errors of Node about files. Those of drivers are StorageErrors. */
const isOfSystem = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error
