import assert from 'node:assert/strict'
import { boot, StartupError } from 'as-rest-route'
import type { BootOptions } from '../../src/app/options.js'
import { temporaryDatabase } from '../support/test-database.js'

/** The error of a start that is refused. @throws AssertionError when the service starts. */
export async function refusalOf(source: Parameters<typeof boot>[0], options: BootOptions = {}): Promise<StartupError> {
  try {
    const service = await boot(source, { database: options.database ?? (await temporaryDatabase()), ...options })
    await service.close()
  } catch (error) {
    if (error instanceof StartupError) return error
    throw error
  }
  assert.fail('The service started.')
}
