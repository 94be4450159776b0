import type { Report } from './report.js'
import { highlightedRows, type HighlightedRow } from './highlighted-rows.js'

const servers: readonly (readonly [name: string, label: string])[] = [
  ['as-rest-route', 'as-rest-route'],
  ['node-http', 'node:http by hand'],
  ['fastify', 'Fastify'],
  ['hono', 'Hono'],
  ['express', 'Express'],
]

const width = 760
const left = 150
/** Keeps room for the figure behind the longest bar. */
const right = 150
const bar = 16
const step = 22
const heading = 34

/**
 * Bars of requests per second of server CPU, as multiples of Fastify's. An SVG of a few kilobytes without fonts or scripts;
 * its colours follow the reader's light or dark mode.
 */
export function chartOf(report: Report): string {
  const rows = highlightedRows(report)
  const multiples = rows.flatMap((row) => Object.values(row.servers).map(({ timesFastify }) => timesFastify ?? 0))
  const scale = (width - left - right) / Math.max(1, ...multiples)
  const parts: string[] = []
  let top = 44
  for (const row of rows) {
    const group = groupOf(row, top, scale)
    parts.push(...group.parts)
    top = group.bottom
  }
  const height = top + 6
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${titleOf(rows)}</title>
<style>
text { font: 13px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #24292f }
.head { font-weight: 600 }
.quiet { fill: #57606a }
.own { fill: #0969da }
.other { fill: #afb8c1 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.quiet { fill: #9da7b3 }
.own { fill: #4493f8 }
.other { fill: #586069 }
}
</style>
<text x="0" y="16" class="head">Multiples of Fastify’s <tspan class="quiet">requests per second of server CPU</tspan></text>
${parts.join('\n')}
</svg>
`
}

function groupOf(row: HighlightedRow, top: number, scale: number): { parts: readonly string[]; bottom: number } {
  const parts = [`<text x="0" y="${top + 14}" class="head">${row.title}</text>`]
  let y = top + heading - 10
  for (const [name, label] of servers) {
    const figures = row.servers[name]
    if (figures === undefined) continue
    const multiple = figures.timesFastify ?? 0
    const length = rounded(Math.max(1, multiple * scale))
    parts.push(
      `<text x="${left - 8}" y="${y + 13}" text-anchor="end">${label}</text>`,
      `<rect x="${left}" y="${y}" width="${length}" height="${bar}" rx="2" class="${name === 'as-rest-route' ? 'own' : 'other'}"/>`,
      `<text x="${rounded(left + length + 6)}" y="${y + 13}">${multiple.toFixed(2)} × <tspan class="quiet">${Math.round(figures.perCpuSecond).toLocaleString('en')}</tspan></text>`,
    )
    y += step
  }
  return { parts, bottom: y + 12 }
}

/** For whom the picture is read aloud. */
function titleOf(rows: readonly HighlightedRow[]): string {
  const own = rows.map(({ title, servers: all }) => `${title} ${all['as-rest-route']?.timesFastify?.toFixed(2) ?? '–'}`)
  return `as-rest-route beside other servers, in multiples of Fastify’s requests per CPU-second: ${own.join(', ')}`
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
