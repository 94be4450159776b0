import type { MaybePromise } from '../../base/maybe-promise.js'

/** The maximum number of ids that one insert tries. */
const maxIds = 100

/**
 * Inserts a row that gets the next id. An insert with an id of its own may take that id at the same moment: the sequence or
 * counter of the table has then yielded it already. The insert is repeated with the ids after it.
 * @param isDuplicateKey see `SqlDialect`.
 */
export async function withNextId(
  insert: () => MaybePromise<number>,
  isDuplicateKey: (error: unknown) => boolean,
): Promise<number> {
  for (let count = 1; ; count += 1)
    try {
      return await insert()
    } catch (error) {
      if (count === maxIds || !isDuplicateKey(error)) throw error
    }
}
