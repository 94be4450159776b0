import { asciiLowerCase } from '../php/ascii-case.js'
import { toBoolean } from '../php/cast.js'
import { decodeReferences } from './character-references.js'
import { escAttr } from './escape-html.js'
import { withoutBadProtocol } from './protocol.js'
import { allowedProtocols, urlAttributes } from './protocols.js'
import { filterStyle } from './style.js'

/** One attribute of a tag. */
export interface Attribute {
  /** In lower case. */
  readonly name: string
  /** With character references decoded, and line breaks as line feeds; null when the attribute has no value. */
  readonly value: string | null
}

/**
 * The attributes between the name of a tag and its `>`, parsed as a browser parses them. The first of several
 * attributes with one name is used. An unclosed quotation mark makes the result empty.
 */
export function attributesOf(source: string): Attribute[] {
  const part =
    /[ \t\n\f\r/]*(?:(=?[^=/ \t\n\f\r]+|=)[ \t\n\f\r]*(?:=[ \t\n\f\r]*(?:"([^"]*)("?)|'([^']*)('?)|([^ \t\n\f\r]*)))?|$)/y
  const attributes = new Map<string, Attribute>()
  for (let match = part.exec(source); match?.[1] !== undefined; match = part.exec(source)) {
    const [, rawName = '', double, doubleEnd, single, singleEnd, bare] = match
    if (doubleEnd === '' || singleEnd === '') return []
    const name = asciiLowerCase(rawName)
    const value = double ?? single ?? bare
    if (!attributes.has(name))
      attributes.set(name, {
        name,
        value: value === undefined ? null : decodeReferences(value.replaceAll(/\r\n?/g, '\n')),
      })
  }
  return [...attributes.values()]
}

/** The source text of the attribute after filtering; null when the attribute is not allowed. */
export function filterAttribute({ name, value }: Attribute, allowed: ReadonlySet<string>): string | null {
  const isData = allowed.has('data-*') && /^data-[a-z0-9_-]+$/.test(name)
  if (!isData && !allowed.has(name)) return null
  // WordPress allows `download` without a value only.
  if (name === 'download' && value !== null) return null
  if (name === 'style') return filterStyleAttribute(value ?? '')
  if (value === null) return name
  const filtered = urlAttributes.has(name) ? withoutBadProtocol(value, allowedProtocols) : value
  return `${name}="${escaped(filtered)}"`
}

/** WordPress escapes a style that it changes by `esc_attr`, and any other value by rules of its own. */
function filterStyleAttribute(style: string): string | null {
  const filtered = filterStyle(style)
  if (!toBoolean(filtered)) return null
  return `style="${filtered === style ? escaped(style) : escAttr(filtered)}"`
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ["'", '&apos;'],
  ['"', '&quot;'],
])

function escaped(value: string): string {
  return value.replace(/[&<>'"]/g, (character) => escapes.get(character) ?? '')
}
