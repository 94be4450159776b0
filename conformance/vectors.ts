import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { decodeBytes } from '../src/php/text.js'

/** One recorded call: its inputs, and what WordPress answered. The format: `recorded/vectors/README.md`. */
export interface VectorCase {
  readonly id: string
  readonly rule?: string
  readonly expect: unknown
  readonly [input: string]: unknown
}

export interface VectorFile {
  readonly name: string
  readonly function?: unknown
  readonly cases: readonly VectorCase[]
  readonly [setup: string]: unknown
}

export const recordedVectors: string = fileURLToPath(new URL('./recorded/vectors/', import.meta.url))

/** The files of a folder of vectors, by name: `schema-types`, `functions/absint`. */
export function vectorNames(folder: string = recordedVectors): string[] {
  return readdirSync(folder).flatMap((entry) => {
    if (statSync(join(folder, entry)).isDirectory())
      return vectorNames(join(folder, entry)).map((name) => `${entry}/${name}`)
    return entry.endsWith('.json') ? [entry.slice(0, -5)] : []
  })
}

/** `records-html` of `vectors/records-html`. */
export function basenameOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

/** Reads one file, with `$hex`, `$float` and `$repeat` turned into values. */
export function readVectors(name: string, folder: string = recordedVectors): VectorFile {
  const file = revive(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))) as Omit<VectorFile, 'cases'> &
    Partial<VectorFile>
  return { ...file, name, cases: file.cases ?? [] }
}

/** Bytes that are not UTF-8 become text as `php/text.ts` holds them. */
function revive(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revive)
  if (typeof value !== 'object' || value === null) return value
  const map = value as Record<string, unknown>
  if (typeof map['$hex'] === 'string') return decodeBytes(Buffer.from(map['$hex'], 'hex'))
  if (typeof map['$float'] === 'string') return { INF: Infinity, '-INF': -Infinity, NAN: NaN, '-0': -0 }[map['$float']]
  if (typeof map['$repeat'] === 'string') return map['$repeat'].repeat(Number(map['times']))
  const revived: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const [key, inner] of Object.entries(map)) revived[key] = revive(inner)
  return revived
}
