import { readFileSync } from 'node:fs'
import type { SourceLocation } from '../routing/source-location.js'

/**
 * The line of a configuration that names an option. Of several such lines the least indented one counts, and lines from
 * `export default` on count before others, such as an import of the same name. Without such a line, the line on which the
 * options begin.
 */
export function optionLocation(file: string, option: string): SourceLocation {
  const lines = linesOf(file)
  const beginning = Math.max(
    lines.findIndex((text) => /^\s*export\s+default\b/.test(text)),
    0,
  )
  const inOptions = indexOfOption(lines.slice(beginning), option)
  if (inOptions !== null) return { file, line: beginning + inOptions + 1 }
  return { file, line: (indexOfOption(lines.slice(0, beginning), option) ?? beginning) + 1 }
}

/** The index of the least indented line that names an option; `null` without one. */
function indexOfOption(lines: readonly string[], option: string): number | null {
  let outermost: { readonly index: number; readonly indent: number } | null = null
  for (const [index, text] of lines.entries()) {
    if (!lineNamesOption(text, option)) continue
    const indent = text.search(/\S/)
    if (outermost === null || indent < outermost.indent) outermost = { index, indent }
  }
  return outermost?.index ?? null
}

/** `views: './pages'`, `views,`, `async seed() {`; not in a comment of its own line. */
function lineNamesOption(text: string, option: string): boolean {
  if (/^\s*(?:\/\/|\/?\*)/.test(text) || !/^\w+$/.test(option)) return false
  return new RegExp(`(?:^|[{,])\\s*(?:async\\s+)?['"]?${option}['"]?\\s*(?:[:,(}]|$)`).test(text)
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)
  } catch {
    return []
  }
}
