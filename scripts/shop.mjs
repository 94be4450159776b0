// Builds examples/shop into its folder dist, as one would deploy it.
import { cpSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const shop = fileURLToPath(new URL('../examples/shop/', import.meta.url))
const built = join(shop, 'dist')
/** Its time is the time of the build. */
const buildMarker = join(built, '.built')

/** False when any source is newer than the build, or has been added or taken away since. */
export function shopIsBuilt() {
  if (!existsSync(buildMarker)) return false
  const time = statSync(buildMarker).mtimeMs
  return [...pathsBelow(shop)].every((path) => statSync(path).mtimeMs <= time)
}

export async function buildShop() {
  const { build } = await import('esbuild')
  const modules = [...pathsBelow(shop)].filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  rmSync(built, { recursive: true, force: true })
  for (const folder of ['views', 'public']) cpSync(join(shop, folder), join(built, folder), { recursive: true })
  await build({
    entryPoints: modules,
    outbase: shop,
    outdir: built,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    sourcemap: true,
    logLevel: 'warning',
  })
  writeFileSync(buildMarker, '')
}

/** Folders count as well: they change when a file in them goes. */
function* pathsBelow(folder) {
  yield folder
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (path === built) continue
    if (entry.isDirectory()) yield* pathsBelow(path)
    else yield path
  }
}
