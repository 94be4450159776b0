// How Node loads the TypeScript of this project: compiled by esbuild, and kept in node_modules/.cache. tsx does the same
// in one and a half times the processor time, or in four times where Node has `registerHooks`.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = new URL('../../', import.meta.url)
const require = createRequire(import.meta.url)
const { compilerOptions } = JSON.parse(readFileSync(new URL('tsconfig.json', root), 'utf8'))
const sources = new Map(Object.entries(compilerOptions.paths).map(([name, [path]]) => [name, new URL(path, root).href]))
const options = {
  loader: 'ts',
  format: 'esm',
  target: 'node20.19',
  sourcemap: 'inline',
  sourcesContent: false,
  keepNames: true,
  tsconfigRaw: { compilerOptions: { target: compilerOptions.target, verbatimModuleSyntax: true } },
}
const folder = fileURLToPath(new URL('node_modules/.cache/typescript/', root))
mkdirSync(folder, { recursive: true })
/** What makes the compiled files stale besides their source. */
const { version } = require('esbuild/package.json')
const key = version + JSON.stringify(options)

/** The files of a bundle that stand for files of the sources. */
const bundled = new Map()

/** @param folder of a bundle of the package; null: its sources are loaded. */
export function initialize({ folder }) {
  if (folder === null) return
  for (const [name, source] of sources) {
    const path = join(folder, source.slice(new URL('src/', root).href.length).replace(/ts$/, 'js'))
    sources.set(name, pathToFileURL(path).href)
    bundled.set(source, sources.get(name))
  }
}

export function resolve(specifier, context, next) {
  const source = sources.get(specifier)
  if (source !== undefined) return { url: source, format: 'module', shortCircuit: true }
  const { parentURL = '' } = context
  // Node loads a module again when its URL has another query, which is kept.
  const [, path, query] = parentURL.startsWith('file:') ? (/^(\..*)\.js(\?.*)?$/.exec(specifier) ?? []) : []
  const url = path === undefined ? null : new URL(`${path}.ts${query ?? ''}`, parentURL)
  if (url !== null && existsSync(url))
    return { url: bundled.get(url.href) ?? url.href, format: 'module', shortCircuit: true }
  return next(specifier, context)
}

export function load(url, context, next) {
  const path = url.split('?', 1)[0]
  if (!path.endsWith('.ts') || !path.startsWith('file:')) return next(url, context)
  return { format: 'module', source: compiled(fileURLToPath(path)), shortCircuit: true }
}

/** The JavaScript of a file, made once for each content. */
function compiled(path) {
  const code = readFileSync(path)
  const name = createHash('sha1').update(key).update(path).update(code).digest('hex')
  const file = `${folder}${name}.js`
  try {
    return readFileSync(file, 'utf8')
  } catch {
    const compiled = require('esbuild').transformSync(code, { ...options, sourcefile: path }).code
    // Several processes may compile the same file.
    writeFileSync(`${file}.${process.pid}`, compiled)
    renameSync(`${file}.${process.pid}`, file)
    return compiled
  }
}
