import { fileURLToPath } from 'node:url'
import { placeOf, placeText } from '../discovery/place.js'

const ownFolder = new URL('../', import.meta.url)

/** The application's `seed` threw: an error of the application, whose own is the `cause`. */
export class SeedFailed extends Error {
  override readonly name = 'SeedFailed'
  constructor(cause: unknown) {
    const place = placeInSeed(cause)
    super(
      `The seed of the configuration failed${place}: ${cause instanceof Error ? cause.message : String(cause)}\n` +
        'The database that this start made is not complete. Remove it, correct the seed, and start again.',
      { cause },
    )
  }
}

/** ` at demo/seed.ts:12`: the innermost line that is the application's, since a user or record is refused in ours. */
function placeInSeed(error: unknown): string {
  const lines = String((error as Partial<Error> | null)?.stack ?? '').split('\n')
  const ours = [ownFolder.href, fileURLToPath(ownFolder)]
  const place = placeOf({ stack: lines.filter((line) => !ours.some((path) => line.includes(path))).join('\n') })
  return place ? ` at ${placeText(place)}` : ''
}
