import { phpTrim } from '../php/trim.js'
import { withoutControls } from './control-characters.js'
import { withoutBadProtocol } from './protocol.js'
import { cssProperties } from './css-properties.js'
import { allowedProtocols } from './protocols.js'

const takesUrl: ReadonlySet<string> = new Set([
  'background',
  'background-image',
  'cursor',
  'filter',
  'list-style',
  'list-style-image',
])
const takesGradient: ReadonlySet<string> = new Set(['background', 'background-image'])
const gradient = /^(?:repeating-)?(?:linear|radial|conic)-gradient\([^()]*(?:(?<=rgba?)\([^()]*\)[^()]*)*\)$/
const mathFunctions: ReadonlySet<string> = new Set(['var', 'calc', 'min', 'max', 'minmax', 'clamp', 'repeat'])

/**
 * The declarations of a `style` attribute that may stay, joined by `;`: known properties and custom ones, with `url()` of
 * an allowed scheme, one gradient, and mathematical functions.
 * Rules: docs/wire.md#attributes-and-styles.
 */
export function filterStyle(style: string): string {
  const plain = withoutControls(style)
    .replace(/[\n\r\t]/g, '')
    .replace(/(?<!\\)\\+0+/g, '')
  let kept = ''
  for (const item of phpTrim(plain).split(';')) {
    const declaration = phpTrim(item)
    // Blanks between two semicolons count as a declaration, nothing does not.
    if (item !== '' && isAllowed(declaration)) kept += `${kept === '' ? '' : ';'}${declaration}`
  }
  return kept
}

function isAllowed(declaration: string): boolean {
  const colon = declaration.indexOf(':')
  // Without a colon it sets nothing, but it may not hide anything either.
  if (colon === -1) return isHarmless(declaration)
  const property = phpTrim(declaration.slice(0, colon))
  const value = phpTrim(declaration.slice(colon + 1))
  const isCustom = /^--[a-zA-Z0-9_-]+$/.test(property)
  if (!isCustom && !cssProperties.has(property)) return false
  if ((takesGradient.has(property) || isCustom) && gradient.test(value)) return true
  const mayHaveUrl = takesUrl.has(property) || (isCustom && value.startsWith('url('))
  const rest = mayHaveUrl ? withoutUrls(value) : value
  return rest !== null && isHarmless(rest)
}

/** The value without its `url()`s; null when one of them has a scheme that is not allowed, or is empty. */
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

/** Whether nothing is in the text that could end a declaration, escape a character or call an unknown function. */
function isHarmless(text: string): boolean {
  const outside = withoutMath(text)
  return outside !== null && !/[\\&=}]|\/\*/.test(outside)
}

/** The text without mathematical functions and what they hold; null when another bracket opens, or one never closes. */
function withoutMath(text: string): string | null {
  let outside = ''
  let depth = 0
  let index = 0
  for (const { 0: bracket, index: at } of text.matchAll(/[()]/g)) {
    // No function has a longer name; a longer word is cut, and so is none of them.
    const name = /\w*$/.exec(text.slice(Math.max(index, at - 8), at))?.[0] ?? ''
    if (bracket === '(' && depth === 0 && !mathFunctions.has(name)) return null
    if (depth === 0) outside += text.slice(index, bracket === '(' ? at - name.length : at + 1)
    if (bracket === '(') depth += 1
    else if (depth > 0) depth -= 1
    index = at + 1
  }
  return depth > 0 ? null : outside + text.slice(index)
}
