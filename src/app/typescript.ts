import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fault, type Fault } from '../base/fault.js'

let loaded = false

export const missingTsx = fault(
  'tsx-missing',
  'it holds TypeScript, which needs the package tsx to run: npm install --save-dev tsx, or build the application first and give the built folder.',
)

/**
 * Lets this process import TypeScript, with tsx, an optional peer of this package.
 * @param folder of the application; its nearest `tsconfig.json` is the one that counts.
 * @returns `null`, or what is missing.
 */
export async function loadTypeScript(folder: string): Promise<Fault | null> {
  if (loaded || alreadyLoaded()) return null
  try {
    const tsx = (await import('tsx/esm/api')) as { register(options: { tsconfig: string | false }): unknown }
    tsx.register({ tsconfig: nearestConfig(folder) ?? false })
    loaded = true
    return null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    return missingTsx
  }
}

/** Whether this process loads TypeScript already: by tsx, from TypeScript sources, or by its runtime. */
function alreadyLoaded(): boolean {
  const readsTypeScript = 'bun' in process.versions || 'deno' in process.versions
  return (
    readsTypeScript || import.meta.url.endsWith('.ts') || process.execArgv.some((argument) => /\btsx\b/.test(argument))
  )
}

function nearestConfig(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, 'tsconfig.json')
    if (existsSync(path)) return path
    if (dirname(at) === at) return null
  }
}
