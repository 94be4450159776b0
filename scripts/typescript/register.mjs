// Runs the TypeScript of this project: `node --import ./scripts/typescript/register.mjs file.ts`.
import * as module from 'node:module'

process.setSourceMapsEnabled(true)
if (module.registerHooks) {
  const { load, resolve } = await import('./hooks.mjs')
  module.registerHooks({ load, resolve })
} else module.register('./hooks.mjs', import.meta.url)
