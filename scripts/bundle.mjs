// The code of the package in a few files. A start pays about half a millisecond for each module that it loads, and the sources
// are several hundred.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** @param folder is not emptied. */
export async function bundle(folder) {
  const { outputFiles } = await build({
    write: false,
    absWorkingDir: fileURLToPath(new URL('../', import.meta.url)),
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
}

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
