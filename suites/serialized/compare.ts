import { spawnSync } from 'node:child_process'
import type { Random } from '../support/random.js'
import { differenceFromPhp, readingOf, type Reading } from './judge.js'
import { mutated } from './mutate.js'
import { askPhp } from './php-peer.js'
import { shapes } from './shapes.js'

export interface Finding {
  readonly index: number
  readonly shape: string
  readonly text: string
  readonly fault: string
}

export interface Comparison {
  readonly findings: readonly Finding[]
  /** How many of the texts were readable. */
  readonly read: number
  /** Milliseconds of the slowest text. */
  readonly slowest: number
}

/** How many texts one process of PHP is asked about. */
const batch = 5000

/** A text may take this long, in milliseconds, on a busy machine. */
const limit = 2000

export const hasPhp = (): boolean => spawnSync('php', ['-v'], { stdio: 'ignore' }).status === 0

/** Reads texts from number `first` on, here and in PHP where that is installed. Every tenth is left as it is. */
export async function findingsIn(
  { first, count, maxFindings }: { readonly first: number; readonly count: number; readonly maxFindings: number },
  randomOf: (stream: number) => Random,
): Promise<Comparison> {
  const findings: Finding[] = []
  const withPhp = hasPhp()
  let read = 0
  let slowest = 0
  for (let start = first; start < first + count && findings.length < maxFindings; start += batch) {
    const texts: { index: number; shape: string; isWhole: boolean; reading: Reading }[] = []
    for (let index = start; index < Math.min(start + batch, first + count); index += 1) {
      const random = randomOf(index)
      const shape = random.pick(Object.keys(shapes))
      const whole = shapes[shape]?.(random) ?? ''
      const isWhole = random.chance(0.1)
      const begun = performance.now()
      const reading = readingOf(isWhole ? whole : mutated(whole, random))
      const took = performance.now() - begun
      slowest = Math.max(slowest, took)
      if (reading.written !== null) read += 1
      const fault = reading.fault ?? (took > limit ? `takes ${took} ms` : wholeFault(isWhole, shape, reading))
      if (fault !== null) findings.push({ index, shape, text: reading.text, fault })
      texts.push({ index, shape, isWhole, reading })
    }
    if (!withPhp) continue
    const readings = texts.map(({ reading }) => reading)
    const php = await askPhp(readings.map(({ text }) => text))
    const rewritten = await askPhp(readings.map(({ written }) => written ?? ''))
    for (const [position, { index, shape, reading }] of texts.entries()) {
      const fault = differenceFromPhp(reading, php[position] ?? null, rewritten[position] ?? null)
      if (fault !== null) findings.push({ index, shape, text: reading.text, fault })
    }
  }
  return { findings: findings.slice(0, maxFindings), read, slowest }
}

/** What a site has stored is written back byte for byte, unless it has references. */
function wholeFault(isWhole: boolean, shape: string, { text, written }: Reading): string | null {
  if (!isWhole || written === text) return null
  if (written === null) return shape === 'references' ? null : 'is not read'
  return `is written back as ${written}`
}
