import { productName } from '../servers/commands.js'
import type { Report } from './report.js'

/** The rows that the README and the picture show. */
const shown: readonly (readonly [id: string, title: string])[] = [
  ['list', 'list of 10 products'],
  ['cached-list', 'the same from the response cache; others have none'],
  ['password', 'GET with login and capability'],
  ['post-full', 'POST a product with login'],
]

export interface HighlightedRow {
  readonly id: string
  readonly title: string
  /** Those that were measured, by their name. */
  readonly servers: Readonly<Record<string, { readonly perCpuSecond: number; readonly timesFastify: number | null }>>
  /**
   * How many times WordPress's requests a CPU-second the product answered in the rounds beside it; null when that was not
   * measured. Where the product has its cache, nginx has one before WordPress.
   */
  readonly timesWordPress: number | null
}

export function highlightedRows({ throughput, series }: Report): readonly HighlightedRow[] {
  const beside = series.find(({ id }) => id === 'wordpress')
  return shown.flatMap(([id, title]) => {
    const row = throughput.find((each) => each.id === id)
    if (row === undefined) return []
    const besideRow = beside?.rows.find(([request, server]) => request === row.title && server === productName)
    return [{ id, title, servers: row.servers, timesWordPress: besideRow === undefined ? null : Number(besideRow[3]) }]
  })
}
