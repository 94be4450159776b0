import { dirname, sep } from 'node:path'
import { placeOf, placeText } from '../routing/source-location.js'

/** The application's `seed` threw: an error of the application, whose own is the `cause`. */
export class SeedFailed extends Error {
  override readonly name = 'SeedFailed'
  /** @param isKept whether the database is there when the process has ended. */
  constructor(cause: unknown, isKept: boolean) {
    const place = placeInSeed(cause)
    super(
      `The seed of the configuration failed${place}: ${cause instanceof Error ? cause.message : String(cause)}\n` +
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
  const places = frames.map((frame) => placeOf({ stack: `\n${frame}` }))
  const place = places.find((each) => each !== null && (ours === null || !each.file.startsWith(ours)))
  return place ? ` at ${placeText(place)}` : ''
}

/** Of this package's modules as stacks tell them: with source maps that of the sources, else that of what was built. */
function ownFolder(): string | null {
  const file = placeOf(new Error())?.file
  if (file === undefined) return null
  return (file.endsWith('.ts') ? dirname(dirname(file)) : dirname(file)) + sep
}
