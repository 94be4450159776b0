/** A Markdown table whose columns are also even in plain text. Columns after the first are aligned right. */
export function table(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = [columns, ...rows].map((row) => row.map(String))
  const widths = columns.map((_, index) => Math.max(3, ...lines.map((line) => line[index]?.length ?? 0)))
  const lineOf = (cells: readonly string[]) =>
    `| ${widths.map((width, index) => padded(cells[index] ?? '', width, index > 0)).join(' | ')} |`
  const rule = `| ${widths.map((width, index) => (index > 0 ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))).join(' | ')} |`
  const [head = [], ...body] = lines
  return [lineOf(head), rule, ...body.map(lineOf)].join('\n')
}

function padded(text: string, width: number, isAlignedRight: boolean): string {
  return isAlignedRight ? text.padStart(width) : text.padEnd(width)
}
