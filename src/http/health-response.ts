import type { OutgoingResponse } from './exchange.js'

/** What `/readyz` says while the database is gone. */
export const databaseNotReady = 'the database is not ready'

/** A response of `/healthz` or `/readyz`. @param text one line. */
export function healthResponse(status: number, text: string, requestId?: string): OutgoingResponse {
  return {
    status,
    headers: [
      ['Content-Type', 'text/plain; charset=UTF-8'],
      ['Cache-Control', 'no-store'],
    ],
    ...(requestId !== undefined && { requestId }),
    body: `${text}\n`,
  }
}
