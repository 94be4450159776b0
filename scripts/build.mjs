// Builds dist/: declarations by tsc, which checks the types as well; code by esbuild. Also builds the shop, which
// `npm start` serves. `node scripts/build.mjs <folder>` builds the package alone, into another folder.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle.mjs'
import { buildShop } from './shop.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = resolve(process.argv[2] ?? join(root, 'dist'))

rmSync(folder, { recursive: true, force: true })
await bundle(folder)
if (process.argv[2] === undefined) await buildShop()

const project = ['-p', 'tsconfig.build.json', '--emitDeclarationOnly', '--outDir', folder]
const compiler = [join(root, 'node_modules/typescript/bin/tsc'), ...project]
process.exitCode = spawnSync(process.execPath, compiler, { cwd: root, stdio: 'inherit' }).status ?? 1
