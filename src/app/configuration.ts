import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { messageOf } from '../base/thrown-text.js'
import { fault, type Fault } from '../base/fault.js'
import type { BootOptions } from './options.js'
import { importModule } from './import-module.js'
import { reasonOf } from './load-fault.js'
import { loadTypeScript } from './typescript.js'

/** The default export of `as-rest-route.config.ts`, which the command line and `boot` read. */
export interface Configuration extends BootOptions {
  /** Folder of the handler classes. Default: the folder of the configuration. Paths are relative to the configuration. */
  readonly handlers?: string | URL
}

/**
 * Types a configuration: `export default defineConfig({ … })`. An editor then offers the options, and the compiler refuses
 * unknown ones.
 * @returns the same object.
 */
export function defineConfig(configuration: Configuration): Configuration {
  return configuration
}

export interface FoundConfiguration {
  /** Absolute path; `null` when there is none. */
  readonly file: string | null
  /** Folders of code are absolute paths here. Paths of data stay as written: they are relative to the working folder. */
  readonly options: BootOptions & { readonly handlers?: string }
}

/** The configuration cannot be loaded, or exports no options. */
class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly code: Fault['code']

  /** @param file which the message begins with. */
  constructor(file: string, { code, message }: Fault, options?: ErrorOptions) {
    super(`${file}: ${message}`, options)
    this.code = code
  }
}

/** The fault for which `readConfiguration` failed. */
export function configurationFault(error: unknown): Fault {
  const code = error instanceof ConfigurationError ? error.code : 'module-failed'
  return fault(code, messageOf(error))
}

const names = [
  'as-rest-route.config.ts',
  'as-rest-route.config.mts',
  'as-rest-route.config.js',
  'as-rest-route.config.mjs',
]

/**
 * The configuration that belongs to a folder: the nearest at or above it, as far as the folder that holds its
 * `package.json`.
 * @throws ConfigurationError when the file exports no object, or cannot be loaded.
 */
export async function readConfiguration(folder: string): Promise<FoundConfiguration> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const file = names.map((name) => join(at, name)).find((path) => existsSync(path))
    if (file !== undefined) return { file, options: await load(file) }
    if (existsSync(join(at, 'package.json')) || dirname(at) === at) return { file: null, options: {} }
  }
}

async function load(file: string): Promise<FoundConfiguration['options']> {
  if (file.endsWith('ts')) {
    const problem = await loadTypeScript(dirname(file))
    if (problem) throw new ConfigurationError(file, problem)
  }
  const exported = (await moduleAt(file)).default
  if (typeof exported !== 'object' || exported === null) {
    throw new ConfigurationError(
      file,
      fault(
        'configuration-not-exported',
        'it must export its options by default: export default defineConfig({ ... })',
      ),
    )
  }
  const options = exported as Configuration
  if (options.handlers !== undefined && !namesFolder(options.handlers))
    throw new ConfigurationError(
      file,
      fault(
        'folder-invalid',
        'handlers must be the folder of the handler classes: a path or a URL that begins with file:.',
      ),
    )
  const views = beside(file, 'views', options.views)
  const files = beside(file, 'public', options.public)
  const { wordpress } = options
  return {
    ...options,
    handlers:
      options.handlers instanceof URL
        ? fileURLToPath(options.handlers)
        : resolve(dirname(file), options.handlers ?? '.'),
    ...(views !== undefined && { views }),
    ...(typeof wordpress?.config === 'string' &&
      wordpress.config !== '' && { wordpress: { ...wordpress, config: resolve(dirname(file), wordpress.config) } }),
    ...(files !== undefined && { public: files }),
  }
}

/** Whether a value can name a folder. The folder need not exist. */
export function namesFolder(value: unknown): value is string | URL {
  if (!(value instanceof URL)) return typeof value === 'string' && value !== ''
  try {
    return fileURLToPath(value) !== ''
  } catch {
    // Not a file URL, or one of another machine.
    return false
  }
}

/** A folder that the configuration names, or the default folder if it exists. */
function beside(file: string, defaultPath: string, path: string | URL | undefined): string | URL | undefined {
  // The check of all options reports a value that names no folder.
  if (path !== undefined) return typeof path === 'string' && path !== '' ? resolve(dirname(file), path) : path
  const folder = join(dirname(file), defaultPath)
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? folder : undefined
}

async function moduleAt(file: string): Promise<{ readonly default?: unknown }> {
  try {
    return await importModule(file)
  } catch (error) {
    throw new ConfigurationError(file, reasonOf(file, error), { cause: error })
  }
}
