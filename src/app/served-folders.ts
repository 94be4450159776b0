import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { fault, type Fault } from '../base/fault.js'
import { StorageError } from '../database/storage-error.js'
import type { BootOptions, ResolvedOptions } from './options.js'
import { storeAdapterOf } from './stores.js'

/** A fault of an option that is found after its value was checked. */
export interface OptionFault {
  readonly option: keyof BootOptions
  readonly fault: Fault
}

/**
 * Folders whose files would be served to more callers than they are for: the database with all password hashes below a served
 * folder, and uploads, which only some may read, in the folder that everybody may read.
 */
export function servedFolderFaults(options: ResolvedOptions): readonly OptionFault[] {
  const { public: publicFolder, uploads, database, service_database: serviceDatabase } = options
  const files = [database, serviceDatabase].flatMap((address) => (address === undefined ? [] : (fileOf(address) ?? [])))
  const folders = [
    ['public', publicFolder],
    ['uploads', uploads?.folder],
  ] as const
  const databaseFaults = folders.flatMap(([option, folder]) =>
    files
      .filter((file) => folder !== undefined && isWithin(dirname(file), folder))
      .map((file) => ({ option, fault: publicDatabase(file) })),
  )
  if (publicFolder === undefined || uploads === undefined) return databaseFaults
  const { folder } = uploads
  if (!isWithin(folder, publicFolder) && !isWithin(publicFolder, folder)) return databaseFaults
  return [...databaseFaults, { option: 'uploads', fault: publicUploads(folder, publicFolder) }]
}

const publicDatabase = (file: string): Fault =>
  fault(
    'database-public',
    `the database ${file} lies in it, and would be given to everybody. Keep data in another folder.`,
  )

const publicUploads = (uploadFolder: string, publicFolder: string): Fault =>
  fault(
    'uploads-public',
    `${uploadFolder} and the folder ${publicFolder} of the option public are the same, or one contains the other: everybody could read the uploads. Keep them apart.`,
  )

/** Whether a folder is another one, or below it. */
function isWithin(folder: string, other: string): boolean {
  const below = relative(realPathOf(other), realPathOf(folder))
  return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below)
}

/** Null for a database without a file, and for an address that is refused when it is opened. */
function fileOf(database: string): string | null {
  try {
    return storeAdapterOf(database).locate(database).file
  } catch (error) {
    if (error instanceof StorageError) return null
    throw error
  }
}

/** The real path of a folder. Of one that does not exist, the real path of the nearest existing parent, and the rest. */
function realPathOf(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    const above = dirname(folder)
    return above === folder ? folder : join(realPathOf(above), basename(folder))
  }
}
