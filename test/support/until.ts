import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds until a test fails instead of waiting forever. No correct test takes this long, on a busy machine either. */
const limit = 300_000

/**
 * Waits until a condition is true.
 *
 * ```ts
 * await until(() => site.log.length > 0)
 * ```
 *
 * @param condition called every five milliseconds.
 * @param description of the condition, for the error that is thrown after five minutes. Default: its source.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  description: string | (() => string) = String(condition),
): Promise<void> {
  const deadline = performance.now() + limit
  while (!(await condition())) {
    if (performance.now() > deadline)
      throw new Error(`Waited five minutes in vain: ${typeof description === 'string' ? description : description()}`)
    await sleep(5)
  }
}

/** Repeats a call until it succeeds. @throws its last error after five minutes. */
export async function eventually<T>(call: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + limit
  for (;;)
    try {
      return await call()
    } catch (error) {
      if (performance.now() > deadline) throw error
      await sleep(20)
    }
}
