import { createRequire } from 'node:module'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Set by the plugin `as-rest-route/vite`. Processes and threads in which Vitest runs tests inherit it. */
const variable = 'AS_REST_ROUTE_VITE_PLUGIN'

export function noteVitePlugin(): void {
  process.env[variable] = '1'
}

/**
 * What is missing when tests run in Vitest on Vite 8 without the plugin; null when nothing is. The file with the first
 * decorator then fails with a SyntaxError, before any code in it runs.
 */
export function missingVitePlugin(environment: NodeJS.ProcessEnv, folder: string): string | null {
  if (environment['VITEST'] === undefined || environment[variable] !== undefined) return null
  if (!(viteMajor(folder) >= 8)) return null
  return (
    `Vitest runs without the plugin of as-rest-route, and Vite 8 leaves decorators as they are. A file with @AsRestRoute ` +
    `fails with "SyntaxError: Invalid or unexpected token". In ${join(folder, configurationIn(folder))}: ` +
    `import { asRestRoute } from 'as-rest-route/vite', and plugins: [asRestRoute()].`
  )
}

/** The configuration that Vitest reads: the first of its names, in its order. `vite.config.ts` when there is none. */
function configurationIn(folder: string): string {
  const extensions = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs']
  const names = ['vitest', 'vite'].flatMap((tool) => extensions.map((extension) => `${tool}.config.${extension}`))
  return names.find((name) => existsSync(join(folder, name))) ?? 'vite.config.ts'
}

/** NaN when Vite is not found. */
function viteMajor(folder: string): number {
  try {
    const { version } = createRequire(join(folder, 'package.json'))('vite/package.json') as {
      readonly version?: string
    }
    return Number.parseInt(version ?? '', 10)
  } catch {
    return Number.NaN
  }
}
