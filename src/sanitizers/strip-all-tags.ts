import { asciiLowerCase } from '../php/ascii-case.js'
import { toText } from '../php/cast.js'
import { stripTags } from '../php/strip-tags.js'
import { phpTrim } from '../php/trim.js'

/**
 * `wp_strip_all_tags`: scripts and styles go with their content, then all other tags; the rest is trimmed. Lists and
 * maps give nothing.
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
  // An element that nothing closes from here on is not looked for again, which would take quadratic time.
  const unclosed = new Set<string>()
  let kept = ''
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
    kept += text.slice(index, opener.index)
    index = end + closer.length
    openers.lastIndex = index
  }
  return kept + text.slice(index)
}
