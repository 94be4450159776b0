import { asciiLowerCase } from '../php/ascii-case.js'
import { toText } from '../php/cast.js'
import { isUtf8 } from '../php/text.js'
import { trimCharacters } from '../php/trim.js'
import { removeAccents } from './remove-accents.js'
import { allowedExtensions, restrictedExtensions } from './file-extensions.js'
import { slugOf } from './title.js'

// eslint-disable-next-line no-control-regex -- NUL would end the file name for the operating system
const forbidden = /[?[\]/\\=<>:;,'"&$#*()|~`!{}%+’«»”“\0]/g

/**
 * `sanitize_file_name`: a name that is safe on every file system. Accents, quotation marks and the characters that file
 * systems, shells and URLs reserve are removed. White space becomes dashes. An unknown inner extension gets a `_`, so that
 * no server executes the file. The result is empty for lists and maps.
 */
export function sanitizeFileName(value: unknown): string {
  const plain = utf8FileName(removeAccents(typeof value === 'object' ? '' : toText(value)))
  const dashed = plain
    .replace(/\p{Zs}/gu, ' ')
    .replace(forbidden, '')
    .replace(/\.{2,}/g, '.')
    .replace(/[\r\n\t -]+/g, '-')
  const name = trimCharacters(dashed, '.-_')
  // For example `.png`, whose dot was trimmed.
  if (isKnownExtension(name)) return `unnamed-file.${name}`
  return withMarkedExtensions(name)
}

/**
 * The text itself when it is UTF-8. Otherwise the last part of the path, as a slug and an extension; empty when the
 * extension is not UTF-8. The slug is in the context `query`, the default of `sanitize_title_with_dashes`.
 */
function utf8FileName(text: string): string {
  if (isUtf8(text)) return text
  const [last = ''] = text.split('/').filter(Boolean).slice(-1)
  const dot = last.lastIndexOf('.')
  const name = dot === -1 ? slugOf(last, 'query') : `${slugOf(last.slice(0, dot), 'query')}.${last.slice(dot + 1)}`
  return isUtf8(name) ? name : ''
}

function isKnownExtension(text: string): boolean {
  const extension = asciiLowerCase(text)
  return allowedExtensions.has(extension) || restrictedExtensions.has(extension)
}

/** Appends `_` to unknown inner extensions. Some servers consider every extension and would execute `x.phtml.gif`. */
function withMarkedExtensions(name: string): string {
  const parts = name.split('.')
  const last = parts.length - 1
  return parts
    .map((part, index) => (index > 0 && index < last && isUnknownExtension(part) ? `${part}_` : part))
    .join('.')
}

function isUnknownExtension(part: string): boolean {
  return /^[a-zA-Z]{2,5}\d?$/.test(part) && !allowedExtensions.has(asciiLowerCase(part))
}
