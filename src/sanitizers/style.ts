import { phpTrim } from '../php/trim.js'
import { withoutControls } from './control-characters.js'
import { withoutBadProtocol } from './protocol.js'
import { cssProperties } from './css-properties.js'
import { allowedProtocols } from './protocols.js'

const urlProperties: ReadonlySet<string> = new Set([
  'background',
  'background-image',
  'cursor',
  'filter',
  'list-style',
  'list-style-image',
])
const gradientProperties: ReadonlySet<string> = new Set(['background', 'background-image'])
const gradient = /^(?:repeating-)?(?:linear|radial|conic)-gradient\([^()]*(?:(?<=rgba?)\([^()]*\)[^()]*)*\)$/
const mathFunctions: ReadonlySet<string> = new Set(['var', 'calc', 'min', 'max', 'minmax', 'clamp', 'repeat'])

/**
 * `safecss_filter_attr`: the allowed declarations of a `style` attribute, joined by `;`. A declaration is allowed for
 * the properties of `cssProperties` and for custom ones. Its value may have `url()` with an allowed scheme, one
 * gradient, and mathematical functions.
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
  const isCustom = /^--[a-zA-Z0-9_-]+$/.test(property)
  if (!isCustom && !cssProperties.has(property)) return false
  if ((gradientProperties.has(property) || isCustom) && gradient.test(value)) return true
  const mayHaveUrl = urlProperties.has(property) || (isCustom && value.startsWith('url('))
  const rest = mayHaveUrl ? withoutUrls(value) : value
  return rest !== null && isHarmless(rest)
}

/** The value without its `url()` functions; null when a URL is empty or has a scheme that is not allowed. */
function withoutUrls(value: string): string | null {
  let rest = ''
  let index = 0
  for (let open = value.indexOf('url('); open !== -1; open = value.indexOf('url(', index)) {
    const close = value.indexOf(')', open)
    if (close === -1) break
    const url = unquoted(phpTrim(value.slice(open + 4, close)))
    if (url === '' || withoutBadProtocol(url, allowedProtocols) !== url) return null
    rest += value.slice(index, open)
    index = close + 1
  }
  return rest + value.slice(index)
}

function unquoted(text: string): string {
  return phpTrim(/^(['"])(.*)\1$/s.exec(text)?.[2] ?? text)
}

/** Whether the text cannot end a declaration, escape a character, open a comment or call an unknown function. */
function isHarmless(text: string): boolean {
  const outside = withoutMath(text)
  return outside !== null && !/[\\&=}]|\/\*/.test(outside)
}

/** The text without mathematical functions and their arguments; null for other functions and unclosed parentheses. */
function withoutMath(text: string): string | null {
  let outside = ''
  let depth = 0
  let index = 0
  for (const { 0: bracket, index: position } of text.matchAll(/[()]/g)) {
    // No mathematical function has a name of more than 8 characters. A longer name is cut and so matches none of them.
    const name = /\w*$/.exec(text.slice(Math.max(index, position - 8), position))?.[0] ?? ''
    if (bracket === '(' && depth === 0 && !mathFunctions.has(name)) return null
    if (depth === 0) outside += text.slice(index, bracket === '(' ? position - name.length : position + 1)
    if (bracket === '(') depth += 1
    else if (depth > 0) depth -= 1
    index = position + 1
  }
  return depth > 0 ? null : outside + text.slice(index)
}
