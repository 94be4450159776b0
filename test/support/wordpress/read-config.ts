import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after } from 'node:test'
import { readWordPressConfig, WordPressConfigError, type Environment } from '../../../src/wordpress/wordpress-config.js'

const folder = mkdtempSync(join(tmpdir(), 'wordpress-config-'))
after(() => rmSync(folder, { recursive: true }))
let count = 0

const database = "define('DB_NAME', 'shop'); define('DB_USER', 'wp'); define('DB_PASSWORD', 'secret');"

/** Reads a wp-config.php that has these lines from line 3 on, beside these other files. */
export function read(code: string, environment: Environment = {}, others: Readonly<Record<string, string>> = {}) {
  const own = join(folder, String((count += 1)))
  for (const [name, text] of Object.entries({ 'wp-config.php': `<?php\n${database}\n${code}`, ...others })) {
    mkdirSync(dirname(join(own, name)), { recursive: true })
    writeFileSync(join(own, name), text)
  }
  return readWordPressConfig(join(own, 'wp-config.php'), environment)
}

/** `4: sentence` for each warning. */
export const warningsOf = (
  code: string,
  environment: Environment = {},
  others: Readonly<Record<string, string>> = {},
) => read(code, environment, others).warnings.map(({ place, message }) => `${place?.line}: ${message}`)

export function faultsOf(code: string, environment: Environment = {}) {
  try {
    read(code, environment)
  } catch (error) {
    if (error instanceof WordPressConfigError)
      return error.faults.map(({ name, place, message }) => ({ name, line: place?.line ?? null, message }))
    throw error
  }
  return []
}
