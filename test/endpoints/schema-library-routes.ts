import type { TestContext } from 'node:test'
import type { StartedService } from '../support/start-service.js'

/** What the routes of these tests have in common. */
export const shop = { namespace: 'shop/v1', permission: 'public' } as const

/** The message of the error that was logged last. */
export function loggedMessage(site: StartedService): string {
  const err: unknown = site.log.at(-1)?.fields['err']
  return err instanceof Error ? err.message : ''
}

/** A POST with a JSON body. */
export const json = (value: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})

/** The list of unhandled rejections, to which those of the test are added. */
export function unhandledRejections(context: TestContext): readonly unknown[] {
  const unhandled: unknown[] = []
  const note = (error: unknown): unknown => unhandled.push(error)
  process.on('unhandledRejection', note)
  context.after(() => process.off('unhandledRejection', note))
  return unhandled
}

/** An asynchronous check of an application that fails for `down`, as it does when a database fails. */
export async function failing(name: string): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, 1))
  if (name === 'down') throw new Error('the database is down')
  return true
}
