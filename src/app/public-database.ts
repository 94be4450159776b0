import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { fault, type Fault } from '../base/fault.js'
import { StorageError } from '../database/storage-error.js'
import { pathOf } from './option-values.js'
import type { ResolvedOptions } from './options.js'
import { storeOf } from './stores.js'

/** A database below a folder that is served is refused, because its file would be served with all password hashes. */
export function publicDatabaseFault(
  { public: files, uploads, database }: ResolvedOptions,
  option: 'public' | 'uploads',
): Fault | null {
  const folder = option === 'public' ? files : uploads?.folder
  const path = folder === undefined ? null : fileOf(database)
  if (folder === undefined || path === null) return null
  const below = relative(realPathOf(pathOf(folder)), realPathOf(dirname(path)))
  if (below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below)) return null
  return fault(
    'database-public',
    `the database ${path} lies in it, and would be given to everybody. Keep data in another folder.`,
  )
}

/** Null for a database without a file, and for an address that is refused when it is opened. */
function fileOf(database: string): string | null {
  try {
    return storeOf(database).locate(database).file
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
