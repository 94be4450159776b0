import { asciiLowerCase } from '../php/ascii-case.js'
import { toText } from '../php/cast.js'
import { stripTags } from '../php/strip-tags.js'
import { phpTrim } from '../php/trim.js'

/**
 * `wp_strip_all_tags`: removes scripts and styles with their content, then all other tags, and trims the rest. The
 * result is empty for lists and maps.
 * @param joinLines whether runs of line breaks, tabs and spaces become one space.
 */
export function stripAllTags(value: unknown, joinLines = false): string {
  if (typeof value === 'object') return ''
  const stripped = stripTags(withoutScriptsAndStyles(toText(value)))
  return phpTrim(joinLines ? stripped.replace(/[\r\n\t ]+/g, ' ') : stripped)
}

const closers: ReadonlyMap<string, string> = new Map([
  ['<script', '</script>'],
  ['<style', '</style>'],
])

function withoutScriptsAndStyles(text: string): string {
  const lower = asciiLowerCase(text)
  const openers = /<script|<style/g
  // A closing tag that is missing is searched for once only. Repeated searches would take quadratic time.
  const unclosed = new Set<string>()
  let output = ''
  let index = 0
  for (let opener = openers.exec(lower); opener !== null; opener = openers.exec(lower)) {
    const closer = closers.get(opener[0]) ?? ''
    if (unclosed.has(closer)) continue
    const content = lower.indexOf('>', openers.lastIndex)
    const end = content === -1 ? -1 : lower.indexOf(closer, content + 1)
    if (end === -1) {
      unclosed.add(closer)
      continue
    }
    output += text.slice(index, opener.index)
    index = end + closer.length
    openers.lastIndex = index
  }
  return output + text.slice(index)
}
