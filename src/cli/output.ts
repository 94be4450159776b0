import { createColors } from 'picocolors'

/** Where a command writes; colours only for a terminal that wants them. */
export interface Output {
  readonly isTerminal: boolean
  readonly colors: ReturnType<typeof createColors>
  line(text?: string): void
  json(value: unknown): void
  /** Columns as wide as their widest cell. */
  table(head: readonly string[], rows: readonly (readonly string[])[]): void
}

export function terminalOutput(stream: NodeJS.WriteStream = process.stdout): Output {
  const isTerminal = stream.isTTY === true
  const colors = createColors(isTerminal && process.env['NO_COLOR'] === undefined)
  const line = (text = '') => void stream.write(`${text}\n`)
  return {
    isTerminal,
    colors,
    line,
    json: (value) => line(JSON.stringify(value, null, 2)),
    table(head, rows) {
      const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
      const written = (row: readonly string[]) =>
        row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()
      line(colors.bold(written(head)))
      for (const row of rows) line(written(row))
    },
  }
}
