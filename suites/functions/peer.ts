import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { bytesOf, textOf } from '../../src/php/bytes.js'
import { floatText } from '../../src/php/float-text.js'
import {
  isWordPressUnpacked,
  wordpressFolder,
  wordpressVersion,
} from '../../test/support/wordpress/wordpress-programs.js'

/** The installed WordPress. */
export interface Wordpress {
  /** Such as `7.1.4`. */
  readonly version: string
  /** The version of its tables, on which the classes of blocks depend. */
  readonly dbVersion: number
  /** Whether it is 7.1 or later. Only these are compared in all that the functions do. */
  readonly isReference: boolean
  /** Whether PHP has its extension mbstring, without which WordPress leaves capitals outside ASCII as they are. */
  readonly hasMultibyte: boolean
}

/** @returns null when there is no WordPress. */
export function installedWordpress(): Wordpress | null {
  if (!isWordPressUnpacked()) return null
  const { text: version, number, dbVersion } = wordpressVersion()
  const modules = spawnSync('php', ['-m'], { encoding: 'utf8' }).stdout
  const hasMultibyte = modules.split('\n').includes('mbstring')
  return { version, dbVersion, isReference: number >= 7.1, hasMultibyte }
}

/**
 * Calls functions of WordPress.
 * @param lines one JSON list of a name and arguments for each call, as {@link lineOf} writes it.
 * @returns the results, undefined for a call that failed.
 * @throws Error when there is no php, or it ends early.
 */
export async function askPhp(lines: readonly string[]): Promise<readonly unknown[]> {
  const peer = fileURLToPath(new URL('peer.php', import.meta.url))
  const settings = ['memory_limit=512M', 'serialize_precision=-1'].flatMap((setting) => ['-d', setting])
  const php = spawn('php', [...settings, peer, wordpressFolder], { stdio: ['pipe', 'pipe', 'inherit'] })
  const failed = new Promise<never>((_, reject) => php.once('error', reject))
  php.stdin.on('error', () => undefined)
  php.stdin.end(lines.map((line) => `${line}\n`).join(''))
  const results: unknown[] = []
  const read = async (): Promise<void> => {
    for await (const line of createInterface({ input: php.stdout }))
      results.push(line === '-' ? undefined : withTexts(JSON.parse(line), textOf))
  }
  await Promise.race([read(), failed])
  if (results.length !== lines.length) throw new Error(`php answered ${results.length} of ${lines.length} times.`)
  return results
}

/** @param json the arguments in JSON, each as PHP reads it: `1.0` is a float. */
export function lineOf(name: string, json: readonly string[]): string {
  return bytesOf(`[${[JSON.stringify(name), ...json].join()}]`)
}

/** JSON in which bytes that are not UTF-8 stay what they are here: lone surrogates. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value).replaceAll(/\\u(dc[89a-f][0-9a-f])/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** One text for equal values. The empty map is the empty list, and the order of keys does not matter. */
export function comparable(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, inner: unknown) => {
    if (typeof inner === 'number' && !Number.isFinite(inner)) return floatText(inner)
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    const entries = Object.entries(inner)
    return entries.length === 0 ? [] : Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

/** The value with each of its texts and keys converted. */
export function withTexts(value: unknown, convert: (text: string) => string): unknown {
  if (typeof value === 'string') return convert(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => withTexts(item, convert))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [convert(key), withTexts(item, convert)]))
}
