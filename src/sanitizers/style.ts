import { phpTrim } from '../php/trim.js'
import { toBoolean } from '../php/cast.js'
import { withoutControls } from './control-characters.js'
import { cssFunctions, cssProperties, gradientProperties, urlProperties } from './css-properties.js'
import { withoutBadProtocol } from './protocol.js'
import { allowedProtocols } from './protocols.js'

const customProperty = /^--[a-zA-Z0-9_-]+$/
const maxFunctionName = Math.max(...Array.from(cssFunctions, (name) => name.length))

/**
 * `safecss_filter_attr`: the allowed declarations of a `style` attribute, joined by `;`. A declaration is allowed for
 * the properties of `cssProperties` and for custom ones. Its value may have the functions of `cssFunctions`. Some
 * properties allow gradients, and `url()` with an allowed scheme. Takes linear time.
 */
export function filterStyle(style: string): string {
  const plain = withoutControls(style)
    .replace(/[\n\r\t]/g, '')
    .replace(/(?<!\\)\\+0+/g, '')
  let output = ''
  for (const item of phpTrim(plain).split(';')) {
    const declaration = phpTrim(item)
    // As in WordPress, white space between two semicolons counts as a declaration, and two adjacent semicolons do not.
    if (item !== '' && isAllowed(declaration)) output += `${output === '' ? '' : ';'}${declaration}`
  }
  return output
}

function isAllowed(declaration: string): boolean {
  const colon = declaration.indexOf(':')
  // WordPress keeps text without a colon, which sets no property, unless it has unsafe characters.
  if (colon === -1) return isHarmless(declaration)
  const property = phpTrim(declaration.slice(0, colon))
  const value = phpTrim(declaration.slice(colon + 1))
  const isCustom = customProperty.test(property)
  // WordPress's list has `--*` for custom properties, and so allows that name as well.
  if (!isCustom && property !== '--*' && !cssProperties.has(property)) return false
  const allowsUrls = isCustom ? value.startsWith('url(') : urlProperties.has(property)
  const allowsGradients = isCustom || gradientProperties.has(property)
  const rest = allowsUrls ? withoutUrls(value) : value
  return rest !== null && isHarmless(allowsGradients ? withoutGradients(rest) : rest)
}

/** Maximum number of different `url()` functions of a value that are removed in turn. With this limit the work is linear. */
const maxInTurn = 32

/**
 * The value without its `url()` functions; null when a URL is empty or has a scheme that is not allowed. Like WordPress, it
 * removes the text of each in turn wherever it occurs, so that of `url(a), url(b url(a)` the text `url(b ` remains. It also
 * overlooks `url()` without a character inside. What remains of both is an unknown function. Null also for very many functions
 * with others inside.
 */
function withoutUrls(value: string): string | null {
  const texts = new Set<string>()
  let rest = ''
  let index = 0
  let hasInner = false
  // A search from each `url(` after the last closing bracket would read to the end of the text, which takes quadratic time.
  const closed = value.slice(0, value.lastIndexOf(')') + 1)
  for (const { 0: text, 1: source = '', index: start } of closed.matchAll(/url\(([^)]+)\)/g)) {
    const url = unquoted(phpTrim(source))
    // PHP takes the text `0` for empty.
    if (!toBoolean(url) || withoutBadProtocol(url, allowedProtocols) !== url) return null
    texts.add(text)
    hasInner ||= text.includes('url(', 1)
    rest += value.slice(index, start)
    index = start + text.length
  }
  if (texts.size <= maxInTurn) return [...texts].reduce((left, text) => left.replaceAll(text, ''), value)
  return hasInner ? null : rest + value.slice(index)
}

function unquoted(text: string): string {
  return phpTrim(/^(['"])(.*)\1$/s.exec(text)?.[2] ?? text)
}

/** The value without its gradients. A gradient with more than one level of brackets inside stays. */
function withoutGradients(value: string): string {
  const name = /(?:repeating-)?(?:linear|radial|conic)-gradient\(/g
  let rest = ''
  let index = 0
  for (let match = name.exec(value); match !== null; match = name.exec(value)) {
    const end = endOfGradient(value, name.lastIndex)
    if (end === null) continue
    rest += value.slice(index, match.index)
    index = end
    name.lastIndex = end
  }
  return rest + value.slice(index)
}

/**
 * The index after the closing bracket; null when there is none, or for a third level of brackets. With this limit the
 * work is linear: each character is read for at most two unclosed gradients before it.
 * @param start index after the opening bracket.
 */
function endOfGradient(value: string, start: number): number | null {
  const brackets = /[()]/g
  brackets.lastIndex = start
  let isNested = false
  for (let match = brackets.exec(value); match !== null; match = brackets.exec(value)) {
    if (match[0] === '(') {
      if (isNested) return null
      isNested = true
    } else if (isNested) isNested = false
    else return brackets.lastIndex
  }
  return null
}

/** Whether the text cannot end a declaration, escape a character, open a comment or call an unknown function. */
function isHarmless(text: string): boolean {
  const outside = withoutFunctions(text)
  return outside !== null && !/[\\&=}]|\/\*/.test(outside)
}

/** The text without `cssFunctions` and their arguments; null for other functions and unclosed brackets. */
function withoutFunctions(text: string): string | null {
  let outside = ''
  let depth = 0
  let index = 0
  for (const { 0: bracket, index: position } of text.matchAll(/[()]/g)) {
    // Longer names than those of the functions are cut to one more character, and so match none of them.
    const name = /\w*$/.exec(text.slice(Math.max(index, position - maxFunctionName - 1), position))?.[0] ?? ''
    if (bracket === '(' && depth === 0 && !cssFunctions.has(name)) return null
    if (depth === 0) outside += text.slice(index, bracket === '(' ? position - name.length : position + 1)
    if (bracket === '(') depth += 1
    else if (depth > 0) depth -= 1
    index = position + 1
  }
  return depth > 0 ? null : outside + text.slice(index)
}
