import { readFileSync } from 'node:fs'
import type { Place } from './place.js'

/**
 * Where a configuration names an option: of the lines that look like it the one that is indented least; where none does,
 * as with options that come from elsewhere, the line on which the options begin.
 */
export function optionPlace(file: string, option: string): Place {
  const lines = linesOf(file)
  let found: { readonly line: number; readonly indent: number } | null = null
  for (const [index, text] of lines.entries()) {
    if (!names(text, option)) continue
    const indent = text.search(/\S/)
    if (found === null || indent < found.indent) found = { line: index + 1, indent }
  }
  const beginning = lines.findIndex((text) => /^\s*export\s+default\b/.test(text))
  return { file, line: found?.line ?? Math.max(beginning, 0) + 1 }
}

/** `views: './pages'`, `views,`, `async seed() {`; not in a comment of its own line. */
function names(text: string, option: string): boolean {
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
