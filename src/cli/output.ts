import { escapedJson, printable } from '../log/printable.js'
import { createColors } from 'picocolors'

/** The standard output and standard error of a command. */
export interface Output {
  readonly isTerminal: boolean
  /** Whether standard error is a terminal. */
  readonly isErrorTerminal: boolean
  /** Functions that style a text. They return it unchanged unless the output is a terminal, and with `NO_COLOR` or `TERM=dumb`. */
  readonly colors: ReturnType<typeof createColors>
  /** Writes the text unchanged, without a line break. */
  write(text: string): void
  /** As `write`. Resolves when the reader of the output is ready for more. */
  writeAndWait(text: string): Promise<void>
  /** Writes the text unchanged to standard error. */
  writeError(text: string): void
  /** Writes the text and a line break. */
  line(text?: string): void
  /** Writes the value as JSON, indented by two spaces. */
  json(value: unknown): void
  /** Writes a table. Each column is as wide as its widest cell. */
  table(head: readonly string[], rows: readonly (readonly string[])[]): void
}

/** The members of a stream that an `Output` uses. */
export interface Stream {
  readonly isTTY?: boolean
  /** Returns false when the reader is slow. */
  write(text: string): unknown
  once?(event: 'drain', listener: () => void): unknown
}

/**
 * An output on two streams.
 * @param stream for results.
 * @param errors for error messages.
 */
export function terminalOutput(stream: Stream = process.stdout, errors: Stream = process.stderr): Output {
  const isTerminal = stream.isTTY === true
  const colors = createColors(hasColors(stream))
  const line = (text = '') => void stream.write(`${text}\n`)
  return {
    isTerminal,
    isErrorTerminal: errors.isTTY === true,
    colors,
    write: (text) => void stream.write(text),
    async writeAndWait(text) {
      if (stream.write(text) !== false) return
      await new Promise<void>((resolve) => stream.once?.('drain', resolve) ?? resolve())
    },
    writeError: (text) => void errors.write(text),
    line,
    json: (value) => line(escapedJson(JSON.stringify(value, null, 2))),
    table(head, rows) {
      const cells = rows.map((row) => row.map((cell) => printable(cell)))
      const widths = head.map((title, column) =>
        cells.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), title.length),
      )
      const lineOf = (row: readonly string[]) =>
        row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()
      line(colors.bold(lineOf(head)))
      for (const row of cells) line(lineOf(row))
    },
  }
}

/** Whether the stream is a terminal and its user has not switched colours off (https://no-color.org). */
function hasColors(stream: Stream): boolean {
  return stream.isTTY === true && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb'
}

/** A number with its noun: `1 route`, `2 routes`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
