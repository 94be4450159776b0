import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { declaredRoutes, inWrittenOrder, unreachedRoutes, type DeclaredRoute } from '../routing/registry.js'
import type { FoundConfiguration } from './configuration.js'
import type { Diagnostic } from './startup-error.js'
import { endpointText, isEndpoint, isRouteSource, type RouteSource } from '../routing/handler-class.js'
import { optionLocation } from './option-location.js'
import { sourceLocationOf, type SourceLocation } from '../routing/source-location.js'
import { importModule } from './import-module.js'
import { loadFault } from './load-fault.js'
import { NestedBootError } from './nested-boot-error.js'
import { loadTypeScript } from './typescript.js'

export interface FoundRouteSources {
  /** Handler classes and endpoints. */
  readonly sources: readonly RouteSource[]
  /** The names by which modules export endpoints. */
  readonly exportNames: ReadonlyMap<RouteSource, string>
  readonly faults: readonly Diagnostic[]
}

/** The folders whose modules this process is importing. */
const loading = new Set<string>()

/**
 * To be called by everything that starts a service. Otherwise a module below the searched folder that calls `boot` would
 * start a service whenever the folder is searched, even by `check`.
 * @throws NestedBootError when such a module is among the callers.
 */
export function refuseModulesBeingLoaded(): void {
  if (loading.size === 0) return
  const file = callers().find((path) =>
    [...loading].some((root) => path.startsWith(root.endsWith(sep) ? root : root + sep)),
  )
  if (file === undefined) return
  throw new NestedBootError(file)
}

/** The files on the call stack, under the paths that Node has loaded, which source maps do not change. */
function callers(): readonly string[] {
  const { prepareStackTrace } = Error
  Error.prepareStackTrace = (_, sites) => sites
  const sites = new Error().stack as unknown as readonly NodeJS.CallSite[]
  Error.prepareStackTrace = prepareStackTrace
  const names = sites.map((site) => (site.getFileName() ?? '').replace(/\?.*$/, ''))
  return names.map((name) => (name.startsWith('file://') ? fileURLToPath(name) : name))
}

/**
 * Imports every module below a folder and returns the exported classes with declarations and the exported endpoints, in
 * the order of the paths of their modules. Left out: `.d.ts` and test files, `node_modules`, folders whose name begins
 * with a dot.
 * @param configuration the configuration that may have named the folder, for the message about a missing one.
 */
export async function findRouteSources(root: string, configuration?: FoundConfiguration): Promise<FoundRouteSources> {
  const exportNames = new Map<RouteSource, string>()
  if (!existsSync(root) || !statSync(root).isDirectory())
    return { sources: [], exportNames, faults: [noFolder(root, configuration)] }
  const files = [...modulesBelow(root)]
  const faults: Diagnostic[] = []
  const sources = new Set<RouteSource>()
  if (files.some(isTypeScript)) {
    const problem = await loadTypeScript(root)
    if (problem) return { sources: [], exportNames, faults: [{ ...problem, location: null, subject: root }] }
  }
  loading.add(root)
  try {
    for (const file of files) {
      try {
        const exported = await importModule(file)
        for (const source of inWrittenOrder(Object.values(exported).filter(isRouteSource))) sources.add(source)
        for (const [name, value] of Object.entries(exported))
          if (isEndpoint(value) && name !== 'default' && !exportNames.has(value)) exportNames.set(value, name)
      } catch (error) {
        faults.push(loadFault(file, error))
      }
    }
  } finally {
    loading.delete(root)
  }
  return { sources: [...sources], exportNames, faults: [...faults, ...unexportedFaults(root, [...sources])] }
}

function noFolder(root: string, configuration?: FoundConfiguration): Diagnostic {
  if (configuration?.file != null && configuration.options.handlers === root) {
    const location = optionLocation(configuration.file, 'handlers')
    return {
      code: 'folder-missing',
      location,
      subject: 'option handlers',
      message: `there is no folder ${root}. Correct the path, or make the folder.`,
    }
  }
  return {
    code: 'folder-missing',
    location: null,
    subject: root,
    message: 'there is no such folder. Give boot the folder of the handler classes.',
  }
}

function* modulesBelow(folder: string): Generator<string> {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  const names = new Set(entries.map((entry) => entry.name))
  for (const entry of entries) {
    if (isLeftOut(entry.name)) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* modulesBelow(path)
    else if (isHandlerModule(entry.name) && !hasSource(entry.name, names)) yield path
  }
}

/** Whether a folder or a file of this name is skipped, because its modules are not those of the application. */
function isLeftOut(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules'
}

function isHandlerModule(name: string): boolean {
  return /\.m?[jt]s$/.test(name) && !/\.d\.m?ts$/.test(name) && !/\.(test|spec)(-d)?\.m?[jt]s$/.test(name)
}

/** A module that was compiled beside its source would declare every route twice. Only the source is loaded. */
function hasSource(name: string, names: ReadonlySet<string>): boolean {
  return name.endsWith('js') && names.has(name.replace(/js$/, 'ts'))
}

function isTypeScript(file: string): boolean {
  return file.endsWith('ts')
}

/**
 * The routes of a class or an endpoint that is not exported would silently be missing. A module that was evaluated twice,
 * as test runners do, is not reported: its other copy is exported.
 */
function unexportedFaults(root: string, sources: readonly RouteSource[]): Diagnostic[] {
  const below = root.endsWith(sep) ? root : root + sep
  const unreached = unreachedRoutes(sources)
    .map((declared) => ({ declared, location: sourceLocationOf(declared.site) }))
    .filter(({ location }) => location?.file.startsWith(below))
    // A folder of a whole project contains this package, whose own classes are not exported.
    .filter(
      ({ location }) =>
        !relative(root, location?.file ?? root)
          .split(sep)
          .some(isLeftOut),
    )
  if (unreached.length === 0) return []
  const exported = new Set(
    sources.flatMap(declaredRoutes).map((declared) => identityOf(declared, sourceLocationOf(declared.site))),
  )
  return unreached
    .filter(({ declared, location }) => !exported.has(identityOf(declared, location)))
    .map(({ declared, location }): Diagnostic => {
      const isOfEndpoint = declared.target.kind === 'function'
      const subject = `${isOfEndpoint ? 'endpoint' : declared.member} (${endpointText(declared.declaration)})`
      return isOfEndpoint
        ? {
            code: 'endpoint-not-exported',
            location,
            subject,
            message: 'it is not exported, so the service cannot find it. Export the endpoint.',
          }
        : {
            code: 'class-not-exported',
            location,
            subject,
            message: 'its class is not exported, so the service cannot find it. Export the class.',
          }
    })
}

/** Equal for both copies of a declaration. The line is not part of it: it depends on the compiler of the copy. */
function identityOf({ declaration, member }: DeclaredRoute, location: SourceLocation | null): string {
  return JSON.stringify([location?.file, member, endpointText(declaration)])
}
