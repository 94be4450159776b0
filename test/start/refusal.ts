import assert from 'node:assert/strict'
import { boot, StartupError } from 'as-rest-route'
import type { BootOptions } from '../../src/app/options.js'
import { temporaryDatabase } from '../support/test-database.js'

/** The error of a start that is refused. @throws AssertionError when the service starts. */
export async function refusalOf(source: Parameters<typeof boot>[0], options: BootOptions = {}): Promise<StartupError> {
  try {
    const database =
      options?.wordpress === undefined ? { database: options.database ?? (await temporaryDatabase()) } : {}
    const service = await boot(source, { ...database, ...options })
    await service.close()
  } catch (error) {
    if (error instanceof StartupError) return error
    throw error
  }
  assert.fail('The service started.')
}
