import { asciiLowerCase } from '../php/ascii-case.js'
import { toBoolean } from '../php/cast.js'
import { decodeReferences } from './character-references.js'
import { withoutBadProtocol } from './protocol.js'
import { allowedProtocols, urlAttributes } from './protocols.js'
import { filterStyle } from './style.js'

/** An attribute as it stands in a tag, its name in lower case, its value decoded; null when it has none. */
export interface Attribute {
  readonly name: string
  readonly value: string | null
}

/**
 * The attributes between a tag's name and its `>`, read as a browser does; of those with one name the first. A quote that
 * is never closed makes all of them meaningless.
 */
export function attributesOf(source: string): Attribute[] {
  const part =
    /[ \t\n\f\r/]*(?:(=?[^=/ \t\n\f\r]+|=)[ \t\n\f\r]*(?:=[ \t\n\f\r]*(?:"([^"]*)("?)|'([^']*)('?)|([^ \t\n\f\r]*)))?|$)/y
  const attributes = new Map<string, Attribute>()
  for (let found = part.exec(source); found?.[1] !== undefined; found = part.exec(source)) {
    const [, rawName = '', double, doubleEnd, single, singleEnd, bare] = found
    if (doubleEnd === '' || singleEnd === '') return []
    const name = asciiLowerCase(rawName)
    const value = double ?? single ?? bare
    if (!attributes.has(name))
      attributes.set(name, { name, value: value === undefined ? null : decodeReferences(value) })
  }
  return [...attributes.values()]
}

/** The attribute as it may be written; null when it may not. */
export function filterAttribute({ name, value }: Attribute, allowed: ReadonlySet<string>): string | null {
  const isData = allowed.has('data-*') && /^data-[a-z0-9_-]+$/.test(name)
  if (!isData && (!allowed.has(name) || name.endsWith('*'))) return null
  // The one attribute that WordPress allows without a value only.
  if (name === 'download' && value !== null) return null
  if (value === null) return name === 'style' ? null : name
  const filtered = filterValue(name, value)
  return name === 'style' && !toBoolean(filtered) ? null : `${name}="${encoded(filtered)}"`
}

function filterValue(name: string, value: string): string {
  if (name === 'style') return filterStyle(value)
  return urlAttributes.has(name) ? withoutBadProtocol(value, allowedProtocols) : value
}

const references: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ["'", '&apos;'],
  ['"', '&quot;'],
])

function encoded(value: string): string {
  return value.replace(/[&<>'"]/g, (character) => references.get(character) ?? '')
}
