import type { ThrownErrorCode } from '../base/thrown-errors.js'
import { messageOf } from '../base/thrown-text.js'
import { dirname, join, sep } from 'node:path'
import { sourceLocationOf, sourceLocationText } from '../routing/source-location.js'

/** The `seed` of the application threw. Its error is the `cause`. */
export class SeedError extends Error {
  override readonly name = 'SeedError'
  readonly code = 'seed-failed' satisfies ThrownErrorCode
  /** @param isOnDisk whether the database outlives the process. */
  constructor(cause: unknown, isOnDisk: boolean) {
    const location = locationText(cause)
    super(
      `The seed of the configuration failed${location}: ${messageOf(cause)}\n` +
        (isOnDisk ? 'The database that this start created is not complete. Remove it, correct' : 'Correct') +
        ' the seed, and start again.',
      { cause },
    )
  }
}

/** ` at demo/seed.ts:12`: the innermost line of the application. Errors about users or records are thrown in this package. */
function locationText(error: unknown): string {
  const ownFolders = packageFolders()
  const frames = String((error as Partial<Error> | null)?.stack ?? '').split('\n')
  const locations = frames.map((frame) => sourceLocationOf({ stack: `\n${frame}` }))
  const location = locations.find((each) => each !== null && !ownFolders.some((folder) => each.file.startsWith(folder)))
  return location ? ` at ${sourceLocationText(location)}` : ''
}

/** The folders of this package's modules in stacks, which name sources or, where source maps are missing, the build. */
function packageFolders(): readonly string[] {
  const file = sourceLocationOf(new Error())?.file
  if (file === undefined) return []
  const root = file.endsWith('.ts') ? dirname(dirname(dirname(file))) : dirname(dirname(file))
  return [join(root, 'src') + sep, join(root, 'dist') + sep]
}
