import type { MaybePromise } from '../../base/maybe-promise.js'

/** The maximum number of ids that one insert tries. */
const maxIds = 100

/**
 * Inserts a row that gets the next id of the table. Another writer may insert a row with this id at the same moment, because its
 * caller has chosen the id. The insert is then repeated, and gets a later id: the sequence or counter of the table generates no
 * id twice.
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
