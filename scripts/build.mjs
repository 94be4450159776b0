// Builds dist/: declarations by tsc, which checks the types as well; code by esbuild, in a few files. A start pays about
// half a millisecond for each module that it loads, and the sources are several hundred. Also builds the shop, which
// `npm start` serves. `node scripts/build.mjs <folder>` builds the package alone, into another folder.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { buildShop } from './shop.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = resolve(process.argv[2] ?? join(root, 'dist'))

rmSync(folder, { recursive: true, force: true })
const { outputFiles } = await build({
  write: false,
  absWorkingDir: root,
  entryPoints: {
    index: 'src/index.ts',
    testing: 'src/testing.ts',
    vite: 'src/vite.ts',
    'cli/main': 'src/cli/main.ts',
    // Beside the file that starts it as a thread.
    'hash-worker': 'src/auth/hash-worker.ts',
  },
  outdir: folder,
  bundle: true,
  splitting: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  tsconfig: 'tsconfig.build.json',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
})
for (const { path, text } of outputFiles) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, path.endsWith('.js') ? inAscii(text) : text, { mode: text.startsWith('#!') ? 0o755 : 0o644 })
}
if (process.argv[2] === undefined) await buildShop()

const project = ['-p', 'tsconfig.build.json', '--emitDeclarationOnly', '--outDir', folder]
const compiler = [join(root, 'node_modules/typescript/bin/tsc'), ...project]
process.exitCode = spawnSync(process.execPath, compiler, { cwd: root, stdio: 'inherit' }).status ?? 1

/**
 * V8 keeps the text of a module, in two bytes a character when one of them is not Latin-1. esbuild escapes those in strings,
 * and leaves templates, regular expressions and comments, in all of which an escape means the same, unless a backslash
 * stands before it or the template is read as it is written. That is looked for as `String.raw` is usually written.
 */
function inAscii(code) {
  const [raw] = /String\.raw`[^`]*[^\0-\x7f`]|\\[^\0-\x7f]/.exec(code) ?? []
  if (raw !== undefined) throw new Error(`An escape would mean something else in ${raw}`)
  return code.replace(/[^\0-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
