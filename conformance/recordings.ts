import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A folder that holds recordings of one kind. */
export interface Recording {
  readonly kind: 'http' | 'vectors'
  readonly folder: string
}

/**
 * The recordings in a folder: the folder itself when it holds files, else those in its sub folders. The sub folders of
 * a folder of vectors belong to it; those of a folder of HTTP cases are looked at by themselves.
 */
export function recordingsIn(folder: string): Recording[] {
  const entries = readdirSync(folder).sort()
  const files = entries.filter((entry) => entry.endsWith('.json'))
  if (files.length > 0 && !isHttp(folder, files)) return [{ kind: 'vectors', folder }]
  const below = entries.map((entry) => join(folder, entry)).filter((path) => statSync(path).isDirectory())
  const own: Recording[] = files.length > 0 ? [{ kind: 'http', folder }] : []
  return [...own, ...below.flatMap(recordingsIn)]
}

/** HTTP cases lie beside their fixtures, or are known by what a case says of its caller. */
function isHttp(folder: string, files: readonly string[]): boolean {
  if (existsSync(join(folder, 'fixtures.json'))) return true
  return files.some((file) => {
    const content = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { readonly cases?: readonly object[] }
    const [first = {}] = content.cases ?? []
    return 'as' in first && 'path' in first && 'expect' in first
  })
}
