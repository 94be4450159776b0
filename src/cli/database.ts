import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { resolveOptions } from '../app/resolve-options.js'
import { StartupError } from '../app/startup-error.js'
import { storeOf } from '../app/stores.js'
import { applicationAt, databaseOption, requireDatabase, type DataOptions } from './application.js'
import type { Output } from './output.js'

/**
 * Copies the database of an application into a new file.
 * @throws StorageError when the file exists, or cannot be written.
 */
export async function backUpDatabase(file: string, options: DataOptions, output: Output): Promise<void> {
  const { configuration } = await applicationAt(options.app)
  const { options: resolved, faults: diagnostics } = resolveOptions(databaseOption(options.database), configuration)
  if (diagnostics.length > 0) throw new StartupError(diagnostics)
  await requireDatabase(resolved, options)
  const copy = resolve(file)
  await storeOf(resolved.database).backUp(resolved.database, copy)
  output.line(`${copy}: ${statSync(copy).size} bytes.`)
}
