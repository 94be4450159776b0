import type { ResolvedOptions } from '../app/options.js'
import { isReadable } from '../log/is-readable.js'
import type { Log } from '../log/log.js'
import type { Output } from './output.js'

/** The output of `serve` about what it has started. */
export interface Announcement {
  /** Whether a person reads it in a terminal, who may see passwords. */
  readonly isInTerminal: boolean
  readonly colors: Output['colors'] | null
  /** @param fields what the sentence says, for a log. */
  line(text?: string, fields?: object): void
}

/**
 * The output of the command; in production, where the log is JSON, that log, so that all lines of the output are of one kind.
 */
export function announcementOn(output: Output, environment: ResolvedOptions['environment'], log: Log): Announcement {
  if (environment !== 'production' || isReadable({ isTTY: output.isTerminal }))
    return { isInTerminal: output.isTerminal, colors: output.colors, line: (text) => output.line(text) }
  return {
    isInTerminal: false,
    colors: null,
    line(text = '', fields = {}) {
      if (text !== '') log.info(fields, text.trim().replaceAll(/ {2,}/g, ' '))
    },
  }
}
