import { loggedErrors, type LoggedErrorCode } from './logged-errors.js'
import type { Log } from './log.js'

/** Logs the line of a code, with its level and message. @param fields of the line, besides `code`. */
export function logError(log: Log, code: LoggedErrorCode, fields: object = {}): void {
  const { level, message } = loggedErrors['Log lines'][code]
  log[level]({ code, ...fields }, message)
}
