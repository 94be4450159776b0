import assert from 'node:assert/strict'

/** A limit of failed attempts, after which one more is allowed in so many seconds. */
interface Limit {
  readonly failures: number
  readonly secondsEach: number
  /** How many more may be answered by processes that are not told of the last failures yet. Default: 0. */
  readonly late?: number
}

/**
 * Fails attempts until each way of making them is refused, and asserts that they were as many as the limit allows to all ways
 * together.
 * @param ways in turn; each makes one failed attempt and returns the status of its response.
 */
export async function assertFailureLimit(ways: readonly (() => Promise<number>)[], limit: Limit): Promise<void> {
  const { failures, secondsEach, late = 0 } = limit
  const begun = performance.now()
  const allowed = () => failures + late + Math.floor((performance.now() - begun) / 1000 / secondsEach)
  const refused = new Set<unknown>()
  let count = 0
  while (refused.size < ways.length)
    for (const attempt of ways)
      if ((await attempt()) === 429) refused.add(attempt)
      else {
        count += 1
        assert.ok(count <= allowed(), `${count} attempts are answered, ${allowed()} are allowed by now`)
      }
  assert.ok(count >= failures, `only ${count} attempts are answered`)
}
