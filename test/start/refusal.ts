import assert from 'node:assert/strict'
import { boot, StartRefused } from 'as-rest-route'
import type { BootOptions } from '../../src/app/options.js'

/** Why a start is refused. @throws AssertionError when it is not. */
export async function refusalOf(source: Parameters<typeof boot>[0], options: BootOptions = {}): Promise<StartRefused> {
  try {
    const service = await boot(source, { database: 'sqlite::memory:', ...options })
    await service.close()
  } catch (error) {
    if (error instanceof StartRefused) return error
    throw error
  }
  assert.fail('The service started.')
}
