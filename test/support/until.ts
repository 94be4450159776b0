import { setTimeout as sleep } from 'node:timers/promises'

/** Far beyond what a busy machine takes: it is there so that a test fails instead of hanging. */
const limit = 300_000

/**
 * Waits for what happens at some time.
 *
 * ```ts
 * await until(() => site.log.length > 0)
 * ```
 *
 * @param condition may be asked often: every few milliseconds.
 * @param what is said when it does not happen within five minutes. Default: the source of the condition.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string | (() => string) = String(condition),
): Promise<void> {
  const deadline = performance.now() + limit
  while (!(await condition())) {
    if (performance.now() > deadline)
      throw new Error(`Waited five minutes in vain: ${typeof what === 'string' ? what : what()}`)
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
