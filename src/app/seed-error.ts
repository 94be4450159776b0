import type { ThrownErrorCode } from '../base/thrown-errors.js'
import { dirname, sep } from 'node:path'
import { sourceLocationOf, sourceLocationText } from '../routing/source-location.js'

/** The application's `seed` threw: an error of the application, whose own is the `cause`. */
export class SeedError extends Error {
  override readonly name = 'SeedError'
  readonly code = 'seed-failed' satisfies ThrownErrorCode
  /** @param isKept whether the database is there when the process has ended. */
  constructor(cause: unknown, isKept: boolean) {
    const location = placeInSeed(cause)
    super(
      `The seed of the configuration failed${location}: ${cause instanceof Error ? cause.message : String(cause)}\n` +
        (isKept ? 'The database that this start made is not complete. Remove it, correct' : 'Correct') +
        ' the seed, and start again.',
      { cause },
    )
  }
}

/** ` at demo/seed.ts:12`: the innermost line that is the application's, since a user or record is refused in ours. */
function placeInSeed(error: unknown): string {
  const ours = ownFolder()
  const frames = String((error as Partial<Error> | null)?.stack ?? '').split('\n')
  const places = frames.map((frame) => sourceLocationOf({ stack: `\n${frame}` }))
  const location = places.find((each) => each !== null && (ours === null || !each.file.startsWith(ours)))
  return location ? ` at ${sourceLocationText(location)}` : ''
}

/** Of this package's modules as stacks tell them: with source maps that of the sources, else that of what was built. */
function ownFolder(): string | null {
  const file = sourceLocationOf(new Error())?.file
  if (file === undefined) return null
  return (file.endsWith('.ts') ? dirname(dirname(file)) : dirname(file)) + sep
}
