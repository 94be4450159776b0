import type { ThrownErrorCode } from '../base/thrown-errors.js'
import { dirname, sep } from 'node:path'
import { sourceLocationOf, sourceLocationText } from '../routing/source-location.js'

/** The `seed` of the application threw. Its error is the `cause`. */
export class SeedError extends Error {
  override readonly name = 'SeedError'
  readonly code = 'seed-failed' satisfies ThrownErrorCode
  /** @param isOnDisk whether the database outlives the process. */
  constructor(cause: unknown, isOnDisk: boolean) {
    const location = placeInSeed(cause)
    super(
      `The seed of the configuration failed${location}: ${cause instanceof Error ? cause.message : String(cause)}\n` +
        (isOnDisk ? 'The database that this start created is not complete. Remove it, correct' : 'Correct') +
        ' the seed, and start again.',
      { cause },
    )
  }
}

/** ` at demo/seed.ts:12`: the innermost line of the application. Errors about users or records are thrown in this package. */
function placeInSeed(error: unknown): string {
  const ours = packageFolder()
  const frames = String((error as Partial<Error> | null)?.stack ?? '').split('\n')
  const places = frames.map((frame) => sourceLocationOf({ stack: `\n${frame}` }))
  const location = places.find((each) => each !== null && (ours === null || !each.file.startsWith(ours)))
  return location ? ` at ${sourceLocationText(location)}` : ''
}

/** The folder of this package's modules in stacks: of the sources with source maps, else of the build. */
function packageFolder(): string | null {
  const file = sourceLocationOf(new Error())?.file
  if (file === undefined) return null
  return (file.endsWith('.ts') ? dirname(dirname(file)) : dirname(file)) + sep
}
