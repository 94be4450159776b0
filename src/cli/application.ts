import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfiguration, type Configuration } from '../discovery/configuration.js'
import type { BootOptions } from '../service/settings.js'
import { CommandFailed } from './fail.js'

/** An application as a command line names it. */
export interface Application {
  /** Folder of the handler classes. */
  readonly handlers: string
  readonly configuration: Configuration
}

/**
 * @param folder what stands on the command line: the folder of the configuration, or of the handler classes themselves.
 * @throws CommandFailed when there is no such folder.
 */
export async function applicationAt(folder: string): Promise<Application> {
  const path = resolve(folder)
  if (!existsSync(path) || !statSync(path).isDirectory()) throw new CommandFailed(`There is no folder ${path}.`, 2)
  const { file, options } = await readConfiguration(path)
  const { handlers } = options
  const named = handlers instanceof URL ? fileURLToPath(handlers) : handlers
  return {
    handlers: file !== null && dirname(file) === path && named !== undefined ? named : path,
    configuration: options,
  }
}

/** What the command line and the environment say, on top of the configuration. */
export function databaseOption(given: string | undefined): BootOptions {
  const database = given ?? process.env['DATABASE_URL']
  return database === undefined ? {} : { database }
}
