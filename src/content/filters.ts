import { trimCharacters } from '../php/trim.js'
import { ksesData, ksesPost } from '../sanitizers/kses.js'
import { windowsCharacter } from '../sanitizers/windows-characters.js'

/** Like `trim` in PHP, but without NUL: WordPress trims a title that still has its backslashes, where NUL is `\0`. */
const trimmedCharacters = ' \t\n\r\v'

/**
 * A title as WordPress stores it: trimmed, with only a short list of tags.
 * Rules: docs/wire.md#creating-a-record.
 * @param allowsHtml whether the caller has `unfiltered_html`; all tags stay then.
 */
export function filteredTitle(title: string, allowsHtml: boolean): string {
  const trimmed = trimCharacters(title, trimmedCharacters)
  return allowsHtml ? trimmed : ksesData(trimmed)
}

/**
 * A content or excerpt as WordPress stores it: with the tags that posts may contain, and with the references `&#128;` to
 * `&#159;` corrected.
 * @param allowsHtml whether the caller has `unfiltered_html`; all tags stay then.
 */
export function filteredContent(content: string, allowsHtml: boolean): string {
  const corrected = withCorrectedReferences(content)
  return allowsHtml ? corrected : ksesPost(corrected)
}

/** Old editors wrote characters of the Windows character set as `&#128;` to `&#159;`, which are control characters. */
function withCorrectedReferences(content: string): string {
  if (!content.includes('&#1')) return content
  return content.replace(/&#(12[89]|1[345]\d);/g, (_, code: string) => {
    const character = windowsCharacter(Number(code)).charCodeAt(0)
    // Five of the 32 codes have no character in the Windows character set. Their references are removed.
    return character === Number(code) ? '' : `&#${character};`
  })
}
