import { createColors } from 'picocolors'

/** Where a command writes; colours only for a terminal that wants them. */
export interface Output {
  readonly isTerminal: boolean
  readonly colors: ReturnType<typeof createColors>
  /** As it is, without a line break. */
  write(text: string): void
  /** To standard error, as it is. */
  complain(text: string): void
  line(text?: string): void
  json(value: unknown): void
  /** Columns as wide as their widest cell. */
  table(head: readonly string[], rows: readonly (readonly string[])[]): void
}

/** What an `Output` needs of a stream. */
export interface Stream {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** @param stream for what was asked for. @param errors for what went wrong. */
export function terminalOutput(stream: Stream = process.stdout, errors: Stream = process.stderr): Output {
  const isTerminal = stream.isTTY === true
  const colors = createColors(wantsColors(stream))
  const line = (text = '') => void stream.write(`${text}\n`)
  return {
    isTerminal,
    colors,
    write: (text) => void stream.write(text),
    complain: (text) => void errors.write(text),
    line,
    json: (value) => line(JSON.stringify(value, null, 2)),
    table(head, rows) {
      const cells = rows.map((row) => row.map(printable))
      const widths = head.map((title, column) =>
        cells.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), title.length),
      )
      const written = (row: readonly string[]) =>
        row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()
      line(colors.bold(written(head)))
      for (const row of cells) line(written(row))
    },
  }
}

/** A terminal, unless its user asked for no colours (https://no-color.org). */
function wantsColors(stream: Stream): boolean {
  return stream.isTTY === true && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb'
}

/** `1 route`, `2 routes`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Names come from users: a control sequence among them must not reach the terminal. */
function printable(cell: string): string {
  return cell.replace(/[\0-\x1f\x7f-\x9f]/g, '\ufffd')
}
