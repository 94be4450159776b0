import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { storeAdapterOf } from '../app/stores.js'
import { configurationFault, readConfiguration, type FoundConfiguration } from '../app/configuration.js'
import type { BootOptions, ResolvedOptions } from '../app/options.js'
import { resolveOptions } from '../app/resolve-options.js'
import { StartupError } from '../app/startup-error.js'
import { CommandError } from './command-error.js'
import { shellWord } from './shell.js'

/** The application that a command works on. */
export interface Application {
  /** Folder of the handler classes. */
  readonly handlers: string
  /**
   * The configuration nearest to the folder on the command line. The handler classes may be in a folder with another
   * nearest configuration, or with none.
   */
  readonly configuration: FoundConfiguration
}

/**
 * Reads the configuration of an application.
 * @param folder the argument of the command line: the folder of the configuration or of the handler classes.
 * @throws CommandError when there is no such folder, or its configuration cannot be loaded.
 */
export async function applicationAt(folder: string): Promise<Application> {
  const path = resolve(folder)
  if (!existsSync(path)) throw new CommandError('application-folder-missing', `There is no folder ${path}.`)
  if (!statSync(path).isDirectory())
    throw new CommandError('application-folder-is-file', `${path} is a file. Give the folder it lies in.`)
  // Diagnostics then name lines of TypeScript in a compiled application too. The setting is not made before the modules of
  // this package are loaded: to read their source maps takes as long as the rest of a start.
  process.setSourceMapsEnabled(true)
  const configuration = await configurationOf(path)
  const { file } = configuration
  const { handlers } = configuration.options
  return {
    handlers: file !== null && dirname(file) === path && handlers !== undefined ? handlers : path,
    configuration,
  }
}

/**
 * As {@link applicationAt}, for a command that loads the handler classes. Loading runs every module below their folder, so
 * the default folder must not be the folder of a whole project.
 * @param folder empty when the command line has none: then the current folder.
 * @throws CommandError also when the folder is empty and the current folder has a `package.json`.
 */
export async function handlersAt(folder: string): Promise<Application> {
  const application = await applicationAt(folder === '' ? '.' : folder)
  if (folder === '' && existsSync(join(application.handlers, 'package.json'))) {
    throw new CommandError(
      'application-folder-is-project',
      'This is a whole project, and every module below it would be run. Give the folder of the handler classes, ' +
        "or name it in as-rest-route.config.ts: export default { handlers: './app/' }",
    )
  }
  return application
}

async function configurationOf(path: string): Promise<FoundConfiguration> {
  try {
    return await readConfiguration(path)
  } catch (error) {
    throw new CommandError(
      'application-configuration-unreadable',
      `The configuration cannot be loaded. ${configurationFault(error).message}`,
      { cause: error },
    )
  }
}

/** The options of a command that works on the data of an application. */
export interface DataOptions {
  /** The folder of the configuration. */
  readonly app: string
  readonly database?: string
}

/**
 * The options of an application whose database exists.
 * @throws StartupError for invalid options of the configuration.
 * @throws CommandError as {@link applicationAt} and {@link requireDatabase}.
 */
export async function dataOptionsOf(options: DataOptions): Promise<ResolvedOptions> {
  const resolved = await optionsOf(options)
  await requireDatabase(resolved, options)
  return resolved
}

/**
 * The options of an application whose database may be missing.
 * @throws StartupError for invalid options of the configuration. @throws CommandError as {@link applicationAt}.
 */
export async function optionsOf(options: DataOptions): Promise<ResolvedOptions> {
  const { configuration } = await applicationAt(options.app)
  const { options: resolved, faults } = resolveOptions(databaseOption(options.database), configuration)
  if (faults.length > 0) throw new StartupError(faults)
  return resolved
}

/** The option `--database` as a boot option. */
export function databaseOption(database: string | undefined): BootOptions {
  return database === undefined ? {} : { database }
}

/** The folder for files beside a database on a server: that of the default database, which no version control keeps. */
const folderBesideServer = 'data'

/** A folder for files that are of use as long as the database exists; null for a database that ends with the process. */
export function folderOfDatabase(url: string): string | null {
  const { file, isTemporary } = storeAdapterOf(url).locate(url)
  if (isTemporary) return null
  return file === null ? resolve(folderBesideServer) : dirname(file)
}

/**
 * Requires a database with tables. Commands for data do not create a database: only the first start does, because it
 * seeds no database that it has not created.
 * @param dataOptions the options of this command. The message suggests `serve` with the same ones.
 * @throws CommandError when there is no database, or one without tables.
 * @throws StorageError for an invalid address.
 */
export async function requireDatabase(options: ResolvedOptions, { app, database }: DataOptions): Promise<void> {
  const { isTemporary, name } = storeAdapterOf(options.database).locate(options.database)
  if (isTemporary)
    throw new CommandError('database-is-memory', 'A database in memory ends with its service: name a file.')
  const missingDatabase = await missingDatabaseText(options)
  if (missingDatabase === null) return
  const words = [...(app === '.' || app === '' ? [] : [app]), ...(database === undefined ? [] : ['--database', name])]
  const command = ['as-rest-route serve', ...words.map(shellWord)].join(' ')
  throw new CommandError('database-missing', `${missingDatabase} Start the application once: ${command}`)
}

/**
 * The sentence that the database, or its tables, do not exist; null when they do.
 * @throws StorageError for an invalid address.
 */
export async function missingDatabaseText({ database, table_prefix }: ResolvedOptions): Promise<string | null> {
  const store = storeAdapterOf(database)
  const { file, name, isTemporary } = store.locate(database)
  if (isTemporary || (await store.hasTables(database, table_prefix))) return null
  return file === null || existsSync(file)
    ? `The database ${file ?? name} has no tables ${table_prefix}… yet.`
    : `There is no database ${file} yet.`
}
