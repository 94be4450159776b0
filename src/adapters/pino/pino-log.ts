import { pino } from 'pino'
import type { Log } from '../../service/log.js'

/** What must never be written down, wherever it turns up in a line's fields. */
const secrets = ['authorization', 'cookie', 'x-wp-nonce', 'password', 'pwd', 'user_pass', '_wpnonce']

/** JSON lines on standard output. */
export function pinoLog(): Log {
  return pino({
    redact: { paths: secrets.flatMap((name) => [`["${name}"]`, `*["${name}"]`]), censor: '(secret)' },
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  })
}
