// Runs the TypeScript of this project: `node --import ./scripts/typescript/register.mjs file.ts`. With `?package=<folder>`
// the modules of this package are those of a bundle, which loads in a fifth of the time.
import * as module from 'node:module'

process.setSourceMapsEnabled(true)
const folder = new URL(import.meta.url).searchParams.get('package')
if (module.registerHooks) {
  const { initialize, load, resolve } = await import('./hooks.mjs')
  initialize({ folder })
  module.registerHooks({ load, resolve })
} else module.register('./hooks.mjs', import.meta.url, { data: { folder } })
