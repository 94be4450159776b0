import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { BootOptions } from '../service/settings.js'
import { reasonOf } from './load-fault.js'
import { loadTypeScript } from './typescript.js'

/** What `as-rest-route.config.ts` exports by default; the command line and `boot` both read it. */
export interface Configuration extends BootOptions {
  /** Folder of the handler classes. Default: the folder of the configuration. Paths are relative to the configuration. */
  readonly handlers?: string | URL
}

export interface FoundConfiguration {
  /** Absolute path; `null` when there is none. */
  readonly file: string | null
  /** Absolute paths where the configuration had relative ones. */
  readonly options: Configuration
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
 * @throws Error when the file exports no object, or cannot be loaded.
 */
export async function readConfiguration(folder: string): Promise<FoundConfiguration> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const file = names.map((name) => join(at, name)).find((path) => existsSync(path))
    if (file !== undefined) return { file, options: await load(file) }
    if (existsSync(join(at, 'package.json')) || dirname(at) === at) return { file: null, options: {} }
  }
}

async function load(file: string): Promise<Configuration> {
  if (file.endsWith('ts')) {
    const problem = await loadTypeScript(dirname(file))
    if (problem) throw new Error(`${file}: ${problem}`)
  }
  const exported = (await moduleAt(file)).default
  if (typeof exported !== 'object' || exported === null) {
    throw new Error(`${file}: it must export its options by default: export default { ... } satisfies Configuration`)
  }
  const options = exported as Configuration
  if (options.handlers !== undefined && typeof options.handlers !== 'string' && !(options.handlers instanceof URL))
    throw new Error(`${file}: handlers must be the folder of the handler classes: a path or a URL.`)
  const beside = (path: string | URL | undefined, fallback: string): string | undefined => {
    if (path instanceof URL) return fileURLToPath(path)
    // What is no path is refused by who looks at all options.
    if (path !== undefined) return typeof path === 'string' ? resolve(dirname(file), path) : path
    const usual = join(dirname(file), fallback)
    return statSync(usual, { throwIfNoEntry: false })?.isDirectory() ? usual : undefined
  }
  const views = beside(options.views, 'views')
  const files = beside(options.public, 'public')
  return {
    ...options,
    handlers: beside(options.handlers, '.') ?? dirname(file),
    ...(views !== undefined && { views }),
    ...(files !== undefined && { public: files }),
  }
}

async function moduleAt(file: string): Promise<{ readonly default?: unknown }> {
  try {
    return (await import(pathToFileURL(file).href)) as { default?: unknown }
  } catch (error) {
    throw new Error(`${file}: ${reasonOf(file, error)}`, { cause: error })
  }
}
