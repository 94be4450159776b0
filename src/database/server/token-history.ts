import type { ChangeToken } from '../storage.js'

/**
 * The history that a change token of a server belongs to: the text before its last slash. It names the server, its start, and
 * the connections that were lost.
 */
export const historyOfToken = (token: ChangeToken): string => {
  const text = String(token)
  return text.slice(0, text.lastIndexOf('/'))
}
