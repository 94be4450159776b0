import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { declaredRoutes, inWrittenOrder, unreachedRoutes, type DeclaredRoute } from '../routing/registry.js'
import type { FoundConfiguration } from './configuration.js'
import type { Diagnostic } from './startup-error.js'
import { endpointText, isHandlerClass, type HandlerClass } from '../routing/handler-class.js'
import { optionLocation } from './option-location.js'
import { sourceLocationOf, type SourceLocation } from '../routing/source-location.js'
import { loadFault } from './load-fault.js'
import { loadTypeScript } from './typescript.js'

export interface FoundClasses {
  readonly classes: readonly HandlerClass[]
  readonly faults: readonly Diagnostic[]
}

/** Folders whose modules are being imported. */
const loading = new Set<string>()

/**
 * To be called by what starts a service. A module below the folder that is being searched would start one each time that
 * somebody looks for faults.
 * @throws Error when such a module is among the callers.
 */
export function refuseModulesBeingLoaded(): void {
  if (loading.size === 0) return
  const file = callers().find((path) =>
    [...loading].some((root) => path.startsWith(root.endsWith(sep) ? root : root + sep)),
  )
  if (file === undefined) return
  throw new Error(
    "boot() was called by a module in the handlers' folder. Every module there is loaded to find the handler classes, " +
      `and must start nothing: move ${basename(file)} out, beside the folder.`,
  )
}

/** The files of the calls under way: as they are loaded, not as source maps tell them. */
function callers(): readonly string[] {
  const { prepareStackTrace } = Error
  Error.prepareStackTrace = (_, sites) => sites
  const sites = new Error().stack as unknown as readonly NodeJS.CallSite[]
  Error.prepareStackTrace = prepareStackTrace
  const names = sites.map((site) => (site.getFileName() ?? '').replace(/\?.*$/, ''))
  return names.map((name) => (name.startsWith('file://') ? fileURLToPath(name) : name))
}

/**
 * Imports every module below a folder and keeps the exported classes that carry declarations, in the order of their
 * paths. Left out: `.d.ts` and test files, `node_modules`, folders whose name begins with a dot.
 * @param configuration which may have named the folder.
 */
export async function findClasses(root: string, configuration?: FoundConfiguration): Promise<FoundClasses> {
  if (!existsSync(root) || !statSync(root).isDirectory())
    return { classes: [], faults: [noFolder(root, configuration)] }
  const files = [...modulesBelow(root)]
  const faults: Diagnostic[] = []
  const classes = new Set<HandlerClass>()
  if (files.some(isTypeScript)) {
    const problem = await loadTypeScript(root)
    if (problem) return { classes: [], faults: [{ location: null, subject: root, message: problem }] }
  }
  loading.add(root)
  try {
    for (const file of files) {
      try {
        const exported = (await import(pathToFileURL(file).href)) as Record<string, unknown>
        for (const handlers of inWrittenOrder(Object.values(exported).filter(isHandlerClass))) classes.add(handlers)
      } catch (error) {
        faults.push(loadFault(file, error))
      }
    }
  } finally {
    loading.delete(root)
  }
  return { classes: [...classes], faults: [...faults, ...unexportedFaults(root, [...classes])] }
}

function noFolder(root: string, configuration?: FoundConfiguration): Diagnostic {
  if (configuration?.file != null && configuration.options.handlers === root) {
    const location = optionLocation(configuration.file, 'handlers')
    return {
      location,
      subject: 'option handlers',
      message: `there is no folder ${root}. Correct the path, or make the folder.`,
    }
  }
  return {
    location: null,
    subject: root,
    message: 'there is no such folder. Give boot the folder of the handler classes.',
  }
}

function* modulesBelow(folder: string): Generator<string> {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  const names = new Set(entries.map((entry) => entry.name))
  for (const entry of entries) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* modulesBelow(path)
    else if (isHandlerModule(entry.name) && !hasSource(entry.name, names)) yield path
  }
}

function isHandlerModule(name: string): boolean {
  return /\.m?[jt]s$/.test(name) && !/\.d\.m?ts$/.test(name) && !/\.(test|spec)(-d)?\.m?[jt]s$/.test(name)
}

/** A module compiled beside its source would declare every route twice; the source is the one to read. */
function hasSource(name: string, names: ReadonlySet<string>): boolean {
  return name.endsWith('js') && names.has(name.replace(/js$/, 'ts'))
}

function isTypeScript(file: string): boolean {
  return file.endsWith('ts')
}

/**
 * A class that declares routes but is not exported would be silently without them. One that was evaluated twice is not
 * meant: a test runner's copy of a module is no export of the file, whose other copy is.
 */
function unexportedFaults(root: string, classes: readonly HandlerClass[]): Diagnostic[] {
  const below = root.endsWith(sep) ? root : root + sep
  const unreached = unreachedRoutes(classes)
    .map((declared) => ({ declared, location: sourceLocationOf(declared.site) }))
    .filter(({ location }) => location?.file.startsWith(below))
  if (unreached.length === 0) return []
  const exported = new Set(
    classes.flatMap(declaredRoutes).map((declared) => identityOf(declared, sourceLocationOf(declared.site))),
  )
  return unreached
    .filter(({ declared, location }) => !exported.has(identityOf(declared, location)))
    .map(({ declared, location }) => ({
      location,
      subject: `${declared.member} (${endpointText(declared.declaration)})`,
      message: 'its class is not exported, so the service cannot find it. Export the class.',
    }))
}

/** The same for both copies of a declaration: not its line, which depends on who compiled the copy. */
function identityOf({ declaration, member }: DeclaredRoute, location: SourceLocation | null): string {
  return JSON.stringify([location?.file, member, endpointText(declaration)])
}
