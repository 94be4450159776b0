import { loggedErrors, type LoggedErrorCode } from './logged-errors.js'
import type { Log } from './log.js'

/**
 * Writes one warning or error to the log. `loggedErrors` has the level and the message for each code.
 * @param fields fields of the line besides `code`, such as `err` or `requestId`.
 */
export function logError(log: Log, code: LoggedErrorCode, fields: object = {}): void {
  // 'Log lines' is the heading of these codes in docs/errors.md.
  const { level, message } = loggedErrors['Log lines'][code]
  log[level]({ code, ...fields }, message)
}
