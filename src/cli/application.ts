import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { storeOf } from '../app/stores.js'
import { configurationFault, readConfiguration, type FoundConfiguration } from '../app/configuration.js'
import type { BootOptions, ResolvedOptions } from '../app/options.js'
import { CommandError } from './fail.js'
import { shellWord } from './shell.js'

/** An application as a command line names it. */
export interface Application {
  /** Folder of the handler classes. */
  readonly handlers: string
  /** What it was named by; the handler classes may lie elsewhere, where another configuration or none is the nearest. */
  readonly configuration: FoundConfiguration
}

/**
 * @param folder what stands on the command line: the folder of the configuration, or of the handler classes themselves.
 * @throws CommandError when there is no such folder, or its configuration cannot be loaded.
 */
export async function applicationAt(folder: string): Promise<Application> {
  const path = resolve(folder)
  if (!existsSync(path)) throw new CommandError(`There is no folder ${path}.`, 2)
  if (!statSync(path).isDirectory()) throw new CommandError(`${path} is a file. Give the folder it lies in.`, 2)
  // Faults name lines of TypeScript, also in an application that was built. Not from the first module on: to read the map
  // of this package takes as long as all the rest of a start.
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
 * The same, for a command that loads the handler classes, which runs every module below their folder: a whole project is
 * not taken for an application unless somebody says so.
 * @param folder empty when none was given.
 */
export async function handlersAt(folder: string): Promise<Application> {
  const application = await applicationAt(folder === '' ? '.' : folder)
  if (folder === '' && existsSync(join(application.handlers, 'package.json'))) {
    throw new CommandError(
      'This is a whole project, and every module below it would be run. Give the folder of the handler classes, ' +
        "or name it in as-rest-route.config.ts: export default { handlers: './app/' }",
      2,
    )
  }
  return application
}

async function configurationOf(path: string): Promise<FoundConfiguration> {
  try {
    return await readConfiguration(path)
  } catch (error) {
    throw new CommandError(`The configuration cannot be loaded. ${configurationFault(error).message}`, 1, {
      cause: error,
    })
  }
}

/** How a command is told whose data it is to work on, and where that is. */
export interface DataOptions {
  /** A folder. */
  readonly app: string
  readonly database?: string
}

/** What a command line says of the data, as an option. */
export function databaseOption(database: string | undefined): BootOptions {
  return database === undefined ? {} : { database }
}

/** The folder that holds the database, where it is a file: whoever made the one may write into the other. */
export function folderOfDatabase(url: string): string | null {
  const { file } = storeOf(url).locate(url)
  return file === null ? null : dirname(file)
}

/**
 * Tools for the data of an application do not make its database: the first `serve` does, and only what it made itself
 * is filled.
 * @param given how the command was told where it is and whose, so that the one that helps can be told the same.
 * @throws CommandError when there is none yet, or one without tables. @throws StorageError for an address that is none.
 */
export async function requireDatabase(options: ResolvedOptions, { app, database }: DataOptions): Promise<void> {
  if (storeOf(options.database).locate(options.database).isTemporary)
    throw new CommandError('A database in memory ends with its service: name a file.', 2)
  const lacking = await lackOf(options)
  if (lacking === null) return
  const words = [
    ...(app === '.' || app === '' ? [] : [app]),
    ...(database === undefined ? [] : ['--database', database]),
  ]
  const command = ['as-rest-route serve', ...words.map(shellWord)].join(' ')
  throw new CommandError(`${lacking} Start the application once: ${command}`)
}

/**
 * What keeps a database from being read before the first start, as a sentence; null when it is there.
 * @throws StorageError
 */
export async function lackOf({ database, table_prefix }: ResolvedOptions): Promise<string | null> {
  const store = storeOf(database)
  const { file, isTemporary } = store.locate(database)
  if (isTemporary || (await store.hasTables(database, table_prefix))) return null
  return file === null || existsSync(file)
    ? `The database ${file ?? ''} has no tables ${table_prefix}… yet.`
    : `There is no database ${file} yet.`
}
