import { asciiLowerCase } from '../php/ascii-case.js'
import { toText } from '../php/cast.js'
import { isUtf8 } from '../php/text.js'
import { trimCharacters } from '../php/trim.js'
import { removeAccents } from './remove-accents.js'
import { allowedExtensions, guardedExtensions } from './file-extensions.js'
import { slugOf } from './title.js'

// eslint-disable-next-line no-control-regex -- NUL would end the file name for the operating system
const forbidden = /[?[\]/\\=<>:;,'"&$#*()|~`!{}%+’«»”“\0]/g

/**
 * `sanitize_file_name`: a name that is safe on every file system. Accents, quotes and signs are removed, white space
 * becomes dashes, and an unknown inner extension gets a `_` so that no server executes the file. The result is empty
 * for lists and maps.
 */
export function sanitizeFileName(value: unknown): string {
  const plain = asUtf8(removeAccents(typeof value === 'object' ? '' : toText(value)))
  const dashed = plain
    .replace(/\p{Zs}/gu, ' ')
    .replace(forbidden, '')
    .replace(/\.{2,}/g, '.')
    .replace(/[\r\n\t -]+/g, '-')
  const name = trimCharacters(dashed, '.-_')
  if (isExtension(name)) return `unnamed-file.${name}`
  return withGuardedExtensions(name)
}

/**
 * The text itself when it is UTF-8. Otherwise the last part of the path, as a slug and an extension; empty when the
 * extension is not UTF-8.
 */
function asUtf8(text: string): string {
  if (isUtf8(text)) return text
  const [last = ''] = text.split('/').filter(Boolean).slice(-1)
  const dot = last.lastIndexOf('.')
  const name = dot === -1 ? slugOf(last, 'query') : `${slugOf(last.slice(0, dot), 'query')}.${last.slice(dot + 1)}`
  return isUtf8(name) ? name : ''
}

function isExtension(name: string): boolean {
  const extension = asciiLowerCase(name)
  return allowedExtensions.has(extension) || guardedExtensions.has(extension)
}

/** Some servers consider every extension of a file name and would execute `x.phtml.gif`. */
function withGuardedExtensions(name: string): string {
  const parts = name.split('.')
  const last = parts.length - 1
  return parts.map((part, index) => (index > 0 && index < last && isSuspicious(part) ? `${part}_` : part)).join('.')
}

function isSuspicious(part: string): boolean {
  return /^[a-zA-Z]{2,5}\d?$/.test(part) && !allowedExtensions.has(asciiLowerCase(part))
}
