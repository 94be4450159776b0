import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { storeAdapterOf } from '../app/stores.js'
import { dataOptionsOf, type DataOptions } from './application.js'
import type { Output } from './output.js'

/**
 * Copies the database of an application into a new file.
 * @throws StorageError when the file exists, or cannot be written.
 */
export async function backUpDatabase(file: string, options: DataOptions, output: Output): Promise<void> {
  const { database } = await dataOptionsOf(options)
  const copy = resolve(file)
  await storeAdapterOf(database).backUp(database, copy)
  output.line(`${copy}: ${statSync(copy).size} bytes.`)
}
