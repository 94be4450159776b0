import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

let loaded = false

const missing =
  'it holds TypeScript, which needs the package tsx to run: npm install --save-dev tsx, or build the application first and give the built folder.'

/**
 * Lets this process import TypeScript, with tsx, an optional peer of this package.
 * @param folder of the application; its nearest `tsconfig.json` is the one that counts.
 * @returns `null`, or a sentence that says what is missing.
 */
export async function loadTypeScript(folder: string): Promise<string | null> {
  if (loaded || alreadyLoaded()) return null
  try {
    const tsx = (await import('tsx/esm/api')) as { register(options: { tsconfig: string | false }): unknown }
    tsx.register({ tsconfig: nearestConfig(folder) ?? false })
    loaded = true
    return null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    return missing
  }
}

/** Run by tsx, from TypeScript sources (whoever loaded this file loads those as well), or by a runtime that reads them. */
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
