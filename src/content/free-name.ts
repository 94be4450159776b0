/** How many names a look-up compares. A database compares many at once, and each look-up waits for it once. */
const batchSizes = [30, 1000, 10_000] as const

/**
 * The first name that is free, of `nameWith(first)`, `nameWith(first + 1)`, …: the numbers of deleted rows are used again.
 * Ten thousand taken names are passed over in three look-ups.
 * @param firstFree returns the first free one of a list of names; null when all are taken.
 */
export async function firstFreeName(
  nameWith: (number: number) => string,
  first: number,
  firstFree: (names: readonly string[]) => Promise<string | null>,
): Promise<string> {
  for (let batch = 0, next = first; ; batch += 1) {
    const size = batchSizes[Math.min(batch, batchSizes.length - 1)] ?? 1
    const start = next
    next += size
    const name = await firstFree(Array.from({ length: size }, (_, index) => nameWith(start + index)))
    if (name !== null) return name
  }
}
