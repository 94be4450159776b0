import { openTables, storeAdapterOf } from '../app/stores.js'
import { checkDatabase, raiseVersions } from '../database/maintenance/check-database.js'
import { databaseStatus, migrateDatabase, type DatabaseStatus } from '../database/maintenance/database-status.js'
import { dataOptionsOf, missingDatabaseText, optionsOf, type DataOptions } from './application.js'
import { CommandError } from './command-error.js'
import { counted, type Output } from './output.js'
import { byteCount } from './progress.js'

type Store = Awaited<ReturnType<typeof openTables>>

/** Prints what a database is, and whether a service can start on it. */
export async function showStatus(options: DataOptions & { readonly json?: boolean }, output: Output): Promise<void> {
  const resolved = await optionsOf(options)
  const { file, name, isTemporary } = storeAdapterOf(resolved.database).locate(resolved.database)
  if (isTemporary)
    throw new CommandError('database-is-memory', 'A database in memory ends with its service: name a file.')
  const missingDatabase = file === null ? null : await missingDatabaseText(resolved)
  const status = missingDatabase === null ? await withTables(await openTables(resolved, 'read'), databaseStatus) : null
  if (options.json) return output.json(jsonOf(name, resolved.table_prefix, status))
  output.line(`Database:  ${name}`)
  if (status === null) return output.line(`State:     ${missingDatabase}`)
  output.line(`Server:    ${status.server}`)
  output.line(`Schema:    ${versionText(status, resolved.table_prefix)}`)
  output.line(`State:     ${stateText(status)}`)
  if (status.bytes !== null) output.line(`Size:      ${byteCount(status.bytes)}`)
  for (const warning of status.warnings) output.line(`Warning:   ${warning}`)
  if (status.tables.length === 0) return
  output.line()
  const hasSizes = status.tables.some(({ bytes }) => bytes !== null)
  output.table(
    ['TABLE', 'ROWS', ...(hasSizes ? ['SIZE'] : [])],
    status.tables.map(({ name: table, rows, bytes }) => [
      table,
      rows === null ? 'missing' : String(rows),
      ...(hasSizes ? [bytes === null ? '' : byteCount(bytes)] : []),
    ]),
  )
}

function jsonOf(name: string, prefix: string, status: DatabaseStatus | null): object {
  const { server = null, state = 'empty', version = null, programVersion = null } = status ?? {}
  const { bytes = null, warnings = [], tables = [] } = status ?? {}
  return { database: name, server, prefix, state, version, program_version: programVersion, bytes, warnings, tables }
}

const versionText = ({ version, programVersion }: DatabaseStatus, prefix: string): string =>
  version === null
    ? `no tables ${prefix}… of as-rest-route; this program makes version ${programVersion}`
    : `version ${version} of the tables ${prefix}…; this program has version ${programVersion}`

function stateText({ state }: DatabaseStatus): string {
  switch (state) {
    case 'empty':
      return 'no service was started on it yet. The first start creates the tables.'
    case 'wordpress':
      return 'the database of a WordPress site. A start refuses it, and changes nothing.'
    case 'first-start-running':
      return 'a service is making its first start on it. Other starts wait.'
    case 'first-start-unfinished':
      return 'its first start was ended before it was finished. Remove the tables, and start again.'
    case 'load-running':
      return 'a copy or an import fills it now. Starts wait.'
    case 'load-unfinished':
      return 'a copy or an import was ended in the middle. Run the same command again.'
    case 'older':
      return 'a migration is needed: as-rest-route db migrate, or the next start.'
    case 'newer':
      return 'the tables are newer than this program. Update as-rest-route.'
    case 'current':
      return 'ready. No migration is needed.'
  }
}

/** Brings the tables up to date. */
export async function migrateTables(options: DataOptions, { line }: Output): Promise<void> {
  const resolved = await dataOptionsOf(options)
  const { before, after, completion } = await withTables(await openTables(resolved, 'change'), migrateDatabase)
  line(
    before === after
      ? `The tables have version ${after}: nothing to do.`
      : `Migrated the tables from version ${before} to ${after}.`,
  )
  if (completion !== null) line(completion.replace('The start has', 'This command has'))
}

/** Prints the faults of a database. @throws CommandError `database-faulty` when there is at least one. */
export async function checkTables(
  options: DataOptions & { readonly changed?: boolean; readonly json?: boolean },
  output: Output,
): Promise<void> {
  const resolved = await dataOptionsOf(options)
  const changed = options.changed === true
  const { faults, warnings } = await withTables(
    await openTables(resolved, changed ? 'change' : 'read'),
    async (store) => {
      if (changed) await raiseVersions(store)
      return { faults: await checkDatabase(store), warnings: store.warnings }
    },
  )
  if (options.json) output.json({ faults, warnings })
  else {
    if (changed) output.line('Running services read everything again from their next request on.')
    for (const warning of warnings) output.line(`Warning: ${warning}`)
    for (const { sentence, remedy } of faults) output.line(`${sentence}\n  ${remedy}`)
    if (faults.length === 0) output.line('No problem was found.')
  }
  if (faults.length > 0) throw new CommandError('database-faulty', `${counted(faults.length, 'problem')} found.`)
}

/** The result of work with an open database, which is closed afterwards. */
export async function withTables<T>(store: Store, work: (store: Store) => Promise<T>): Promise<T> {
  try {
    return await work(store)
  } finally {
    await store.database.close()
  }
}
