import { addSlashes, stripSlashes } from '../php/slashes.js'
import { sanitizeEmail } from './email.js'
import { escHtmlTags } from './escape-html.js'
import { ksesData, ksesDescription } from './kses.js'
import { stripAllTags } from './strip-all-tags.js'
import { sanitizeTextField } from './text-field.js'
import { sanitizeUrl } from './url.js'
import { phpTrim } from '../php/trim.js'

// WordPress cleans the texts of a user while their quotes, backslashes and NULs are escaped, which changes the result: a NUL
// at the end is not trimmed.

/** A name of a user or a term as WordPress stores it: one line, with the HTML elements that comments may have, and escaped characters. */
export function storedName(text: string): string {
  const line = sanitizeTextField(addSlashes(text))
  return stripSlashes(escHtmlTags(ksesOfSlashed(line)))
}

/** The name of an application password as WordPress stores it: one line without tags. */
export function storedApplicationName(text: string): string {
  return stripSlashes(sanitizeTextField(addSlashes(text)))
}

/** The biographical text of a user, or the description of a term, as WordPress stores it: with the HTML elements that comments may have. */
export function storedDescription(text: string): string {
  return ksesDescription(text)
}

/**
 * The email address of a user, trimmed; empty when the text is not an address. An `&` is not escaped, unlike in WordPress,
 * where messages to the escaped address are lost.
 */
export function storedEmail(text: string): string {
  return sanitizeEmail(phpTrim(addSlashes(text)))
}

/** The website of a user as WordPress stores it; empty when its scheme is not allowed. */
export function storedUserUrl(text: string): string {
  return stripSlashes(ksesOfSlashed(sanitizeUrl(stripAllTags(addSlashes(text), false))))
}

function ksesOfSlashed(text: string): string {
  return addSlashes(ksesData(stripSlashes(text)))
}
